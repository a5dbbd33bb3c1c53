# What `cmake --install` copies: the tool, the CMake package (find_package(Contraflow)) and the pkg-config files. The
# libraries of generated code are installed by runtime/ and mpi-adjoint/, as members of ContraflowTargets.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Contraflow)

install(TARGETS contraflow EXPORT ContraflowTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT ContraflowTargets NAMESPACE Contraflow:: DESTINATION ${package_dir})

configure_package_config_file(cmake/ContraflowConfig.cmake.in ${PROJECT_BINARY_DIR}/package/ContraflowConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/ContraflowConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/ContraflowConfig.cmake
              ${PROJECT_BINARY_DIR}/package/ContraflowConfigVersion.cmake
              cmake/ContraflowDifferentiate.cmake
              cmake/ContraflowGradientTest.cmake
              cmake/ContraflowResponseFile.cmake
        DESTINATION ${package_dir})

# contraflow.pc: what --cflags and --libs print; contraflow-mpi.pc: with --mpi. The prefix is found from the
# file's own place, so that an installed tree can be moved.
file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
foreach(package contraflow contraflow-mpi)
  configure_file(cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/package/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/contraflow)
