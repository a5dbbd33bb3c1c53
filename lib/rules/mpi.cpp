#include "rules/mpi.hpp"

namespace contraflow::rules {
namespace {

std::vector<MpiRow> readRows() {
  using enum Role;
#define MPI_OP(ID, NAME, STEM, FAMILY, ...) {#ID, NAME, STEM, FAMILY, __VA_ARGS__},
#define ARGS(...) {__VA_ARGS__}
  return {
#include "rules/mpi_ops.def"
  };
#undef ARGS
}

}  // namespace

const std::vector<MpiRow>& mpiRows() {
  static const std::vector<MpiRow> kRows = readRows();
  return kRows;
}

const MpiRow& mpiRow(unsigned op) { return mpiRows().at(op); }

std::optional<unsigned> findMpi(const std::string& name) {
  const std::string plain = name.rfind("PMPI_", 0) == 0 ? name.substr(1) : name;
  for (unsigned op = 0; op < mpiRows().size(); ++op)
    if (mpiRows()[op].name == plain) return op;
  return std::nullopt;
}

namespace {

struct DatatypeRow {
  const char* name;
  Holds holds;
};
constexpr DatatypeRow kDatatypes[] = {
#define MPI_DATATYPE(NAME, HOLDS) {NAME, Holds::HOLDS},
#include "rules/mpi_names.def"
};

struct TypeRow {
  const char* name;
  MpiType type;
};
constexpr TypeRow kTypes[] = {
#define MPI_TYPE(NAME, KIND) {NAME, MpiType::KIND},
#include "rules/mpi_names.def"
};

}  // namespace

std::optional<Holds> findDatatype(const std::string& name) {
  for (const DatatypeRow& row : kDatatypes)
    if (row.name == name) return row.holds;
  return std::nullopt;
}

std::optional<MpiType> findMpiType(const std::string& name) {
  for (const TypeRow& row : kTypes)
    if (row.name == name) return row.type;
  return std::nullopt;
}

std::string datatypeThatHolds(Holds holds) {
  for (const DatatypeRow& row : kDatatypes)
    if (row.holds == holds) return row.name;
  return "";
}

const std::vector<std::string>& reversibleOperations() {
  static const std::vector<std::string> kOperations = {
#define MPI_OPERATION(NAME) NAME,
#include "rules/mpi_names.def"
  };
  return kOperations;
}

bool isBuffer(Role role) { return role == Role::SendBuf || role == Role::RecvBuf || role == Role::InOutBuf; }

bool isWritten(Role role) {
  switch (role) {
    case Role::RecvBuf:
    case Role::InOutBuf:
    case Role::Request:
    case Role::Requests:
    case Role::Status:
    case Role::Statuses:
    case Role::OutInt:
      return true;
    case Role::SendBuf:
    case Role::Count:
    case Role::SendCount:
    case Role::RecvCount:
    case Role::Type:
    case Role::SendType:
    case Role::RecvType:
    case Role::Op:
    case Role::Peer:
    case Role::Source:
    case Role::Dest:
    case Role::Root:
    case Role::Tag:
    case Role::SendTag:
    case Role::RecvTag:
    case Role::Comm:
      return false;
  }
  return false;
}

}  // namespace contraflow::rules
