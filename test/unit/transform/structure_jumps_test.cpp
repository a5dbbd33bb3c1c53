// structureJumps on small functions: the text of the result, and that it is well-formed.
#include <catch2/catch.hpp>

#include "ir_maker.hpp"
#include "transform/structure_jumps.hpp"

namespace contraflow::test {
namespace {

using namespace ir;

void check(IrMaker& make, Block body, const std::string& expected) {
  const FuncId f = make.end(std::move(body));
  transform::structureJumps(make.m, make.m[f]);
  for (const std::string& finding : verify(make.m, make.m[f], true)) FAIL_CHECK(finding);
  std::string text = make.text(f);
  text.erase(0, text.find('\n') + 1);  // the signature
  while (!text.empty() && text.back() == '\n') text.pop_back();
  CHECK("\n" + text == expected);
}

}  // namespace

TEST_CASE("one return at the end stays") {
  IrMaker x;
  const VarId a = x.param("a", x.real);
  check(x, {x.give(x(a))}, R"(
  return a)");
}

TEST_CASE("early returns become branches") {
  IrMaker x;
  const VarId a = x.param("a", x.real), b = x.param("b", x.real);
  check(x, {x.branch(x.less(x(a), x(b)), {x.give(x(a))}), x.increment(x(b), x(a)), x.give(x(b))}, R"(
  double result
  if (a < b)
    result = a
  else
    b += a
    result = b
  return result)");
}

TEST_CASE("continue needs no flag where it ends the iteration") {
  IrMaker x;
  const VarId n = x.param("n", x.integer), s = x.param("s", x.real), k = x.local("k", x.integer);
  check(x,
        {x.loop(k, x(n), {x.branch(x.less(x(k), x.count("3")), {x.jump(Continue{})}), x.increment(x(s), x(s))}), x.give(x(s))}, R"(
  for (int k = 0; k < n; k += 1)
    if (k >= 3)
      s += s
  return s)");
}

TEST_CASE("break ends the loop, and the test isn't evaluated again") {
  IrMaker x;
  const VarId s = x.param("s", x.real), c = x.local("c", x.real);
  const StmtId loop = x.f.addStmt(While{{x.declare(c, x(s))},
                                        x.less(x(c), x.number("9.0")),
                                        {x.branch(x.less(x(s), x(c)), {x.jump(Break{})}), x.increment(x(s), x(s))},
                                        false});
  check(x, {loop, x.give(x(s))}, R"(
  bool done = false
  while (!done)
    double c = s
    if (c < 9.0)
      if (s < c)
        done = true
      else
        s += s
    else
      done = true
  return s)");
}

TEST_CASE("a nested continue and a return out of two loops") {
  IrMaker x;
  const VarId n = x.param("n", x.integer), s = x.param("s", x.real), k = x.local("k", x.integer), l = x.local("l", x.integer);
  const StmtId inner = x.loop(l, x(n),
                              {x.branch(x.less(x(k), x(l)), {x.branch(x.less(x(k), x.count("1")), {x.jump(Continue{})}),
                                                             x.increment(x(s), x(s))}),
                               x.branch(x.less(x(s), x.number("0.0")), {x.give(x(s))}), x.increment(x(s), x.number("1.0"))});
  check(x, {x.loop(k, x(n), {inner, x.increment(x(s), x.number("2.0"))}), x.give(x(s))}, R"(
  bool returned = false
  double result = zero
  int k = 0
  while (!returned && k < n)
    int l = 0
    while (!returned && l < n)
      bool skip = false
      if (k < l)
        if (k < 1)
          skip = true
        else
          s += s
      if (!skip)
        if (s < 0.0)
          result = s
          returned = true
        else
          s += 1.0
      l += 1
    if (!returned)
      s += 2.0
    k += 1
  if (!returned)
    result = s
  return result)");
}

TEST_CASE("continue of a do-while goes to the test") {
  IrMaker x;
  const VarId s = x.param("s", x.real);
  const StmtId loop = x.f.addStmt(While{{},
                                        x.less(x(s), x.number("9.0")),
                                        {x.branch(x.less(x(s), x.number("1.0")), {x.increment(x(s), x.number("2.0")), x.jump(Continue{})}),
                                         x.branch(x.less(x(s), x.number("3.0")), {x.jump(Break{})}), x.increment(x(s), x(s))},
                                        true});
  check(x, {loop, x.give(x(s))}, R"(
  bool done = false
  do
    if (s < 1.0)
      s += 2.0
    else
      if (s < 3.0)
        done = true
      else
        s += s
  while (!done && s < 9.0)
  return s)");
}

TEST_CASE("continue in a worksharing loop keeps it a For") {
  IrMaker x;
  const VarId n = x.param("n", x.integer), s = x.param("s", x.pointer), k = x.local("k", x.integer);
  x.f.result = x.none;
  OmpFor w;
  w.loop = x.loop(k, x(n),
                  {x.branch(x.less(x(k), x.count("1")), {x.branch(x.less(x(k), x(n)), {x.jump(Continue{})}), x.assign(x.at(s, x(k)), x.number("1.0"))}),
                   x.assign(x.at(s, x(k)), x.number("2.0"))});
  OmpParallel p;
  p.body = {x.f.addStmt(w)};
  const FuncId f = x.end({x.f.addStmt(p)});
  transform::structureJumps(x.m, x.m[f]);
  CHECK(verify(x.m, x.m[f], true).empty());
  CHECK(x.text(f).find("bool skip = false") != std::string::npos);
}

}  // namespace contraflow::test
