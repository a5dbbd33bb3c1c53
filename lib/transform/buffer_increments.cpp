#include "transform/buffer_increments.hpp"

#include <algorithm>
#include <map>

#include "ir/equal.hpp"
#include "ir/walk.hpp"
#include "transform/range_expressions.hpp"
#include "transform/shadow_reads.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;

class Buffers {
  struct Copy {
    VarId var;
    TypeId type;
    bool ofRestrict;  // all that is added there are elements of one restrict parameter
  };

 public:
  Buffers(Module& m, Function& f) : m_(m), f_(f), ranges_(m, f), long_(m.type(IntType{64, true, "long"})), int_(m.type(IntType{32, true, "int"})) {}

  void run() {
    if (!f_.primal.valid() || (f_.kind != FunctionKind::Adjoint && f_.kind != FunctionKind::Reverse)) return;
    walkStmts(f_, f_.body, [&](StmtId s) { ++occurrences_[s]; });
    f_.body = block(f_.body, false, false);
  }

 private:
  // `every`: of the region itself, so that every thread of the team runs it.
  Block block(const Block& in, bool inRegion, bool every) {
    Block out;
    for (std::size_t at = 0; at < in.size(); ++at) {
      const StmtId s = in[at];
      const bool region = std::holds_alternative<OmpParallel>(f_[s].node);
      std::vector<Block> blocks;
      forEachBlockOfStmt(static_cast<const Stmt&>(f_[s]), [&](const Block& b) { blocks.push_back(b); });
      for (Block& b : blocks) b = block(b, inRegion || region, region);
      std::size_t k = 0;
      forEachBlockOfStmt(f_[s], [&](Block& b) { b = blocks[k++]; });
      // The sums of a region's loops are shared: they stand in front of it.
      if (region) {
        for (const auto& [type, sums] : sums_) out.push_back(declare(sums, Init::None, {}, s));
        if (!sums_.empty()) dropUnused(s);
        sums_.clear();
      }
      const bool barrier = at + 1 < in.size() && isBarrier(in[at + 1]);
      Block now{s};
      if (inRegion && std::holds_alternative<OmpFor>(f_[s].node) && !std::get<OmpFor>(f_[s].node).nowait) {
        now = buffered(s, {});
      } else if (inRegion && std::holds_alternative<For>(f_[s].node) && (barrier || every)) {
        const StmtId wait = barrier ? in[at + 1] : f_.addStmt(OmpBarrier{}, f_[s].loc, f_[s].origin);
        now = buffered(s, wait);
        if (now.size() > 1 && barrier) ++at;
      }
      out.insert(out.end(), now.begin(), now.end());
    }
    return out;
  }
  // Whether the team is one thread may be nobody's question any more.
  void dropUnused(StmtId region) {
    std::set<VarId> named;
    walkStmt(f_, region, [&](StmtId s) {
      forEachExprOfStmt(f_[s], [&](ExprId e) {
        walkExpr(f_, e, [&](ExprId x) {
          if (const auto* v = std::get_if<VarRef>(&f_[x].node)) named.insert(v->var);
        });
      });
    });
    Block& body = std::get<OmpParallel>(f_[region].node).body;
    body.erase(std::remove_if(body.begin(), body.end(),
                              [&](StmtId s) {
                                const auto* d = std::get_if<Declare>(&f_[s].node);
                                return d && alone_.count(d->var) != 0 && named.count(d->var) == 0;
                              }),
               body.end());
  }
  bool isBarrier(StmtId s) const {
    const auto* runtime = std::get_if<Runtime>(&f_[s].node);
    return std::holds_alternative<OmpBarrier>(f_[s].node) || (runtime && runtime->pieces.front() == "contraflow::omp::barrier(");
  }

