// --audit: calls of contraflow/audit.hpp in an adjoint, which check at run time what was assumed or proved.
//
// In the forward sweep each statement names the memory without shadow that it uses, and through which of the head's parameters it reaches
// memory; in the reverse sweep shadows are named with what they belong to. In reversed parallel regions each access of a shadow that
// isn't the thread's own is named, as what the region finally makes of it: exclusive, atomic, read.
#include <algorithm>
#include <set>

#include "analysis/disjoint_pointers.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Presence;

namespace {

// The expression and all below it, before anything is added to the arena.
std::vector<ExprId> partsOfExpr(const Function& f, ExprId e) {
  std::vector<ExprId> out;
  walkExpr(f, e, [&](ExprId x) { out.push_back(x); });
  return out;
}

// Of these, what is read: not the place whose address is taken.
std::vector<ExprId> readParts(const Function& f, ExprId e) {
  std::vector<ExprId> out = partsOfExpr(f, e);
  std::set<ExprId> named;
  for (ExprId x : out)
    if (const auto* a = std::get_if<AddressOf>(&f[x].node)) named.insert(a->place);
  out.erase(std::remove_if(out.begin(), out.end(), [&](ExprId x) { return named.count(x) != 0; }), out.end());
  return out;
}

}  // namespace

// "heat.cpp:12"
ExprId AdjointBuilder::auditedLine(SourceLoc at) {
  std::string file = at.valid() ? m_.files[at.file].path : "?";
  file = file.substr(file.find_last_of('/') + 1);
  return literal("\"" + file + ":" + std::to_string(at.line) + "\"", m_.type(OpaqueType{"const char*"}));
}

StmtId AdjointBuilder::auditCall(const std::string& name, std::vector<ExprId> args, SourceLoc at) {
  args.push_back(auditedLine(at));
  Runtime call{{"contraflow::audit::" + name + "("}, std::move(args)};
  for (std::size_t k = 1; k < call.args.size(); ++k) call.pieces.push_back(", ");
  call.pieces.push_back(");");
  return add(std::move(call));
}

void AdjointBuilder::auditPair(ExprId place, ExprId shadow, Block& out) {
  if (!options_.audit || !visible(place) || !isReal(m_, f_[place].type)) return;
  out.push_back(auditCall("pair", {place, shadow}, at_));
}

// What the statement says of the memory that it reads and writes, in front of it in the forward sweep.
Block AdjointBuilder::auditsOf(const Stmt& stmt) {
  Block out;
  if (!options_.audit) return out;
  const auto place = [&](ExprId e, bool write) {
    if (!isReal(m_, f_[e].type) || !isPlace(f_[e]) || !visible(e)) return;
    if (facts_.shadowOf(variant_.primal, e) == Presence::None) out.push_back(auditCall("constant", {e}, stmt.loc));
    const VarId base = analysis::basePointer(m_, f_, e);
    const auto& params = m_[variant_.primal].params;
    const auto at = std::find(params.begin(), params.end(), base);
    if (variant_.form != Form::Head || !base.valid() || at == params.end()) return;
    const auto flag = [&](bool yes) { return literal(yes ? "true" : "false", bool_); };
    out.push_back(auditCall("through", {intLiteral(at - params.begin()), flag(options_.noAlias || f_[base].isRestrict), flag(write), e}, stmt.loc));
  };
  const auto reads = [&](ExprId value) {
    for (ExprId e : readParts(f_, value)) place(e, false);
  };
  if (const auto* a = std::get_if<Assign>(&stmt.node)) {
    reads(a->value);
    place(a->target, true);
  } else if (const auto* i = std::get_if<Increment>(&stmt.node)) {
    reads(i->value);
    place(i->target, true);
  } else if (const auto* d = std::get_if<Declare>(&stmt.node); d && d->init == Init::Value) {
    for (ExprId arg : d->args) reads(arg);
  }
  return out;
}

// --- a reversed parallel region

