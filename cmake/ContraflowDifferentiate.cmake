# contraflow_differentiate(<target>
#   SOURCES <file>...            sources of the target to differentiate, in one run of the tool
#   [ADJOINT "<head>"...]        'misfit(conductivity -> return)'; heads may stand in the sources as well
#   [TANGENT "<head>"...]
#   [OPTIONS <option>...]        further options of the tool
#   [CHECK <file>]               a program that checks the adjoints is written there, and becomes a source of the target
#   [OUT_DIR <folder>])          default: <binary folder>/contraflow/<target>
#
# For each `heat.cpp` the tool writes `heat_ad.cpp`, which takes the place of heat.cpp in the target, and `heat_ad.hpp`,
# which all files of the target (and of what links with it) can include. The tool runs at build time, with the target's
# own flags, definitions and include folders, those of linked targets included; again when a source, a header
# that it includes, a flag or the tool changes. The target is linked with Contraflow::runtime, and with
# Contraflow::mpi if it is linked with MPI or its compiler is an MPI wrapper.
#
# The target must be made in the same folder as the call. Generators: Ninja, Makefiles.

include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

set(_contraflow_module_dir ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "")

function(contraflow_differentiate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUT_DIR;CHECK" "SOURCES;ADJOINT;TANGENT;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "contraflow_differentiate(${target}): what is "
                        "'${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'?")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "contraflow_differentiate(${target}): no SOURCES")
  endif()
  _contraflow_check_target(${target})
  if(NOT arg_OUT_DIR)
    set(arg_OUT_DIR contraflow/${target})
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUT_DIR BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
  file(MAKE_DIRECTORY ${arg_OUT_DIR})

  # One run of the tool, named by its first source.
  set(sources "")
  set(outputs "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET source STEM LAST_ONLY stem)
    set(generated ${arg_OUT_DIR}/${stem}_ad.cpp)
    _contraflow_swap_source(${target} ${source} ${generated})
    list(APPEND sources ${source})
    list(APPEND outputs ${generated} ${arg_OUT_DIR}/${stem}_ad.hpp)
  endforeach()
  list(GET outputs 0 run)
  cmake_path(REMOVE_EXTENSION run LAST_ONLY)

  set(options "")
  foreach(head IN LISTS arg_ADJOINT)
    list(APPEND options --adjoint ${head})
  endforeach()
  foreach(head IN LISTS arg_TANGENT)
    list(APPEND options --tangent ${head})
  endforeach()
  list(APPEND options ${arg_OPTIONS})
  if(arg_CHECK)
    cmake_path(ABSOLUTE_PATH arg_CHECK BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
    list(APPEND options --emit-check ${arg_CHECK})
    list(APPEND outputs ${arg_CHECK})
    set_property(TARGET ${target} APPEND PROPERTY SOURCES ${arg_CHECK})
  endif()

  # The flags are known when all CMake files have been read, and written then; `$<COMPILE_LANGUAGE:CXX>`, which
  # OpenMP's and MPI's flags contain, is understood there alone. The script makes a response file of them.
  _contraflow_write_flags(${target} ${run} "${sources}")
  list(JOIN arg_SOURCES " " names)
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${CMAKE_COMMAND} -P ${_contraflow_module_dir}/ContraflowResponseFile.cmake ${run}.flags-CXX ${run}.rsp
    COMMAND Contraflow::contraflow ${options} --out-dir ${arg_OUT_DIR} --depfile ${run}.d ${sources} -- @${run}.rsp
    DEPENDS ${sources} ${run}.flags-CXX $<TARGET_FILE:Contraflow::contraflow>
    DEPFILE ${run}.d
    COMMENT "Differentiating ${names}"
    VERBATIM)

  # The generated header names the runtime's types, so who uses a library needs both. Properties, since
  # target_link_libraries would have to know which of its two signatures the project uses.
  set_property(TARGET ${target} APPEND PROPERTY INCLUDE_DIRECTORIES ${arg_OUT_DIR})
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES $<BUILD_INTERFACE:${arg_OUT_DIR}>)
  _contraflow_link(${target} Contraflow::runtime)
  # The project may link the target with MPI after this call.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _contraflow_link_mpi [[${target}]])")
endfunction()

function(_contraflow_check_target target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "contraflow_differentiate(${target}): there is no such target")
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(imported ${target} IMPORTED)
  if(imported OR NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "contraflow_differentiate(${target}): a target that compiles sources is needed")
  endif()
  get_target_property(folder ${target} BINARY_DIR)
  if(NOT folder STREQUAL CMAKE_CURRENT_BINARY_DIR)
    message(FATAL_ERROR "contraflow_differentiate(${target}): must be called in the folder that makes the target")
  endif()
endfunction()

