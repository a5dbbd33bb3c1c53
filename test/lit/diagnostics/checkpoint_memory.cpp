// What a checkpointed loop writes has to be known, and its steps must be able to run again.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'pointerInObject(s -> s)' --adjoint 'newValue(x -> x)' \
// RUN:     --adjoint 'throughMember(s -> s)' --adjoint 'differentSizes(x, y -> x)' \
// RUN:     --adjoint 'allocatedTwice(x -> x)' --adjoint 'resized(x -> x)' --adjoint 'pointsExchanged(p, q -> p)' \
// RUN:     --adjoint 'deepVector(d -> d)' --adjoint 'allocates(x -> x)' --adjoint 'readsInput(x -> x)' \
// RUN:     --adjoint 'asksForTime(x -> x)' --adjoint 'exchangedWithOwn(v, x -> v)' --adjoint 'recursive(x -> x)' \
// RUN:     --adjoint 'callerPointer(s -> s)' --adjoint 'referenceMember(r -> r)' --adjoint 'pointerTable(x -> x)' \
// RUN:     --adjoint 'fromCall(x -> x)' --adjoint 'addressTaken(x -> x)' \
// RUN:     --adjoint 'pointerTableOfObjects(p, q -> p)' --adjoint 'addressOfPointer(x, y -> x)' \
// RUN:     --adjoint 'behindAPointer(x -> x)' --adjoint 'oddCount(x -> x)' --adjoint 'movedAway(x -> x)' \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <ctime>
#include <utility>
#include <vector>
struct State {
  double* u;
  double* v;
};
void pointerInObject(State& s) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    s.u[0] *= s.v[0];
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it changes a pointer in an object, or the caller's [CF1402]
    // CHECK: note: exchange local pointers, or vectors
    std::swap(s.u, s.v);
  }
}
#pragma contraflow extent(x: 20)
void newValue(double* x) {
  double* p = x;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    p[0] *= x[1];
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: the pointer 'p' gets a value that no pointer variable has before the loop [CF1402]
    // CHECK: note: let the loop's pointers exchange their values only
    p = x + t;
  }
}
void throughMember(const State& s, int n) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t)
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: how much memory a pointer in an object or a global reaches isn't known [CF1402]
    // CHECK: note: use a vector, or pass the pointer as a parameter with an 'extent'
    for (int i = 0; i < n; ++i) s.u[i] *= s.u[i];
}
#pragma contraflow extent(x: n)
#pragma contraflow extent(y: 2 * n)
void differentSizes(double* x, double* y, int n) {
  double *a = x, *b = y;
  std::swap(a, b);
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    for (int i = 0; i < n; ++i) a[i] = b[i] * b[i];
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: pointers are exchanged whose memory differs in size [CF1402]
    // CHECK: note: use vectors, or give them the same extent
    std::swap(a, b);
  }
}
void allocatedTwice(double& x, int n, bool big) {
  double* w;
  if (big) w = new double[2 * n];
  else w = new double[n];
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    w[0] = x * x;
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: memory that is allocated in a block in front of it may have been freed there, or has no name here [CF1402]
    // CHECK: note: allocate it in one place, for a pointer that the loop uses
    x = w[0];
  }
  delete[] w;
}
void resized(double& x) {
  std::vector<double> v(3, x);
  double* p = v.data();
  v.resize(2);
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    p[0] *= x;
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: a pointer is used whose vector changes its memory in this function [CF1402]
    // CHECK: note: take the pointer in the loop, from the vector
    x = p[0];
  }
}
struct Point {
  double a, b;
};
void pointsExchanged(Point* p, Point* q) {
  Point *a = p, *b = q;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    a->a = b->b * b->a;
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it writes to objects behind pointers that it exchanges [CF1402]
    // CHECK: note: exchange what they hold, or use vectors
    std::swap(a, b);
  }
}
struct Deep {
  std::vector<double> v;
  double a;
};
void deepVector(std::vector<Deep>& d) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it writes to an object of type 'std::vector<Deep>', of which no snapshot can be taken [CF1402]
  // CHECK: note: use vectors of numbers, or records without vectors in them
  for (int t = 0; t < 9; ++t) d[0].v[0] *= d[1].a;
}
void allocates(double& x) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it allocates or frees memory [CF1402]
    // CHECK: note: allocate it in front of the loop, or inside a function that the loop calls and that frees it
    double* p = new double(x);
    x = *p * *p;
    delete p;
  }
}
#pragma contraflow inactive
void read(double& a);
void readsInput(double& x) {
  double a;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it reads input, which can't be read again [CF1402]
    // CHECK: note: read it in front of the loop
    read(a);
    x *= a;
  }
}
void asksForTime(double& x) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it asks for the time, which is another one when steps are run again [CF1402]
  // CHECK: note: measure the time around the loop
  for (int t = 0; t < 9; ++t) x *= x + 1e-9 * static_cast<double>(std::clock());
}
void exchangedWithOwn(std::vector<double>& v, double x) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    std::vector<double> next(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) next[i] = v[i] * x;
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: a vector is exchanged with one that is declared in the loop [CF1402]
    // CHECK: note: declare it in front of the loop
    std::swap(v, next);
  }
}
void deeper(double* u, int n) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it calls 'deeper', which is recursive [CF1402]
  // CHECK: note: leave the loop without a checkpoint: its steps are recorded then
  if (n > 0) deeper(u, n - 1);
  u[0] *= u[0];
}
void recursive(double& x) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) deeper(&x, 2);
}
void turn(State& s) {
  for (int i = 0; i < 2; ++i) s.u[0] *= 2;
  double* p = s.u;
  s.u = s.v;
  s.v = p;
}
void callerPointer(State& s) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: 'turn', which it calls, changes a pointer of its caller's [CF1402]
  // CHECK: note: change pointers in the loop itself
  for (int t = 0; t < 9; ++t) turn(s);
}
struct Refers {
  double& r;
};
void referenceMember(Refers& r) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it writes through a member that is a reference [CF1402]
  // CHECK: note: name the object itself
  for (int t = 0; t < 9; ++t) r.r *= r.r;
}
#pragma contraflow extent(x: 4)
void pointerTable(double* x) {
  double* rows[2] = {x, x + 2};
#pragma contraflow checkpoint(binomial, snapshots: 3)
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it writes through a pointer that can't be followed [CF1402]
  // CHECK: note: name the array or vector itself, or pass the pointer as a parameter with an 'extent'
  for (int t = 0; t < 9; ++t) rows[t % 2][0] *= rows[0][1];
}
double* best(double* a, double* b) {
  for (int i = 0; i < 2; ++i)
    if (a[i] > b[i]) return a;
  return b;
}
#pragma contraflow extent(x: 4)
void fromCall(double* x) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    double* p = best(x, x + 2);
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: the pointer 'p' comes from a call [CF1402]
    // CHECK: note: name the array or vector itself
    *p *= *p;
  }
}
void choose(double** p, double* a) {
  for (int i = 0; i < 2; ++i) *p = a + i;
}
#pragma contraflow extent(x: 4)
void addressTaken(double* x) {
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    double* p;
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: 'choose', which it calls, changes a pointer of its caller's [CF1402]
    // CHECK: note: change pointers in the loop itself
    choose(&p, x);
    *p *= *p;
  }
}
struct Two {
  std::vector<double> a, b;
};
void pointerTableOfObjects(Point& p, Point& q) {
  Point* rows[2] = {&p, &q};
#pragma contraflow checkpoint(binomial, snapshots: 3)
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: it writes through a pointer out of an array of pointers [CF1402]
  // CHECK: note: use a vector of vectors, or name the pointers one by one
  for (int t = 0; t < 9; ++t) rows[t % 2]->a *= rows[0]->b;
}
#pragma contraflow extent(x: 2)
#pragma contraflow extent(y: 2)
void addressOfPointer(double* x, double* y, bool c) {
  double *p = x, *r = y;
  double** q = c ? &p : &r;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    p[0] *= r[1];
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: the address of the pointer 'p' is taken [CF1402]
    // CHECK: note: pass the pointer itself
    std::swap(p, r);
  }
  **q *= 2.0;
}
void behindAPointer(double& x) {
  Two two{{x, x}, {1.0, x}};
  Two* p = &two;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    p->a[0] *= p->b[1];
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: vectors are exchanged that are reached through a pointer or global [CF1402]
    // CHECK: note: pass them by reference
    std::swap(p->a, p->b);
  }
  x = two.a[0];
}
void oddCount(double& x, int n) {
  int m = n;
  double* w = new double[m];
  m += 1;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    w[0] = x * x;
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: how much memory 'w' reaches isn't known in front of the loop [CF1402]
    // CHECK: note: use a vector
    x = w[0] * m;
  }
  delete[] w;
}
void movedAway(double& x, int n) {
  double* w = new double[n];
  double* begin = w;
  w += 1;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < 9; ++t) {
    w[0] = x * x;
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: the loop of line {{[0-9]+}} can't be checkpointed: how much memory 'w' reaches isn't known, since the function changes the pointer [CF1402]
    // CHECK: note: use another pointer variable
    x = w[0];
  }
  delete[] begin;
}
