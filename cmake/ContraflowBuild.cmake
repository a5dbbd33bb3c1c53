# How Contraflow's own code is compiled, and contraflow_library(), which makes one library of one folder of lib/.

# A project that embeds Contraflow keeps its own settings.
if(PROJECT_IS_TOP_LEVEL)
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
  endif()
  # -O3 costs build time and buys a compiler nothing.
  string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

  find_program(CONTRAFLOW_CCACHE ccache)
  mark_as_advanced(CONTRAFLOW_CCACHE)
  if(CONTRAFLOW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Without this setting ccache doesn't cache what uses a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CONTRAFLOW_CCACHE})
  endif()

  if(CONTRAFLOW_SANITIZE)
    # The vptr check needs RTTI, which LLVM is built without.
    set(CONTRAFLOW_SANITIZE_FLAGS -fsanitize=${CONTRAFLOW_SANITIZE} -fno-omit-frame-pointer -g)
    if(CONTRAFLOW_SANITIZE MATCHES "undefined")
      list(APPEND CONTRAFLOW_SANITIZE_FLAGS -fno-sanitize=vptr -fno-sanitize-recover=undefined)
    endif()
    # ThreadSanitizer is for what has threads: the runtime's tests, generated code, examples and measurements. The compiler has one
    # (CMakeLists.txt goes on with these flags behind it).
    if(NOT CONTRAFLOW_SANITIZE MATCHES "thread")
      add_compile_options(${CONTRAFLOW_SANITIZE_FLAGS})
      add_link_options(${CONTRAFLOW_SANITIZE_FLAGS})
    endif()
  endif()
endif()

# What every target of the compiler and its unit tests is compiled with.
add_library(contraflow_options INTERFACE)
target_compile_features(contraflow_options INTERFACE cxx_std_20)
target_compile_options(contraflow_options INTERFACE
  -Wall -Wextra $<$<BOOL:${CONTRAFLOW_WERROR}>:-Werror>
  -fno-rtti      # LLVM has none, and a class derived from one of its classes would miss the base's
  -UNDEBUG       # our own assertions stay on in every build type
  # Clang blames std::stable_sort of libstdc++ 12 for what that calls itself.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
target_include_directories(contraflow_options INTERFACE
  ${PROJECT_SOURCE_DIR}/lib ${PROJECT_BINARY_DIR}/generated)

# contraflow_library(<folder> [USES <folder>...] [CLANG | CLANG_IN <file>...])
#
# The library contraflow_<folder> of all .cpp files in this folder, which may include the headers of the folders
# after USES ("ir/module.hpp"). CLANG: it may include Clang's headers, CLANG_IN: those files alone may;
# scripts/check_layers.py reads this line and fails where a file includes more.
function(contraflow_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CLANG" "" "USES;CLANG_IN")
  set(target contraflow_${folder})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  list(TRANSFORM arg_USES PREPEND contraflow_ OUTPUT_VARIABLE libraries)
  target_link_libraries(${target} ${scope} contraflow_options ${libraries} contraflow_llvm)
  if(arg_CLANG OR arg_CLANG_IN)
    target_link_libraries(${target} ${scope} contraflow_clang)
  endif()
endfunction()
