# contraflow_add_gradient_test(
#   NAME <name>                  the tests are <name>, <name>-ranks<n>, <name>-threads<n>, <name>-ranks<n>-threads<n>
#   SOURCES <file>...            sources to differentiate, as for contraflow_differentiate
#   [OTHER_SOURCES <file>...]    further sources of the program
#   [ADJOINT "<head>"...]        what to check: 'misfit(conductivity -> return)'; or heads in the sources
#   [ARGUMENTS "n = 16" "k[n]" "k[n] = 1 + 0.1 * i"...]
#                                values of parameters, and sizes and elements of arrays: docs/gradient_check.md
#   [INCLUDES <header>...]       headers that these expressions need
#   [LINK <library>...]          what the program is linked with
#   [OPTIONS <option>...]        of the tool
#   [RANKS <n>...] [THREADS <n>...]
#                                one test for each number of MPI ranks and of OpenMP threads
#   [TOLERANCE <t>] [DIFFERENCE_TOLERANCE <t>])
#
# Makes the program <name>_check, whose main() the tool writes, and tests that run it: the adjoint against the tangent by the dot
# product, the tangent against differences. Wants enable_testing().

include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

function(contraflow_add_gradient_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TOLERANCE;DIFFERENCE_TOLERANCE"
                        "SOURCES;OTHER_SOURCES;ADJOINT;ARGUMENTS;INCLUDES;LINK;OPTIONS;RANKS;THREADS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "contraflow_add_gradient_test(${arg_NAME}): what is "
                        "'${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'?")
  endif()
  if(NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "contraflow_add_gradient_test(${arg_NAME}): NAME and SOURCES are needed")
  endif()
  foreach(number IN LISTS arg_RANKS arg_THREADS)
    if(NOT number MATCHES "^[1-9][0-9]*$")
      message(FATAL_ERROR "contraflow_add_gradient_test(${arg_NAME}): '${number}' is no number of ranks or threads")
    endif()
  endforeach()

  set(options "")
  if(arg_OPTIONS OR arg_ARGUMENTS OR arg_INCLUDES)
    list(APPEND options OPTIONS ${arg_OPTIONS})
  endif()
  foreach(argument IN LISTS arg_ARGUMENTS)
    list(APPEND options --check-arg "${argument}")
  endforeach()
  foreach(header IN LISTS arg_INCLUDES)
    list(APPEND options --check-include ${header})
  endforeach()
  set(program ${arg_NAME}_check)
  add_executable(${program} ${arg_SOURCES} ${arg_OTHER_SOURCES})
  target_link_libraries(${program} PRIVATE ${arg_LINK})
  list(PREPEND options CHECK ${CMAKE_CURRENT_BINARY_DIR}/contraflow/${program}/${program}.cpp)
  if(arg_ADJOINT)
    list(PREPEND options ADJOINT ${arg_ADJOINT})
  endif()
  contraflow_differentiate(${program} SOURCES ${arg_SOURCES} ${options})

  if(arg_RANKS AND NOT MPIEXEC_EXECUTABLE)
    message(FATAL_ERROR "contraflow_add_gradient_test(${arg_NAME}): RANKS needs find_package(MPI)")
  endif()
  set(words "")
  if(arg_TOLERANCE)
    list(APPEND words --tolerance=${arg_TOLERANCE})
  endif()
  if(arg_DIFFERENCE_TOLERANCE)
    list(APPEND words --difference-tolerance=${arg_DIFFERENCE_TOLERANCE})
  endif()
  # 0: as many as the program makes by itself.
  if(NOT arg_RANKS)
    set(arg_RANKS 0)
  endif()
  if(NOT arg_THREADS)
    set(arg_THREADS 0)
  endif()
  foreach(ranks IN LISTS arg_RANKS)
    foreach(threads IN LISTS arg_THREADS)
      _contraflow_gradient_run(${arg_NAME} ${program} ${ranks} ${threads} ${words})
    endforeach()
  endforeach()
endfunction()

function(_contraflow_gradient_run name program ranks threads)
  set(command $<TARGET_FILE:${program}> ${ARGN})
  set(processors 1)
  set(environment "")
  if(ranks GREATER 0)
    string(APPEND name -ranks${ranks})
    set(command ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} $<TARGET_FILE:${program}>
                ${MPIEXEC_POSTFLAGS} ${ARGN})
    math(EXPR processors "${processors} * ${ranks}")
    list(APPEND environment OMPI_MCA_rmaps_base_oversubscribe=1)
  endif()
  if(threads GREATER 0)
    string(APPEND name -threads${threads})
    math(EXPR processors "${processors} * ${threads}")
    list(APPEND environment OMP_NUM_THREADS=${threads} OMP_DYNAMIC=false)
  endif()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES PROCESSORS ${processors} ENVIRONMENT "${environment}")
endfunction()

cmake_policy(POP)
