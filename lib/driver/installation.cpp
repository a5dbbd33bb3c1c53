#include "driver/installation.hpp"

#include "driver/config.hpp"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace contraflow::driver {
namespace {

std::string join(llvm::StringRef prefix, llvm::StringRef folder) {
  llvm::SmallString<256> path = prefix;
  llvm::sys::path::append(path, folder);
  return std::string(path);
}

// A path as a shell and a Makefile recipe read it.
std::string quoted(const std::string& path) {
  std::string result;
  for (char c : path) {
    if (llvm::StringRef(" \t\"'\\$`()&;<>|*?[]#~").contains(c)) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

Installation findInstallation(const char* argv0) {
  void* ownCode = reinterpret_cast<void*>(&findInstallation);
  llvm::SmallString<256> program;
  if (llvm::sys::fs::real_path(llvm::sys::fs::getMainExecutable(argv0, ownCode), program)) program = argv0;
  const llvm::StringRef binDir = llvm::sys::path::parent_path(program);

  Installation result;
  result.resourceDir = CONTRAFLOW_RESOURCE_DIR;
  if (llvm::sys::fs::equivalent(binDir, CONTRAFLOW_BUILD_BIN_DIR)) {
    result.includeDirs = {CONTRAFLOW_BUILD_RUNTIME_INCLUDE_DIR, CONTRAFLOW_BUILD_MPI_INCLUDE_DIR};
    result.libDir = CONTRAFLOW_BUILD_LIB_DIR;
    llvm::SmallVector<llvm::StringRef> flags;
    llvm::StringRef(CONTRAFLOW_BUILD_TREE_FLAGS).split(flags, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef flag : flags) result.extraFlags.push_back(flag.str());
  } else {
    const llvm::StringRef prefix = llvm::sys::path::parent_path(binDir);
    result.includeDirs = {join(prefix, CONTRAFLOW_INSTALL_INCLUDE_DIR)};
    result.libDir = join(prefix, CONTRAFLOW_INSTALL_LIB_DIR);
  }
  return result;
}

std::string Installation::cflags() const {
  std::vector<std::string> flags;
  for (const std::string& dir : includeDirs) flags.push_back("-I" + quoted(dir));
  flags.insert(flags.end(), extraFlags.begin(), extraFlags.end());
  return llvm::join(flags, " ");
}

std::string Installation::libs(bool mpi) const {
  std::vector<std::string> flags = extraFlags;
  std::vector<std::string> libraries;
  if (mpi && *CONTRAFLOW_MPI_LIBS) libraries.push_back(CONTRAFLOW_MPI_LIBS);
  if (*CONTRAFLOW_RUNTIME_LIBS) libraries.push_back(CONTRAFLOW_RUNTIME_LIBS);
  if (!libraries.empty()) flags.push_back("-L" + quoted(libDir));
  flags.insert(flags.end(), libraries.begin(), libraries.end());
  return llvm::join(flags, " ");
}

std::string versionLine() { return "contraflow " CONTRAFLOW_VERSION " (Clang " CONTRAFLOW_CLANG_VERSION ")"; }

}  // namespace contraflow::driver
