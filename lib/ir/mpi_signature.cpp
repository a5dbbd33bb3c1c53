#include "ir/mpi_signature.hpp"

namespace contraflow::ir {
namespace {

struct Row {
  const char *name, *stem, *roles;
};
constexpr Row kRows[] = {
#define ARGS(...) #__VA_ARGS__
#define MPI_OP(ID, NAME, STEM, FAMILY, ROLES) {NAME, STEM, ROLES},
#include "rules/mpi_ops.def"
#undef ARGS
};

// "SendBuf, Count" to its words; C++ may have qualified them.
std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : list + ",") {
    if (c == ',') {
      if (!word.empty()) out.push_back(word);
      word.clear();
    } else if (c == ':') {
      word.clear();
    } else if (c != ' ') {
      word += c;
    }
  }
  return out;
}

std::vector<MpiSignature> readTable() {
  std::vector<MpiSignature> table;
  for (const Row& row : kRows) table.push_back({row.name, row.stem, words(row.roles)});
  return table;
}

}  // namespace

bool MpiSignature::isBuffer(std::size_t arg) const {
  const std::string& role = roles[arg];
  return role.size() >= 3 && role.compare(role.size() - 3, 3, "Buf") == 0;
}

unsigned MpiSignature::buffers() const {
  unsigned count = 0;
  for (std::size_t i = 0; i < roles.size(); ++i) count += isBuffer(i);
  return count;
}

const MpiSignature* mpiSignature(unsigned op) {
  static const std::vector<MpiSignature> kTable = readTable();
  return op < kTable.size() ? &kTable[op] : nullptr;
}

}  // namespace contraflow::ir
