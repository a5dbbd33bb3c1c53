#include <catch2/catch.hpp>

#include "analysis/analyses.hpp"
#include "ir_builder.hpp"

using namespace contraflow;
using namespace contraflow::test;
using analysis::Presence;

namespace {

struct Program : Builder {
  std::vector<Head> heads;
  TypeId In = pointer(constant(Double)), Out = pointer(Double);

  HeadName named(int param) {
    HeadName n;
    n.param = param;
    return n;
  }
  // The function so far is a head: parameters `from` to the return value and parameters `to`.
  std::unique_ptr<analysis::Facts> facts(std::vector<int> from, std::vector<int> to, analysis::Options options = {}) {
    Head h{};
    h.mode = HeadMode::Adjoint;
    h.function = finish();
    for (int p : from) h.independents.push_back(named(p));
    for (int p : to) h.dependents.push_back(named(p));
    HeadName result;
    result.isReturn = true;
    if (!as<VoidType>(m, f.result)) h.dependents.push_back(result);
    heads.push_back(h);
    return analysis::computeFacts(m, heads, options);
  }
  FuncId id() const { return heads[0].function; }
  StmtId ompFor(StmtId loop) {
    OmpFor w;
    w.loop = loop;
    return stmt(std::move(w));
  }
  StmtId parallel(Block body) {
    OmpParallel p;
    p.body = std::move(body);
    return stmt(std::move(p));
  }
  StmtId ret(ExprId e) { return stmt(Return{e}); }
};

}  // namespace

TEST_CASE("memory of the caller may overlap, locals don't") {
  for (const bool noalias : {false, true}) {
    Program p;
    const VarId a = p.param("a", p.Out), b = p.param("b", p.Out), x = p.local("x", p.Double);
    const ExprId a0 = p.at(p.ref(a), p.integer("0")), b0 = p.at(p.ref(b), p.integer("1")), xr = p.ref(x);
    p.body({p.declare(x, a0), p.assign(b0, xr)});
    const auto facts = p.facts({0}, {1}, {{}, noalias});
    CHECK(facts->disjoint(p.id(), a0, b0) == noalias);
    CHECK(facts->disjoint(p.id(), a0, xr));
    CHECK(facts->callerVisible(p.id(), a0));
    CHECK_FALSE(facts->callerVisible(p.id(), xr));
  }
}

TEST_CASE("active is what depends on an independent and reaches a dependent") {
  Program p;
  p.f.result = p.Double;
  const VarId k = p.param("k", p.Double), c = p.param("c", p.Double);
  const VarId t = p.local("t", p.Double), u = p.local("u", p.Double), n = p.local("n", p.Int), w = p.local("w", p.Double);
  const ExprId tr = p.ref(t), ur = p.ref(u), wr = p.ref(w);
  p.body({p.declare(t, p.mul(p.ref(k), p.ref(k))), p.declare(u, p.mul(p.ref(c), p.ref(c))),
          p.declare(n, p.cast(p.Int, p.ref(k))), p.declare(w, p.implicit(p.Double, p.ref(n))), p.assign(wr, p.ref(w)),
          p.ret(p.add(p.add(tr, ur), wr))});
  const auto facts = p.facts({0}, {});
  CHECK(facts->active(p.id(), tr));
  CHECK_FALSE(facts->active(p.id(), ur));
  CHECK_FALSE(facts->active(p.id(), wr));
  CHECK(facts->shadow(p.id(), t) == Presence::Present);
  CHECK(facts->shadow(p.id(), u) == Presence::None);
  CHECK(facts->shadow(p.id(), k) == Presence::Present);
  CHECK(facts->shadow(p.id(), c) == Presence::None);
}

TEST_CASE("only what is read by the reverse sweep is recorded") {
  Program p;
  const VarId x = p.param("x", p.Out), y = p.param("y", p.Out), i = p.local("i", p.Int);
  const ExprId x0 = p.at(p.ref(x), p.ref(i));
  const StmtId linear = p.assign(p.at(p.ref(y), p.integer("0")), p.mul(p.real("2"), p.at(p.ref(x), p.ref(i))));
  const StmtId scale = p.assign(p.at(p.ref(x), p.ref(i)), p.mul(p.real("3"), p.at(p.ref(x), p.ref(i))));
  const StmtId move = p.assign(p.ref(i), p.integer("7"));
  const StmtId square = p.assign(p.at(p.ref(x), p.ref(i)), p.mul(x0, p.at(p.ref(x), p.ref(i))));
  const StmtId again = p.assign(p.ref(i), p.integer("9"));
  const StmtId unread = p.assign(p.ref(i), p.integer("8"));
  p.body({p.declare(i, p.integer("0")), linear, scale, move, square, again, unread});
  const auto facts = p.facts({0}, {0, 1}, {{}, true});
  const FuncId f = p.id();
  CHECK_FALSE(facts->overwriteNeeded(f, linear));
  CHECK_FALSE(facts->overwriteNeeded(f, scale));
  CHECK(facts->overwriteNeeded(f, move));     // the index of the statements before
  CHECK(facts->overwriteNeeded(f, square));   // its own operand
  CHECK(facts->overwriteNeeded(f, again));
  CHECK_FALSE(facts->overwriteNeeded(f, unread));
  CHECK(facts->stable(f, square));
}