// True if the place is the thread's own, or may be: its variable, or the pointer that leads there, is declared in the region.
bool AdjointBuilder::isRegions(ExprId place, const std::set<VarId>& own) const {
  const VarId root = rootVar(f_, place);
  return root.valid() && own.count(root) != 0;
}

Block AdjointBuilder::audited(const Block& block, const std::set<VarId>& own) {
  Block out;
  const auto note = [&](const char* what, ExprId place, SourceLoc at) {
    if (!isReal(m_, f_[place].type) || isRegions(place, own)) return;
    out.push_back(auditCall(what, {place}, at));
  };
  for (StmtId s : block) {
    Stmt stmt = f_[s];
    // A shadow is real memory whose variable isn't the primal's.
    const auto readsShadows = [&](ExprId value) {
      for (ExprId e : readParts(f_, value)) {
        const VarId root = isPlace(f_[e]) ? rootVar(f_, e) : VarId();
        if (root.valid() && root.index() >= m_[variant_.primal].vars.size()) note("read", e, stmt.loc);
      }
    };
    if (const auto* i = std::get_if<Increment>(&stmt.node)) {
      readsShadows(i->value);
      note("own", i->target, stmt.loc);
    } else if (const auto* i = std::get_if<SharedIncrement>(&stmt.node)) {
      readsShadows(i->value);
      note("shared", i->target, stmt.loc);
    } else if (const auto* z = std::get_if<SetZero>(&stmt.node)) {
      note("own", z->place, stmt.loc);
    } else if (const auto* d = std::get_if<Declare>(&stmt.node); d && d->init == Init::Value) {
      for (ExprId arg : d->args) readsShadows(arg);
    }
    const auto* choice = std::get_if<If>(&stmt.node);
    const auto* condition = choice ? std::get_if<VarRef>(&f_[choice->condition].node) : nullptr;
    if (condition && condition->var == alone_) {  // a team of one: nobody else is there
      out.push_back(f_.addStmt(If{choice->condition, choice->then, audited(choice->otherwise, own)}, stmt.loc, stmt.origin));
      continue;
    }
    auto* loop = std::get_if<OmpFor>(&stmt.node);
    bool compound = loop != nullptr;
    if (loop) loop->loop = auditedNest(loop->loop, loop->collapse, own);
    forEachBlockOfStmt(stmt, [&](Block& inner) {
      compound = true;
      inner = audited(inner, own);
    });
    const auto* call = std::get_if<Runtime>(&stmt.node);
    const bool barrier = loop || std::holds_alternative<OmpBarrier>(stmt.node) || (call && call->pieces.front() == "contraflow::omp::barrier(");
    out.push_back(compound ? f_.addStmt(std::move(stmt.node), stmt.loc, stmt.origin) : s);
    if (barrier) out.push_back(add(Runtime{{"contraflow::audit::phase();"}, {}}));
  }
  return out;
}

// A worksharing loop of a reverse sweep: any thread may run any of its iterations.
StmtId AdjointBuilder::auditedNest(StmtId loop, unsigned collapse, const std::set<VarId>& own) {
  For l = std::get<For>(f_[loop].node);
  if (collapse > 1) {
    l.body = {auditedNest(l.body.front(), collapse - 1, own)};
  } else {
    l.body = audited(l.body, own);
    l.body.insert(l.body.begin(), add(Runtime{{"contraflow::audit::iteration();"}, {}}));
  }
  return add(std::move(l));
}

Block AdjointBuilder::auditedRegion(const Block& region) {
  std::set<VarId> own;
  walkStmts(f_, region, [&](StmtId s) {
    const auto* d = std::get_if<Declare>(&f_[s].node);
    if (d && d->init == Init::Bind && !isRegions(d->args[0], own)) return;  // another name for what is outside
    forEachDeclaredVar(f_[s], [&](VarId v) { own.insert(v); });
  });
  Block out = audited(region, own);
  out.insert(out.begin(), add(Runtime{{"contraflow::audit::enter();"}, {}}));
  return out;
}

}  // namespace contraflow::transform
