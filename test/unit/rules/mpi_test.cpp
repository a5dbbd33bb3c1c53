// The table of MPI routines as data.
#include <catch2/catch.hpp>

#include <set>

#include "rules/mpi.hpp"

namespace contraflow::test {

TEST_CASE("MPI routines are found by name") {
  const auto op = rules::findMpi("MPI_Allreduce");
  REQUIRE(op);
  const rules::MpiRow& row = rules::mpiRow(*op);
  CHECK(row.snake == "allreduce");
  CHECK(row.family == rules::Family::Reduction);
  REQUIRE(row.roles.size() == 6);
  CHECK(row.roles[0] == rules::Role::SendBuf);
  CHECK(row.roles[5] == rules::Role::Comm);
  CHECK(rules::findMpi("PMPI_Allreduce") == op);
  CHECK_FALSE(rules::findMpi("MPI_Nonsense"));
}

TEST_CASE("MPI rows are consistent") {
  std::set<std::string> names;
  for (const rules::MpiRow& row : rules::mpiRows()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(row.snake.empty() == (row.family == rules::Family::Query));
    bool hasBuffer = false;
    for (const rules::Role role : row.roles) hasBuffer = hasBuffer || rules::isBuffer(role);
    const bool wantsBuffer = row.family != rules::Family::Query && row.family != rules::Family::Barrier &&
                             row.family != rules::Family::Completion;
    CHECK(hasBuffer == wantsBuffer);
  }
}

}  // namespace contraflow::test
