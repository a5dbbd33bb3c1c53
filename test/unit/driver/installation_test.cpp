#include "driver/installation.hpp"

#include <filesystem>

#include <catch2/catch.hpp>
#include "driver/config.hpp"

using contraflow::driver::findInstallation;
using contraflow::driver::Installation;

TEST_CASE("Clang's own headers are where the installation says", "[installation]") {
  CHECK(std::filesystem::exists(findInstallation("contraflow").resourceDir + "/include/stddef.h"));
}

TEST_CASE("outside of the build tree's bin folder, the prefix is the folder above the program's", "[installation]") {
  // The program that runs is this test, which isn't there.
  const Installation installation = findInstallation("contraflow");
  REQUIRE(installation.includeDirs.size() == 1);
  CHECK(installation.extraFlags.empty());
  CHECK(installation.libDir.find(CONTRAFLOW_INSTALL_LIB_DIR) != std::string::npos);
}

TEST_CASE("flags are quoted for a shell", "[installation]") {
  Installation installation;
  installation.includeDirs = {"/opt/con traflow/include"};
  installation.extraFlags = {"-fsanitize=address"};
  CHECK(installation.cflags() == "-I/opt/con\\ traflow/include -fsanitize=address");
}