  // A loop of which every thread of the team runs its part, and the barrier that has to follow it; none: it brings one.
  Block buffered(StmtId s, StmtId barrier) {
    bool any = false, once = true;
    walkStmt(f_, s, [&](StmtId inner) {
      if (!isAtomic(inner)) return;
      any = true;
      once = once && occurrences_[inner] == 1;
    });
    if (!once) return {s};
    const auto reads = any ? shadowReads(m_, f_, s) : std::nullopt;
    if (!reads) return {s};
    copies_.clear();
    types_.clear();
    const std::vector<ExprId> apart = rangesOf(*reads, s);
    replaceIn(s);
    if (copies_.empty()) return {s};
    settleIn(s, *reads);
    Block out;
    for (const auto& [root, copy] : copies_) {
      std::vector<ExprId> args{var(sumsOf(copy.type))};
      args.insert(args.end(), apart.begin(), apart.end());
      out.push_back(declare(copy.var, Init::Construct, std::move(args), s));
    }
    out.push_back(s);
    if (barrier.valid()) out.push_back(barrier);
    for (TypeId type : types_) out.push_back(f_.addStmt(Runtime{{"", ".addUp();"}, {var(sumsOf(type))}}, f_[s].loc, f_[s].origin));
    return out;
  }

  bool isAtomic(StmtId s) const {
    const auto* i = std::get_if<SharedIncrement>(&f_[s].node);
    return i && i->strategy == Strategy::Atomic && i->alone.valid();
  }
  void replaceIn(StmtId s) {
    std::vector<StmtId> all;
    walkStmt(f_, s, [&](StmtId inner) { all.push_back(inner); });
    for (StmtId inner : all) {
      if (!isAtomic(inner)) continue;
      const SharedIncrement i = std::get<SharedIncrement>(f_[inner].node);
      const VarId root = rootVar(f_, i.target);
      if (!root.valid() || (std::holds_alternative<VarRef>(f_[i.target].node) && !isReference(m_, f_[root].type))) continue;
      if (const auto* alone = std::get_if<VarRef>(&f_[i.alone].node)) alone_.insert(alone->var);
      const auto* minus = std::get_if<Unary>(&f_[i.value].node);
      const bool negative = minus && minus->op == UnaryOp::Minus;
      const Copy& copy = copyOf(root, i.target);
      f_[inner].node = Runtime{{"", i.subtract != negative ? ".subtract(" : ".add(", ", ", ");"},
                               {var(copy.var), i.target, negative ? minus->operand : i.value}};
    }
  }
  // What was added before a place is read or set.
  void settleIn(StmtId loop, const ShadowReads& reads) {
    std::map<StmtId, Block> before;
    std::map<StmtId, std::vector<ExprId>> seen;
    for (const auto& [s, place] : reads.places) {
      std::vector<ExprId>& known = seen[s];
      if (std::any_of(known.begin(), known.end(), [&](ExprId other) { return equal(f_, other, place); })) continue;
      known.push_back(place);
      const VarId restrict = restrictBase(place);
      Runtime settle{{"contraflow::omp::settle("}, {place}};
      for (const auto& [key, copy] : copies_)
        if (copy.type == withoutConst(m_, f_[place].type) && !(copy.ofRestrict && restrict.valid() && restrict != key.first)) {
          settle.pieces.push_back(", ");
          settle.args.push_back(var(copy.var));
        }
      settle.pieces.push_back(");");
      if (settle.args.size() > 1) before[s].push_back(f_.addStmt(std::move(settle), f_[s].loc, f_[s].origin));
    }
    if (!before.empty()) insertBefore(loop, before);
  }
  // The restrict parameter whose element, or a part of that, the place is.
  VarId restrictBase(ExprId place) const {
    for (;;) {
      const ExprNode& node = f_[place].node;
      const auto* field = std::get_if<FieldRef>(&node);
      const auto* sub = std::get_if<Subscript>(&node);
      if (field || (sub && as<ArrayType>(m_, f_[sub->base].type))) {
        place = field ? field->base : sub->base;
        continue;
      }
      const auto* v = sub ? std::get_if<VarRef>(&f_[sub->base].node) : nullptr;
      const bool parameter = v && f_[v->var].isRestrict && as<PointerType>(m_, f_[v->var].type) &&
                             std::find(f_.params.begin(), f_.params.end(), v->var) != f_.params.end();
      return parameter ? v->var : VarId();
    }
  }
  void insertBefore(StmtId s, const std::map<StmtId, Block>& what) {
    Stmt stmt = f_[s];
    forEachBlockOfStmt(stmt, [&](Block& b) {
      Block out;
      std::vector<ExprId> settled;  // nothing was added since
      for (StmtId inner : b) {
        if (const auto found = what.find(inner); found != what.end())
          for (StmtId settle : found->second) {
            const ExprId place = std::get<Runtime>(f_[settle].node).args.front();
            if (std::any_of(settled.begin(), settled.end(), [&](ExprId other) { return equal(f_, other, place); })) continue;
            settled.push_back(place);
            out.push_back(settle);
          }
        if (!std::holds_alternative<Declare>(f_[inner].node) && !std::holds_alternative<SetZero>(f_[inner].node)) settled.clear();
        insertBefore(inner, what);
        out.push_back(inner);
      }
      b = std::move(out);
    });
    if (const StmtId loop = loopOf(stmt); loop.valid()) insertBefore(loop, what);
    f_[s] = std::move(stmt);
  }

