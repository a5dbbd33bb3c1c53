#include <catch2/catch.hpp>

#include "ir/printer.hpp"
#include "ir/walk.hpp"
#include "ir_builder.hpp"

using namespace contraflow::test;

TEST_CASE("rewriteExpr keeps what doesn't change and rebuilds what does") {
  Builder b;
  const VarId x = b.local("x", b.Double), y = b.local("y", b.Double), z = b.local("z", b.Double);
  const ExprId left = b.mul(b.ref(x), b.real("2.0"));
  const ExprId sum = b.add(left, b.mul(b.ref(y), b.ref(y)));
  const std::size_t before = b.f.exprs.size();

  CHECK(rewriteExpr(b.f, sum, [](ExprId id) { return id; }) == sum);
  CHECK(b.f.exprs.size() == before);

  const ExprId now = rewriteExpr(b.f, sum, [&](ExprId id) {
    const auto* var = std::get_if<VarRef>(&b.f[id].node);
    return var && var->var == y ? b.ref(z) : ExprId();
  });
  CHECK(print(b.m, b.f, now) == "x * 2.0 + z * z");
  CHECK(print(b.m, b.f, sum) == "x * 2.0 + y * y");
  CHECK(std::get<Binary>(b.f[now].node).lhs == left);
}

TEST_CASE("walkStmts sees the loop of an OmpFor, and skips where it is told to") {
  Builder b;
  const VarId i = b.local("i", b.Int);
  OmpFor loop;
  loop.loop = b.loop(i, b.integer("3"), {b.stmt(Comment{"in"})});
  b.body({b.stmt(loop), b.stmt(Comment{"behind"})});
  std::string seen;
  walkStmts(b.f, b.f.body, [&](StmtId s) { seen += std::string(nodeName(b.f[s].node)) + " "; });
  CHECK(seen == "OmpFor For Comment Comment ");
  seen.clear();
  walkStmts(b.f, b.f.body, [&](StmtId s) {
    seen += std::string(nodeName(b.f[s].node)) + " ";
    return !std::holds_alternative<For>(b.f[s].node);
  });
  CHECK(seen == "OmpFor For Comment ");
}

TEST_CASE("nodes stay where they are when others are added") {
  Builder b;
  const VarId x = b.local("x", b.Double);
  const StmtId s = b.stmt(Comment{"here"});
  const Var& var = b.f[x];
  const Stmt& stmt = b.f[s];
  const Expr& expr = b.f[b.ref(x)];
  const Type& type = b.m[b.Double];
  for (unsigned k = 0; k < 1000; ++k) {
    b.local("other", b.m.type(ArrayType{b.Double, k}));
    b.stmt(Comment{"other"});
    b.ref(x);
  }
  CHECK(&var == &b.f[x]);
  CHECK(&stmt == &b.f[s]);
  CHECK(std::get<VarRef>(expr.node).var == x);
  CHECK(&type == &b.m[b.Double]);
}
