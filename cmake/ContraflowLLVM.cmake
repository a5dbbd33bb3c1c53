# Finds LLVM and Clang 19 as shared libraries: contraflow_llvm, contraflow_clang, and the programs that come with them.
#
# LLVM's own package files aren't used: they check that each file exists that any of its packages could install
# (clangd, clang-tidy, a hundred static libraries), and fail on a machine that has only what we need.
set(CONTRAFLOW_LLVM_VERSION 19)
set(CONTRAFLOW_LLVM_PREFIX "/usr/lib/llvm-${CONTRAFLOW_LLVM_VERSION}" CACHE PATH "Where LLVM and Clang 19 are")

find_path(CONTRAFLOW_LLVM_INCLUDE_DIR llvm/Config/llvm-config.h
          HINTS ${CONTRAFLOW_LLVM_PREFIX}/include NO_DEFAULT_PATH)
find_path(CONTRAFLOW_CLANG_INCLUDE_DIR clang/AST/ASTContext.h
          HINTS ${CONTRAFLOW_LLVM_PREFIX}/include NO_DEFAULT_PATH)
find_library(CONTRAFLOW_LLVM_LIBRARY NAMES LLVM-${CONTRAFLOW_LLVM_VERSION} LLVM
             HINTS ${CONTRAFLOW_LLVM_PREFIX}/lib NO_DEFAULT_PATH)
find_library(CONTRAFLOW_CLANG_LIBRARY NAMES clang-cpp HINTS ${CONTRAFLOW_LLVM_PREFIX}/lib NO_DEFAULT_PATH)
find_program(CONTRAFLOW_CLANGXX NAMES clang++-${CONTRAFLOW_LLVM_VERSION} clang++ HINTS ${CONTRAFLOW_LLVM_PREFIX}/bin)
find_program(CONTRAFLOW_FILECHECK NAMES FileCheck HINTS ${CONTRAFLOW_LLVM_PREFIX}/bin NO_DEFAULT_PATH)
find_file(CONTRAFLOW_LIT lit.py HINTS ${CONTRAFLOW_LLVM_PREFIX}/build/utils/lit NO_DEFAULT_PATH)
mark_as_advanced(CONTRAFLOW_LLVM_INCLUDE_DIR CONTRAFLOW_CLANG_INCLUDE_DIR CONTRAFLOW_LLVM_LIBRARY
                 CONTRAFLOW_CLANG_LIBRARY CONTRAFLOW_CLANGXX CONTRAFLOW_FILECHECK CONTRAFLOW_LIT)

foreach(needed LLVM_INCLUDE_DIR CLANG_INCLUDE_DIR LLVM_LIBRARY CLANG_LIBRARY CLANGXX)
  if(NOT CONTRAFLOW_${needed})
    message(FATAL_ERROR "LLVM and Clang ${CONTRAFLOW_LLVM_VERSION} not found under '${CONTRAFLOW_LLVM_PREFIX}' "
                        "(no CONTRAFLOW_${needed}): run './dev setup', or set CONTRAFLOW_LLVM_PREFIX")
  endif()
endforeach()

# Clang's own headers (stddef.h, omp.h, ...), without which no source can be parsed.
execute_process(COMMAND ${CONTRAFLOW_CLANGXX} -print-resource-dir
                OUTPUT_VARIABLE CONTRAFLOW_RESOURCE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CONTRAFLOW_CLANGXX} -dumpversion
                OUTPUT_VARIABLE CONTRAFLOW_CLANG_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${CONTRAFLOW_RESOURCE_DIR}/include/stddef.h)
  message(FATAL_ERROR "Clang's headers not found in '${CONTRAFLOW_RESOURCE_DIR}': run './dev setup'")
endif()

add_library(contraflow_llvm INTERFACE)
target_include_directories(contraflow_llvm SYSTEM INTERFACE ${CONTRAFLOW_LLVM_INCLUDE_DIR})
target_link_libraries(contraflow_llvm INTERFACE ${CONTRAFLOW_LLVM_LIBRARY})

add_library(contraflow_clang INTERFACE)
target_include_directories(contraflow_clang SYSTEM INTERFACE ${CONTRAFLOW_CLANG_INCLUDE_DIR})
target_link_libraries(contraflow_clang INTERFACE ${CONTRAFLOW_CLANG_LIBRARY} contraflow_llvm)