  const Copy& copyOf(VarId root, ExprId target) {
    const TypeId type = withoutConst(m_, f_[target].type);
    const auto [at, fresh] = copies_.try_emplace({root, type});
    if (fresh) {
      at->second = {newVar(f_[root].name + "_copy", "contraflow::omp::Copy<" + spell(m_, type) + ">"), type, true};
      types_.insert(type);
    }
    at->second.ofRestrict = at->second.ofRestrict && restrictBase(target).valid();
    return at->second;
  }
  VarId sumsOf(TypeId type) {
    const auto [at, fresh] = sums_.try_emplace(type);
    if (fresh) at->second = newVar("sums", "contraflow::omp::Sums<" + spell(m_, type) + ">");
    return at->second;
  }

  // What copies must not hold.
  std::vector<ExprId> rangesOf(const ShadowReads& reads, StmtId loop) {
    const analysis::ElementRanges known(m_, f_, loop);
    std::vector<ExprId> out;
    for (VarId base : reads.bases) out.push_back(ranges_.rangeOf(base, known));
    std::set<VarId> seen;
    for (ExprId place : reads.variables) {
      if (!seen.insert(rootVar(f_, place)).second) continue;
      const ExprId address = f_.addExpr(AddressOf{place}, m_.type(PointerType{f_[place].type}));
      out.push_back(f_.addExpr(PureCall{"contraflow::rangeOf", {address, f_.addExpr(Literal{"0"}, int_)}}, long_));
    }
    return out;
  }

  ExprId var(VarId v) { return f_.addExpr(VarRef{v}, f_[v].type); }
  VarId newVar(const std::string& name, const std::string& type) {
    Var v;
    v.name = name;
    v.type = m_.type(OpaqueType{type});
    v.isTemporary = true;
    return f_.addVar(std::move(v));
  }
  StmtId declare(VarId v, Init init, std::vector<ExprId> args, StmtId at) {
    return f_.addStmt(Declare{v, init, std::move(args), Storage::Automatic, {}}, f_[at].loc, f_[at].origin);
  }

  Module& m_;
  Function& f_;
  RangeExpressions ranges_;
  const TypeId long_, int_;
  std::map<StmtId, int> occurrences_;                     // blocks may share statements
  std::map<TypeId, VarId> sums_;                          // of the current region
  std::map<std::pair<VarId, TypeId>, Copy> copies_;       // of the current loop, by what stands at the root of the place
  std::set<TypeId> types_;                                // of these
  std::set<VarId> alone_;                                 // what increments asked before they went to copies
};

}  // namespace

void bufferIncrements(Module& module, Function& function) { Buffers(module, function).run(); }

}  // namespace contraflow::transform