# Puts `generated` in the place of `source`, compiled in the same way, with the original's folder searched for
# what it includes in quotes.
function(_contraflow_swap_source target source generated)
  if(NOT EXISTS ${source})
    get_source_file_property(made ${source} GENERATED)
    if(NOT made)
      message(FATAL_ERROR "contraflow_differentiate(${target}): there is no file '${source}'")
    endif()
  endif()
  get_target_property(kept ${target} SOURCES)
  foreach(entry IN LISTS kept)
    cmake_path(ABSOLUTE_PATH entry BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
    if(path STREQUAL source)
      list(REMOVE_ITEM kept ${entry})
    elseif(path STREQUAL generated)
      message(FATAL_ERROR "contraflow_differentiate(${target}): two sources would both become '${generated}'; "
                          "give one call another OUT_DIR")
    endif()
  endforeach()
  string(REGEX REPLACE "cpp$" "hpp" header ${generated})
  set_property(TARGET ${target} PROPERTY SOURCES ${kept} ${generated} ${header})

  cmake_path(GET source PARENT_PATH folder)
  foreach(property COMPILE_FLAGS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES COMPILE_OPTIONS)
    get_property(value SOURCE ${source} PROPERTY ${property})
    if(NOT "${value}" STREQUAL "")
      set_property(SOURCE ${generated} PROPERTY ${property} "${value}")
    endif()
  endforeach()
  # Derivatives have twice as many pointers as what they are derivatives of: g++ compares no more than 10 pairs of addresses
  # at run time for a loop to be vectorised, unless it is told that more are worth it.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set_property(SOURCE ${generated} APPEND PROPERTY COMPILE_OPTIONS "--param=vect-max-version-for-alias-checks=50")
  endif()
  # For the generated source, and for those that include the generated header: both include what lies beside the source.
  set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS "-iquote${folder}")
endfunction()

# Writes <run>.flags-CXX: one word and a value in each line, for ContraflowResponseFile.cmake.
function(_contraflow_write_flags target run sources)
  set(properties INCLUDE_DIRECTORIES include COMPILE_DEFINITIONS define COMPILE_OPTIONS option COMPILE_FEATURES feature
                 CXX_STANDARD standard)
  set(content "")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  foreach(flags CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_${config})
    string(APPEND content "flags ${${flags}}\n")
  endforeach()
  if(CMAKE_SYSROOT)
    string(APPEND content "option --sysroot=${CMAKE_SYSROOT}\n")
  endif()
  while(properties)
    list(POP_FRONT properties property word)
    set(value "$<TARGET_PROPERTY:${target},${property}>")
    string(APPEND content "$<$<BOOL:${value}>:${word} $<JOIN:${value},\n${word} >\n>")
  endwhile()
  set(extensions "$<TARGET_PROPERTY:${target},CXX_EXTENSIONS>")  # unset means yes
  string(APPEND content "extensions $<OR:$<STREQUAL:${extensions},>,$<BOOL:${extensions}>>\n"
                        "default-standard ${CMAKE_CXX_STANDARD_DEFAULT}\n")
  foreach(source IN LISTS sources)
    foreach(pair INCLUDE_DIRECTORIES=include COMPILE_DEFINITIONS=define COMPILE_OPTIONS=option COMPILE_FLAGS=flags)
      string(REGEX MATCH "^(.*)=(.*)$" pair ${pair})
      get_property(values SOURCE ${source} PROPERTY ${CMAKE_MATCH_1})
      foreach(value IN LISTS values)
        string(APPEND content "${CMAKE_MATCH_2} ${value}\n")
      endforeach()
    endforeach()
  endforeach()
  # An MPI compiler wrapper knows where mpi.h is, but no target says so.
  foreach(folder IN LISTS CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    if(EXISTS ${folder}/mpi.h)
      string(APPEND content "include ${folder}\n")
    endif()
  endforeach()
  file(GENERATE OUTPUT ${run}.flags-$<COMPILE_LANGUAGE> CONTENT "${content}" TARGET ${target})
endfunction()

function(_contraflow_link target library)
  get_target_property(present ${target} LINK_LIBRARIES)
  if(NOT library IN_LIST present)
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${library})
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${library})
  endif()
endfunction()

# Runs when the folder's CMakeLists.txt has been read.
function(_contraflow_link_mpi target)
  set(seen "")
  _contraflow_uses_mpi(${target} seen uses)
  foreach(folder IN LISTS CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    if(EXISTS ${folder}/mpi.h)
      set(uses TRUE)
    endif()
  endforeach()
  if(NOT uses)
    return()
  endif()
  if(NOT TARGET Contraflow::mpi)
    message(FATAL_ERROR "contraflow_differentiate(${target}): the target uses MPI, but this Contraflow was built "
                        "without an MPI library")
  endif()
  if(NOT TARGET MPI::MPI_CXX)
    find_package(MPI REQUIRED COMPONENTS CXX)
  endif()
  _contraflow_link(${target} Contraflow::mpi)
endfunction()

# Whether `target` is linked, directly or not, with an MPI library.
function(_contraflow_uses_mpi target seen_variable result_variable)
  set(seen ${${seen_variable}} ${target})
  set(result FALSE)
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(libraries ${target} ${property})
    foreach(library IN LISTS libraries)
      if(library MATCHES "MPI::MPI_C(XX)?|Contraflow::mpi|(^|/|lib|-l)mpi(ch|_cxx|cxx)?(\\.|$)")
        set(result TRUE)
      elseif(TARGET "${library}" AND NOT library IN_LIST seen)
        _contraflow_uses_mpi(${library} seen deeper)
        if(deeper)
          set(result TRUE)
        endif()
      endif()
    endforeach()
  endforeach()
  set(${seen_variable} ${seen} PARENT_SCOPE)
  set(${result_variable} ${result} PARENT_SCOPE)
endfunction()

cmake_policy(POP)
