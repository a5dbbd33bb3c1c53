// The derivatives of the MPI routines, on any number of ranks:
//
//     mpirun -n 3 mpi_test
//
// Small programs run in every mode (modes.hpp). Of each it is checked that
//   - the adjoint fits the tangent: <s_b after, s_d after> = <s_b before, s_d before> for the whole state s, over
//     all ranks, so that what should be zeroed, kept or added to is seen;
//   - the reverse sweep leaves the state as it was before, and with an after-image as it was after;
//   - the tangent of the adjoint does the same to both shadows and to value and tangent;
//   - tape and mailbox are empty at the end.
// A rule may be wrong in both modes alike, so each routine is checked against values worked out by hand too.
#include "failures.hpp"
#include "modes.hpp"

#include <contraflow/verify_mpi.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

using namespace modes;

namespace {

int rank = 0;
int ranks = 1;
int passed = 0;
int failed = 0;
bool expected = true;

// Collective: fails if it fails on any rank.
void check(bool ok, const std::string& what) {
  int mine = ok && expected ? 1 : 0;
  expected = true;
  int all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  ++(all != 0 ? passed : failed);
  if (!ok) std::fprintf(stderr, "rank %d of %d: FAILED: %s\n", rank, ranks, what.c_str());
}

bool anywhere(bool here) {
  int mine = here ? 1 : 0;
  int any = 0;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}

// Inside a program, where not all ranks pass: seen by the next check().
void expect(bool ok, const std::string& what) {
  if (!ok) std::fprintf(stderr, "rank %d of %d: FAILED: %s\n", rank, ranks, what.c_str());
  expected = expected && ok;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a == b;
}

// --- programs: a state is a few arrays; `prepare` sets their lengths, `run` is the code ---

template <class T>
using State = std::vector<Array<T>>;

template <class T>
double number(unsigned seed, std::size_t i) {
  // Reproducible, different on each rank, no two alike.
  unsigned x = seed * 2654435761u + static_cast<unsigned>(i) * 40503u + static_cast<unsigned>(rank) * 69069u + 1u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return static_cast<double>(x % 20011u) / 10007.0 - 1.0;
}
template <class T>
void fill(State<T>& state, std::vector<T> Array<T>::* which, unsigned seed) {
  for (std::size_t a = 0; a < state.size(); ++a)
    for (std::size_t i = 0; i < (state[a].*which).size(); ++i)
      (state[a].*which)[i] = state[a].constant && which != &Array<T>::v
                                 ? T{0}
                                 : static_cast<T>(number<T>(seed + static_cast<unsigned>(a) * 101u, i));
}
template <class T>
std::vector<T> flat(const State<T>& state, std::vector<T> Array<T>::* which) {
  std::vector<T> all;
  for (const Array<T>& array : state) all.insert(all.end(), (array.*which).begin(), (array.*which).end());
  return all;
}
template <class T>
double dot(const std::vector<T>& a, const std::vector<T>& b, double& scale) {
  const contraflow::verify::Sum sum = contraflow::verify::dot(a, b);
  const contraflow::mpi::SumOverRanks reduce{MPI_COMM_WORLD};
  scale = reduce(static_cast<double>(sum.scale));
  return reduce(static_cast<double>(sum.value));
}

template <class T, class Program>
void checkProgram(const std::string& name, const State<T>& shape, Program run) {
  State<T> before = shape;
  fill(before, &Array<T>::v, 1);
  fill(before, &Array<T>::d, 2);

  // Tangent.
  State<T> tangent = before;
  TangentOps<T> tangentOps;
  run(tangentOps, tangent);
  const auto after_v = flat(tangent, &Array<T>::v);
  const auto after_d = flat(tangent, &Array<T>::d);

  // All these programs are linear in the values, or (max, min) homogeneous: along the value itself, the tangent is the
  // value. This sees tangents that go to the wrong buffer, which the dot product doesn't if the adjoints do too.
  bool constants = false;
  for (const Array<T>& array : shape) constants = constants || array.constant;
  if (!anywhere(constants)) {
    State<T> along = before;
    for (Array<T>& array : along) array.d = array.v;
    TangentOps<T> ops;
    run(ops, along);
    bool ok = true;
    for (const Array<T>& array : along)
      for (std::size_t i = 0; i < array.v.size(); ++i)
        ok = ok && std::fabs(array.d[i] - array.v[i]) <= 100 * std::numeric_limits<T>::epsilon();
    check(ok, name + ": tangent along the value");
  }

  // Adjoint, twice on one tape: the second time with an after-image.
  State<T> adjoint = before;
  AdjointOps<T, false> adjointOps;
  std::vector<T> before_b;
  std::vector<T> after_b;
  for (const bool image : {false, true}) {
    fill(adjoint, &Array<T>::b, 3);
    after_b = flat(adjoint, &Array<T>::b);
    run(adjointOps, adjoint);
    check(same(flat(adjoint, &Array<T>::v), after_v), name + ": forward value");
    if (image) adjointOps.tape.keepAfterImage();
    adjointOps.reverse();
    check(same(flat(adjoint, &Array<T>::v), flat(before, &Array<T>::v)), name + ": restored value");
    check(adjointOps.tape.bytes() == 0 || image, name + ": tape is empty");
    if (image) {
      adjointOps.tape.putAfterImage();
      check(same(flat(adjoint, &Array<T>::v), after_v), name + ": after-image");
      check(adjointOps.tape.empty(), name + ": tape is empty");
    }
    before_b = flat(adjoint, &Array<T>::b);
    double scale = 0;
    const double left = dot(after_b, after_d, scale);
    double otherScale = 0;
    const double right = dot(before_b, flat(before, &Array<T>::d), otherScale);
    const double tolerance = 100 * static_cast<double>(std::numeric_limits<T>::epsilon()) + 1e-15;
    check(std::fabs(left - right) <= tolerance * (scale + otherScale),
          name + ": dot product " + std::to_string(left) + " = " + std::to_string(right));
  }

  // Tangent of the adjoint. All these adjoints are linear in the shadows.
  State<T> second = before;
  fill(second, &Array<T>::b, 3);
  fill(second, &Array<T>::bd, 4);
  AdjointOps<T, true> secondOps;
  run(secondOps, second);
  check(same(flat(second, &Array<T>::v), after_v), name + ": second order, forward value");
  check(same(flat(second, &Array<T>::d), after_d), name + ": second order, forward tangent");
  secondOps.reverse();
  check(same(flat(second, &Array<T>::v), flat(before, &Array<T>::v)), name + ": second order, restored value");
  check(same(flat(second, &Array<T>::d), flat(before, &Array<T>::d)), name + ": second order, restored tangent");
  check(same(flat(second, &Array<T>::b), before_b), name + ": second order, adjoint");
  check(secondOps.tape.empty(), name + ": second order, tape is empty");
  State<T> again = before;
  fill(again, &Array<T>::b, 4);
  AdjointOps<T, false> againOps;
  run(againOps, again);
  againOps.reverse();
  check(same(flat(second, &Array<T>::bd), flat(again, &Array<T>::b)), name + ": second order, adjoint's tangent");
}

int next() { return (rank + 1) % ranks; }
int previous() { return (rank + ranks - 1) % ranks; }
const MPI_Comm world = MPI_COMM_WORLD;

template <class T>
State<T> arrays(std::initializer_list<std::size_t> lengths) {
  State<T> state;
  for (const std::size_t length : lengths) state.emplace_back(length);
  return state;
}

template <class T>
void pointToPoint() {
  // Along a line, so that blocking calls can't deadlock; the message is shorter than the receive allows.
  checkProgram("send, recv", arrays<T>({3, 5}), [](auto& ops, auto& s) {
    MPI_Status status;
    if (rank > 0) {
      ops.recv(at(s[1]), 5, rank - 1, 7, world, &status);
      int count = 0;
      MPI_Get_count(&status, typeOf<T>(), &count);
      expect(status.MPI_SOURCE == rank - 1 && status.MPI_TAG == 7 && count == 3, "status of a receive");
    }
    if (rank + 1 < ranks) ops.send(at(s[0]), 3, rank + 1, 7, world);
  });
  checkProgram("ssend, recv", arrays<T>({3, 3}), [](auto& ops, auto& s) {
    if (rank > 0) ops.recv(at(s[1]), 3, rank - 1, 0, world);
    if (rank + 1 < ranks) ops.ssend(at(s[0]), 3, rank + 1, 0, world);
  });
  checkProgram("a value passed on and on", arrays<T>({2}), [](auto& ops, auto& s) {
    for (int round = 0; round < 3; ++round) {
      if (rank > 0) ops.recv(at(s[0]), 2, rank - 1, 1, world);
      if (rank + 1 < ranks) ops.send(at(s[0]), 2, rank + 1, 1, world);
    }
  });
  checkProgram("ring by sendrecv", arrays<T>({4, 4}), [](auto& ops, auto& s) {
    ops.sendrecv(at(s[0]), 4, next(), 2, at(s[1]), 4, previous(), 2, world);
    ops.sendrecv(at(s[1], 1), 2, previous(), 3, at(s[0]), 2, next(), 3, world);
  });
  checkProgram("sendrecv at the ends of a line", arrays<T>({4, 4}), [](auto& ops, auto& s) {
    const int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    ops.sendrecv(at(s[0]), 4, right, 2, at(s[1]), 4, left, 2, world);
  });
  checkProgram("MPI_PROC_NULL", arrays<T>({2, 2}), [](auto& ops, auto& s) {
    MPI_Request requests[2];
    ops.send(at(s[0]), 2, MPI_PROC_NULL, 1, world);
    ops.recv(at(s[1]), 2, MPI_PROC_NULL, 1, world);
    ops.isend(at(s[0]), 2, MPI_PROC_NULL, 1, world, &requests[0]);
    ops.irecv(at(s[1]), 2, MPI_PROC_NULL, 1, world, &requests[1]);
    ops.waitall(2, requests);
  });
  checkProgram("no elements", arrays<T>({1, 1}),
               [](auto& ops, auto& s) { ops.sendrecv(at(s[0]), 0, next(), 2, at(s[1]), 0, previous(), 2, world); });
  checkProgram("any source and tag", arrays<T>({2, 2 * static_cast<std::size_t>(ranks)}), [](auto& ops, auto& s) {
    for (int i = 1; i < ranks; ++i) {
      if (rank == 0)
        ops.recv(at(s[1], 2 * static_cast<std::size_t>(i)), 2, i % 2 == 0 ? MPI_ANY_SOURCE : i,
                 i % 3 == 0 ? 40 : MPI_ANY_TAG, world);
      else if (rank == i)
        ops.send(at(s[0]), 2, 0, 40, world);
      ops.barrier(world);  // so that all modes get the messages in the same order
    }
  });
  {
    // Rank 1 receives and doesn't use it; rank 0 sends a constant to it as well.
    State<T> state = arrays<T>({2, 2, 2});
    state[0].constant = rank == 1;
    state[2].constant = rank == 0;
    checkProgram("constant buffers", state, [](auto& ops, auto& s) {
      if (ranks > 1 && rank == 0) {
        ops.send(at(s[0]), 2, 1, 5, world);
        ops.send(at(s[2]), 2, 1, 6, world);
      } else if (rank == 1) {
        ops.recv(at(s[0]), 2, 0, 5, world);
        ops.recv(at(s[2]), 2, 0, 6, world);
      }
    });
  }
}

template <class T>
void nonblocking() {
  const auto neighbours = [](auto& ops, auto& s) {
    MPI_Request requests[4];
    ops.irecv(at(s[1]), 3, previous(), 1, world, &requests[0]);
    ops.irecv(at(s[2]), 3, next(), 2, world, &requests[1]);
    ops.isend(at(s[0]), 3, next(), 1, world, &requests[2]);
    ops.isend(at(s[0], 1), 3, previous(), 2, world, &requests[3]);
    ops.waitall(4, requests);
  };
  checkProgram("halo by waitall", arrays<T>({4, 3, 3}), neighbours);
  checkProgram("halo by waits out of order", arrays<T>({4, 3, 3}), [](auto& ops, auto& s) {
    MPI_Request requests[4];
    ops.irecv(at(s[1]), 3, previous(), 1, world, &requests[0]);
    ops.isend(at(s[0]), 3, next(), 1, world, &requests[2]);
    ops.irecv(at(s[2]), 3, next(), 2, world, &requests[1]);
    ops.isend(at(s[0], 1), 3, previous(), 2, world, &requests[3]);
    for (const int i : {3, 1, 2, 0}) ops.wait(&requests[i]);
    ops.wait(&requests[0]);  // null by now
  });
  checkProgram("equal tags, waits in reverse", arrays<T>({6, 6}), [](auto& ops, auto& s) {
    MPI_Request in[3];
    MPI_Request out[3];
    for (std::size_t i = 0; i < 3; ++i) ops.irecv(at(s[1], 2 * i), 2, previous(), 9, world, &in[i]);
    for (std::size_t i = 0; i < 3; ++i) ops.isend(at(s[0], 2 * i), 2, next(), 9, world, &out[i]);
    for (std::size_t i = 3; i-- > 0;) ops.wait(&in[i]);
    for (std::size_t i = 3; i-- > 0;) ops.wait(&out[i]);
  });
  checkProgram("equal tags, one wildcard among them", arrays<T>({6, 6}), [](auto& ops, auto& s) {
    // The first message must go to the first receive that fits it, also where that is the wildcard.
    MPI_Request in[3];
    MPI_Request out[3];
    ops.irecv(at(s[1], 0), 2, MPI_ANY_SOURCE, 9, world, &in[0]);
    ops.irecv(at(s[1], 2), 2, previous(), 9, world, &in[1]);
    ops.irecv(at(s[1], 4), 2, MPI_ANY_SOURCE, 9, world, &in[2]);
    for (std::size_t i = 0; i < 3; ++i) ops.isend(at(s[0], 2 * i), 2, next(), 9, world, &out[i]);
    MPI_Status status;
    ops.wait(&in[1], &status);
    expect(status.MPI_SOURCE == previous(), "status of a wait");
    ops.wait(&in[2]);
    ops.wait(&in[0]);
    ops.waitall(3, out);
  });
  checkProgram("wildcards in a waitall", arrays<T>({2, 4 * static_cast<std::size_t>(ranks)}), [](auto& ops, auto& s) {
    const auto number = static_cast<std::size_t>(ranks);
    if (rank == 0) {
      std::vector<MPI_Request> in(2 * (number - 1));
      for (std::size_t i = 0; i < in.size(); ++i) ops.irecv(at(s[1], 2 * i), 2, MPI_ANY_SOURCE, 11, world, &in[i]);
      ops.barrier(world);
      // The order of arrival must be the same in all modes for this test: one sender after the other.
      for (int i = 1; i < ranks; ++i) ops.barrier(world);
      ops.waitall(static_cast<int>(in.size()), in.data());
    } else {
      ops.barrier(world);
      for (int i = 1; i < ranks; ++i) {
        if (i == rank) {
          ops.ssend(at(s[0]), 2, 0, 11, world);
          ops.ssend(at(s[0]), 1, 0, 11, world);
        }
        ops.barrier(world);
      }
    }
  });
  checkProgram("posted here, waited for there, blocking calls between", arrays<T>({3, 3, 3, 3}),
               [](auto& ops, auto& s) {
                 MPI_Request in;
                 MPI_Request out;
                 ops.irecv(at(s[1]), 3, previous(), 4, world, &in);
                 ops.isend(at(s[0]), 3, next(), 5, world, &out);
                 ops.sendrecv(at(s[2]), 3, next(), 4, at(s[3]), 3, previous(), 5, world);
                 ops.wait(&in);
                 ops.wait(&out);
               });
  checkProgram("isolated communicator with any tag", arrays<T>({2, 2}), [](auto& ops, auto& s) {
    static MPI_Comm isolated = [] {
      MPI_Comm comm;
      MPI_Comm_dup(world, &comm);
      contraflow::mpi::isolate(comm);
      return comm;
    }();
    MPI_Request in;
    MPI_Request out;
    ops.irecv(at(s[1]), 2, MPI_ANY_SOURCE, MPI_ANY_TAG, isolated, &in);
    ops.isend(at(s[0]), 2, next(), 17, isolated, &out);
    ops.wait(&in);
    ops.wait(&out);
  });
}

template <class T>
void collectives() {
  const int last = ranks - 1;
  const auto p = static_cast<std::size_t>(ranks);
  for (const int root : {0, last}) {
    checkProgram("bcast", arrays<T>({3}), [=](auto& ops, auto& s) { ops.bcast(at(s[0]), 3, root, world); });
    for (const MPI_Op op : {MPI_SUM, MPI_MAX, MPI_MIN}) {
      checkProgram("reduce", arrays<T>({4, 4}),
                   [=](auto& ops, auto& s) { ops.reduce(at(s[0]), at(s[1]), 4, op, root, world); });
      checkProgram("reduce in place", arrays<T>({4}), [=](auto& ops, auto& s) {
        ops.reduce(rank == root ? Buffer<T>{} : at(s[0]), at(s[0]), 4, op, root, world);
      });
    }
    checkProgram("gather", arrays<T>({2, 2 * p}),
                 [=](auto& ops, auto& s) { ops.gather(at(s[0]), 2, at(s[1]), 2, root, world); });
    checkProgram("gather in place", arrays<T>({2, 2 * p}), [=](auto& ops, auto& s) {
      ops.gather(rank == root ? Buffer<T>{} : at(s[0]), 2, at(s[1]), 2, root, world);
    });
    checkProgram("scatter", arrays<T>({2 * p, 2}),
                 [=](auto& ops, auto& s) { ops.scatter(at(s[0]), 2, at(s[1]), 2, root, world); });
    checkProgram("scatter in place", arrays<T>({2 * p, 2}), [=](auto& ops, auto& s) {
      ops.scatter(at(s[0]), 2, rank == root ? Buffer<T>{} : at(s[1]), 2, root, world);
    });
  }
  for (const MPI_Op op : {MPI_SUM, MPI_MAX, MPI_MIN}) {
    checkProgram("allreduce", arrays<T>({4, 4}),
                 [=](auto& ops, auto& s) { ops.allreduce(at(s[0]), at(s[1]), 4, op, world); });
    checkProgram("allreduce in place", arrays<T>({4}),
                 [=](auto& ops, auto& s) { ops.allreduce(Buffer<T>{}, at(s[0]), 4, op, world); });
  }
  checkProgram("allgather", arrays<T>({2, 2 * p}),
               [](auto& ops, auto& s) { ops.allgather(at(s[0]), 2, at(s[1]), 2, world); });
  checkProgram("allgather in place", arrays<T>({2, 2 * p}),
               [](auto& ops, auto& s) { ops.allgather(Buffer<T>{}, 2, at(s[1]), 2, world); });
  checkProgram("barrier", arrays<T>({1}), [](auto& ops, auto&) { ops.barrier(world); });
  checkProgram("collectives of no elements", arrays<T>({1, 1}), [](auto& ops, auto& s) {
    ops.bcast(at(s[0]), 0, 0, world);
    ops.allreduce(at(s[0]), at(s[1]), 0, MPI_MAX, world);
    ops.gather(at(s[0]), 0, at(s[1]), 0, 0, world);
  });
  for (const int constantRank : {0, last}) {
    State<T> sends = arrays<T>({2, 2 * p});
    sends[0].constant = rank == constantRank;
    State<T> gets = arrays<T>({2, 2 * p});
    gets[1].constant = rank == constantRank;
    for (const State<T>& state : {sends, gets}) {
      checkProgram("bcast, one rank constant", state, [](auto& ops, auto& s) {
        ops.bcast(at(s[0]), 2, 0, world);
        ops.bcast(at(s[1]), 2, 0, world);
      });
      checkProgram("reductions, one rank constant", state, [](auto& ops, auto& s) {
        ops.reduce(at(s[0]), at(s[1]), 2, MPI_SUM, 0, world);
        ops.allreduce(at(s[0]), at(s[1]), 2, MPI_MAX, world);
        ops.allreduce(at(s[0]), at(s[1]), 2, MPI_SUM, world);
      });
      checkProgram("gather and scatter, one rank constant", state, [](auto& ops, auto& s) {
        ops.gather(at(s[0]), 2, at(s[1]), 2, 0, world);
        ops.scatter(at(s[1]), 2, at(s[0]), 2, 0, world);
        ops.allgather(at(s[0]), 2, at(s[1]), 2, world);
      });
    }
  }
}

// --- values worked out by hand ---

void byHand() {
  const double r = rank;
  const double p = ranks;
  TangentOps<double> tangent;
  {
    Array<double> x(1);
    Array<double> y(1);
    x.v = {r};
    x.d = {10 * r + 1};
    x.b = {100};
    y.b = {7 + r};
    tangent.sendrecv(at(x), 1, next(), 1, at(y), 1, previous(), 1, world);
    check(y.v[0] == previous() && y.d[0] == 10 * previous() + 1, "by hand: sendrecv, tangent");
    AdjointOps<double, false> adjoint;
    adjoint.sendrecv(at(x), 1, next(), 1, at(y), 1, previous(), 1, world);
    adjoint.reverse();
    check(x.b[0] == 100 + 7 + next() && y.b[0] == 0, "by hand: sendrecv, adjoint");
  }
  {
    Array<double> x(1);
    x.v = {r};
    x.d = {r + 5};
    x.b = {r + 1};
    AdjointOps<double, true> ops;
    ops.bcast(at(x), 1, 0, world);
    check(x.v[0] == 0 && x.d[0] == 5, "by hand: bcast, tangent");
    ops.reverse();
    check(x.b[0] == (rank == 0 ? p * (p + 1) / 2 : 0) && x.d[0] == r + 5, "by hand: bcast, adjoint");
  }
  {
    Array<double> x(1);
    Array<double> y(1);
    x.v = {r};
    x.d = {2 * r};
    x.b = {3};
    y.v = {-1};
    y.b = {r + 1};
    AdjointOps<double, true> ops;
    ops.allreduce(at(x), at(y), 1, MPI_SUM, world);
    check(y.v[0] == p * (p - 1) / 2 && y.d[0] == p * (p - 1), "by hand: allreduce, tangent");
    ops.reverse();
    check(x.b[0] == 3 + p * (p + 1) / 2 && y.b[0] == 0 && y.v[0] == -1, "by hand: allreduce, adjoint");
  }
  {
    // A tie in the first element (the lowest rank owns it), the last rank has the second.
    Array<double> x(2);
    Array<double> y(2);
    x.v = {4, r};
    x.d = {r + 1, r + 1};
    y.b = {1, 1};
    AdjointOps<double, true> ops;
    ops.allreduce(at(x), at(y), 2, MPI_MAX, world);
    check(y.v[0] == 4 && y.d[0] == 1 && y.v[1] == p - 1 && y.d[1] == p, "by hand: max with a tie, tangent");
    ops.reverse();
    check(x.b[0] == (rank == 0 ? p : 0) && x.b[1] == (rank == ranks - 1 ? p : 0), "by hand: max with a tie, adjoint");
  }
  {
    Array<double> x(1);
    Array<double> y(static_cast<std::size_t>(ranks));
    x.v = {r};
    x.d = {r * r};
    for (int i = 0; i < ranks; ++i) y.b[static_cast<std::size_t>(i)] = i + 1;
    AdjointOps<double, true> ops;
    ops.gather(at(x), 1, at(y), 1, 0, world);
    bool ok = true;
    for (int i = 0; i < ranks && rank == 0; ++i)
      ok = ok && y.v[static_cast<std::size_t>(i)] == i && y.d[static_cast<std::size_t>(i)] == i * i;
    check(ok, "by hand: gather, tangent");
    ops.reverse();
    check(x.b[0] == r + 1 && y.b[0] == (rank == 0 ? 0 : 1), "by hand: gather, adjoint");
  }
  {
    Array<double> x(static_cast<std::size_t>(ranks));
    Array<double> y(1);
    for (int i = 0; i < ranks; ++i) x.d[static_cast<std::size_t>(i)] = i + 1;
    y.b = {r + 2};
    AdjointOps<double, true> ops;
    ops.scatter(at(x), 1, at(y), 1, 0, world);
    check(y.d[0] == r + 1, "by hand: scatter, tangent");
    ops.reverse();
    bool ok = y.b[0] == 0;
    for (int i = 0; i < ranks; ++i) ok = ok && x.b[static_cast<std::size_t>(i)] == (rank == 0 ? i + 2 : 0);
    check(ok, "by hand: scatter, adjoint");
  }
  {
    Array<double> x(1);
    Array<double> y(static_cast<std::size_t>(ranks));
    x.d = {r + 1};
    for (int i = 0; i < ranks; ++i) y.b[static_cast<std::size_t>(i)] = r + i;
    AdjointOps<double, true> ops;
    ops.allgather(at(x), 1, at(y), 1, world);
    check(y.d[static_cast<std::size_t>(ranks - 1)] == p, "by hand: allgather, tangent");
    ops.reverse();
    check(x.b[0] == p * (p - 1) / 2 + p * r && y.b[0] == 0, "by hand: allgather, adjoint");
  }
}

// A receive that the reverse sweep needn't restore.
void nothingRecorded() {
  std::vector<double> x{1.0 + rank, 2};
  std::vector<double> x_b(2);
  std::vector<double> y{-1, -1};
  std::vector<double> y_b{3, 4};
  contraflow::Tape tape;
  contraflow::mpi::sendrecv_fwd(x.data(), x_b.data(), 2, MPI_DOUBLE, next(), 0, y.data(), y_b.data(), 2, MPI_DOUBLE,
                                previous(), 0, world, MPI_STATUS_IGNORE, tape, contraflow::mpi::Record::Nothing);
  contraflow::mpi::sendrecv_rev(tape);
  contraflow::mpi::finish();
  check(y[0] == 1.0 + previous() && x_b[0] == 3 && y_b[1] == 0 && tape.empty(), "nothing recorded");
}

// Counters belong to the communicator: a freed one's successor starts afresh on all ranks.
void freedCommunicators() {
  for (int round = 0; round < 3; ++round) {
    MPI_Comm comm;
    MPI_Comm_split(world, 0, -rank, &comm);
    int me = 0;
    MPI_Comm_rank(comm, &me);
    Array<double> x(1);
    Array<double> y(1);
    y.b = {static_cast<double>(me)};
    AdjointOps<double, false> ops;
    for (int i = 0; i <= round; ++i)
      ops.sendrecv(at(x), 1, (me + 1) % ranks, 3, at(y), 1, (me + ranks - 1) % ranks, 3, comm);
    ops.reverse();
    check(x.b[0] == (me + 1) % ranks, "freed communicators");
    MPI_Comm_free(&comm);
  }
}

// A tape dropped with requests' posts on it, as after an exception: nothing is left registered.
void droppedTape() {
  double x = 1;
  double y = 0;
  double b = 0;
  MPI_Request request;
  {
    contraflow::Tape tape;
    contraflow::mpi::irecv_fwd(&y, &b, 1, MPI_DOUBLE, previous(), 21, world, &request, tape);
    MPI_Send(&x, 1, MPI_DOUBLE, next(), 21, world);
    contraflow::mpi::detail::countSend(world, next(), 21, "a test");
  }
  check(contraflow::mpi::detail::Process::instance().posts.empty(), "dropped tape");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  if (argc == 3 && std::string(argv[1]) == "fail") {
    const int code = failures::fail(argv[2]);
    MPI_Finalize();
    return code;
  }
  byHand();
  pointToPoint<double>();
  nonblocking<double>();
  collectives<double>();
  pointToPoint<float>();
  nonblocking<float>();
  collectives<float>();
  pointToPoint<long double>();
  nonblocking<long double>();
  collectives<long double>();
  nothingRecorded();
  freedCommunicators();
  droppedTape();
  if (rank == 0) std::printf("%d passed, %d failed\n", passed, failed);
  MPI_Finalize();
  return failed == 0 ? 0 : 1;
}