TEST_CASE("an iteration is run again if the loop leaves alone what it reads") {
  struct Case {
    bool noalias, inPlace, again;
  };
  for (const Case c : {Case{true, false, true}, Case{false, false, false}, Case{true, true, false}}) {
    Program p;
    const VarId u = p.param("u", p.Out), v = p.param("v", p.Out), n = p.param("n", p.Int);
    const VarId i = p.local("i", p.Int), t = p.local("t", p.Double);
    const StmtId loop = p.loop(i, p.ref(n),
                               {p.declare(t, p.mul(p.at(p.ref(u), p.ref(i)), p.at(p.ref(u), p.ref(i)))),
                                p.assign(p.at(p.ref(c.inPlace ? u : v), p.ref(i)), p.mul(p.ref(t), p.ref(t)))});
    const StmtId shared = p.ompFor(loop);
    p.body({p.parallel({shared})});
    const auto facts = p.facts({0}, {0, 1}, {{}, c.noalias});
    CHECK(facts->recomputeLoop(p.id(), loop) == c.again);
    CHECK(facts->recomputeLoop(p.id(), shared) == c.again);
    CHECK(facts->freeReversal(p.id(), shared) == c.again);
    CHECK(facts->finalValueNeeded(p.id(), t));
  }
}

TEST_CASE("carried variables forbid running again") {
  Program p;
  const VarId u = p.param("u", p.Out), n = p.param("n", p.Int), i = p.local("i", p.Int), s = p.local("s", p.Double);
  const StmtId carry = p.assign(p.ref(s), p.mul(p.ref(s), p.at(p.ref(u), p.ref(i))));
  const StmtId loop = p.loop(i, p.ref(n), {carry});
  p.body({p.declare(s, p.real("1")), loop, p.assign(p.at(p.ref(u), p.integer("0")), p.ref(s))});
  const auto facts = p.facts({0}, {0});
  CHECK_FALSE(facts->recomputeLoop(p.id(), loop));
  CHECK(facts->overwriteNeeded(p.id(), carry));
}

TEST_CASE("exclusive: one index, or one row, for each iteration") {
  enum class Form { Same, Neighbour, Row, NextRow, Zero };
  for (const Form form : {Form::Same, Form::Neighbour, Form::Row, Form::NextRow, Form::Zero}) {
    Program p;
    const VarId x = p.param("x", p.In), y = p.param("y", p.Out), n = p.param("n", p.Int);
    const VarId i = p.local("i", p.Int), j = p.local("j", p.Int);
    const auto row = [&](ExprId first) { return p.add(p.mul(first, p.ref(n)), p.ref(j)); };
    ExprId one = p.ref(i), two = p.ref(i);
    if (form == Form::Neighbour) two = p.add(p.ref(i), p.integer("1"));
    if (form == Form::Row || form == Form::NextRow) one = row(p.ref(i)), two = row(p.ref(i));
    if (form == Form::NextRow) two = row(p.add(p.ref(i), p.integer("1")));
    if (form == Form::Zero) two = p.integer("0");
    const ExprId a = p.at(p.ref(x), one), b = p.at(p.ref(x), two);
    const StmtId assign = p.assign(p.at(p.ref(y), form == Form::Row || form == Form::NextRow ? row(p.ref(i)) : p.ref(i)), p.mul(a, b));
    const StmtId inner = form == Form::Row || form == Form::NextRow ? p.loop(j, p.ref(n), {assign}) : assign;
    p.body({p.parallel({p.ompFor(p.loop(i, p.ref(n), {inner}))})});
    const auto facts = p.facts({0}, {1}, {{}, true});
    const bool expected = form == Form::Same || form == Form::Row;
    CHECK(facts->exclusive(p.id(), a) == expected);
    CHECK(facts->exclusive(p.id(), b) == expected);
  }
}

TEST_CASE("without an analysis its answers are the conservative ones") {
  Program p;
  p.f.result = p.Double;
  const VarId k = p.param("k", p.Double), t = p.local("t", p.Double);
  const StmtId s = p.assign(p.ref(t), p.real("2"));
  p.body({p.declare(t, p.mul(p.real("2"), p.ref(k))), s, p.ret(p.ref(t))});
  CHECK_FALSE(p.facts({0}, {})->overwriteNeeded(FuncId(0), s));
  for (const char* name : {"points-to", "tbr"}) {
    const auto facts = analysis::computeFacts(p.m, p.heads, {{name}, false});
    CHECK(facts->overwriteNeeded(p.id(), s));
  }
}

TEST_CASE("calls: what the callee needs isn't lost, nor is what it overwrites") {
  Program p;
  Builder& b = p;
  // void square(double& y, const double& x) { y = x * x; }
  const VarId y = b.param("y", b.reference(b.Double)), x = b.param("x", b.reference(b.constant(b.Double)));
  const StmtId inside = b.assign(b.ref(y), b.mul(b.ref(x), b.ref(x)));
  b.body({inside});
  const FuncId callee = b.finish();
  b.f = Function();
  b.f.name = b.f.key = "g";
  b.f.hasBody = true;
  b.f.result = b.Double;
  const VarId k = b.param("k", b.Double), s = b.local("s", b.Double), t = b.local("t", b.Double);
  const StmtId call = b.stmt(Call{callee, {b.ref(t), b.ref(s)}, {}});
  const StmtId lost = b.assign(b.ref(s), b.real("1"));
  b.body({b.declare(s, b.ref(k)), b.declare(t, Init::None), call, lost, b.stmt(Return{b.ref(t)})});
  const auto facts = p.facts({0}, {});
  CHECK(facts->active(callee));
  CHECK(facts->active(callee, p.m[callee].stmts.empty() ? ExprId() : std::get<Assign>(p.m[callee][inside].node).target));
  CHECK(facts->reversed(p.id(), call));
  CHECK(facts->overwriteNeeded(p.id(), lost));
  CHECK_FALSE(facts->overwriteNeeded(callee, inside));
  CHECK(facts->recomputeCall(p.id(), call));
}
