#include "transform/strip_body.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "ir/walk.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;
using analysis::Polynomial;

constexpr std::uint64_t kLanes = StripBody::kLanes;
constexpr std::size_t kMostArrays = 32;  // of values for one strip: together in the first cache
constexpr long long kFarthest = 8;       // iterations between those that are gathered: little against a strip

class Apart {
 public:
  Apart(const Module& m, const Function& f, VarId counter) : m_(m), f_(f), counter_(counter), primalVars_(m[f.primal].vars.size()) {}

  bool anyOrder(const Block& body) {
    anyOrder_ = true;
    findVariables();
    declareLocals(body);
    for (StmtId s : body)
      if (!step(s)) return false;
    if (out_.ordered || !readsFitAnyOrder()) return false;
    findPairs();
    return out_.apart.empty();
  }

  std::optional<StripBody> run(const Block& body) {
    findVariables();
    declareLocals(body);
    for (StmtId s : body)
      if (!step(s)) return std::nullopt;
    if (!readsFit() || !gains()) return std::nullopt;
    findPairs();
    findGathers();
    return std::move(out_);
  }

 private:
  enum class Kind { Primal, Shadow, Tape, Unknown };  // whose memory a base leads to

  // --- variables

  void findVariables() {
    std::set<VarId> assigned;
    const auto note = [&](ExprId e) {
      if (const VarId v = e.valid() ? rootVar(f_, e) : VarId(); v.valid()) assigned.insert(v);
      if (const auto* v = e.valid() ? std::get_if<VarRef>(&f_[e].node) : nullptr) redirected_.insert(v->var);
    };
    walkStmts(f_, f_.body, [&](StmtId s) {
      const StmtNode& node = f_[s].node;
      if (const auto* a = std::get_if<Assign>(&node)) note(a->target);
      if (const auto* i = std::get_if<Increment>(&node))
        if (const auto* v = std::get_if<VarRef>(&f_[i->target].node)) redirected_.insert(v->var);
      if (const auto* p = std::get_if<Pop>(&node)) note(p->place);
      if (const auto* c = std::get_if<Call>(&node)) {
        note(c->result);
        for (std::size_t k = 0; k < c->args.size(); ++k)
          if (isReference(m_, m_[c->callee][m_[c->callee].params[k]].type)) expose(c->args[k]);
      }
      if (const auto* t = std::get_if<TapeBlock>(&node)) tapeBlocks_.insert(t->pointer);
      if (const auto* d = std::get_if<Declare>(&node)) {
        if (d->init == Init::Bind) expose(d->args[0]);
        if (d->init == Init::Value && isMade(d->var)) pointers_.emplace_back(d->var, d->args[0]);
        if (d->init == Init::Value && as<PointerType>(m_, f_[d->var].type)) origins_[d->var] = baseOf(d->args[0]);
      }
      if (std::holds_alternative<Mpi>(node) || std::holds_alternative<Runtime>(node) || std::holds_alternative<Opaque>(node))
        forEachExprOfStmt(f_[s], [&](ExprId e) { expose(e); });
      forEachExprOfStmt(f_[s], [&](ExprId e) {
        walkExpr(f_, e, [&](ExprId x) {
          if (const auto* a = std::get_if<AddressOf>(&f_[x].node)) expose(a->place);
        });
      });
    });
    for (VarId p : f_.params)
      if (isMade(p)) shadows_.insert(p);
    // Pointers that are set once, from shadows.
    for (const auto& [v, from] : pointers_) {
      if (!as<PointerType>(m_, f_[v].type) || assigned.count(v) != 0 || exposed_.count(v) != 0) continue;
      if (const VarId root = baseOf(from); root.valid() && kind(root) == Kind::Shadow) shadows_.insert(v);
    }
  }
  void expose(ExprId e) {
    if (const VarId v = rootVar(f_, e); v.valid()) exposed_.insert(v);
  }
  // The pointer, array or container that the address is computed from.
  VarId baseOf(ExprId e) const {
    const ExprNode& node = f_[e].node;
    if (const auto* v = std::get_if<VarRef>(&node)) return v->var;
    if (const auto* d = std::get_if<Decay>(&node)) return baseOf(d->array);
    if (const auto* d = std::get_if<DataOf>(&node)) return baseOf(d->container);
    if (const auto* b = std::get_if<Binary>(&node); b && as<PointerType>(m_, f_[e].type)) return baseOf(b->lhs);
    return {};
  }
  bool isMade(VarId v) const { return v.index() >= primalVars_; }
  Kind kind(VarId v) const {
    if (!isMade(v)) return Kind::Primal;
    if (tapeBlocks_.count(v) != 0) return Kind::Tape;
    const TypeId type = withoutReference(m_, f_[v].type);
    const bool own = as<ArrayType>(m_, type) || as<ContainerType>(m_, type);
    return shadows_.count(v) != 0 || (own && !isReference(m_, f_[v].type)) ? Kind::Shadow : Kind::Unknown;
  }
  // An array or container itself, not a name for one.
  bool isObject(VarId v) const {
    const TypeId type = f_[v].type;
    return !isReference(m_, type) && (as<ArrayType>(m_, type) || as<ContainerType>(m_, type));
  }
  // A variable of the function's own counts where one of the two elements is written by the primal, through this name: what another name
  // adds to then isn't among them, nor is its shadow.
  bool isRestrict(VarId v) const {
    if (!f_[v].isRestrict || (!anyOrder_ && f_[v].kind != VarKind::Parameter)) return false;
    return f_[v].kind == VarKind::Parameter || (as<PointerType>(m_, f_[v].type) && redirected_.count(v) == 0 && exposed_.count(v) == 0);
  }
  // The `__restrict__` parameter that the pointer is computed from.
  VarId restrictOrigin(VarId v) const {
    if (f_[v].isRestrict && f_[v].kind == VarKind::Parameter) return v;
    const auto from = origins_.find(v);
    const bool fixed = from != origins_.end() && from->second.valid() && redirected_.count(v) == 0 && exposed_.count(v) == 0;
    return fixed ? restrictOrigin(from->second) : VarId();
  }
  bool isScalar(TypeId t) const { return isReal(m_, t) || isIntegral(m_, t); }

  void declareLocals(const Block& body) {
    std::set<VarId> changed;
    for (StmtId s : body) {
      if (const auto* d = std::get_if<Declare>(&f_[s].node)) {
        locals_.insert(d->var);
        if (d->init == Init::Value && isIntegral(m_, f_[d->var].type)) out_.indices[d->var] = d->args[0];
      }
      if (const VarId v = assignedVariable(f_[s].node); v.valid()) changed.insert(v);
    }
    for (VarId v : changed) out_.indices.erase(v);
  }
  VarId assignedVariable(const StmtNode& node) const {
    const auto* a = std::get_if<Assign>(&node);
    const auto* i = std::get_if<Increment>(&node);
    const auto* z = std::get_if<SetZero>(&node);
    if (!a && !i && !z) return {};
    const auto* v = std::get_if<VarRef>(&f_[a ? a->target : i ? i->target : z->place].node);
    return v ? v->var : VarId();
  }
  // Of the counter, and of what the body doesn't change.
  std::optional<Polynomial> indexOf(ExprId e) const {
    auto p = analysis::polynomialOf(m_, f_, e, [&](ExprId x) -> std::optional<Polynomial> {
      if (auto number = analysis::derivativeIndex(m_, f_, x, [&](ExprId inner) { return indexOf(inner); })) return number;
      const auto* v = std::get_if<VarRef>(&f_[x].node);
      if (!v || locals_.count(v->var) == 0) return std::nullopt;
      const auto value = out_.indices.find(v->var);
      const auto* type = as<IntType>(m_, f_[v->var].type);
      return value != out_.indices.end() && type && (type->isSigned || type->bits == 64) ? indexOf(value->second) : std::nullopt;
    }, analysis::Wrapping::InRanges);
    if (p)
      for (VarId v : analysis::variablesOf(*p))
        if (locals_.count(v) != 0 || exposed_.count(v) != 0) return std::nullopt;
    return p;
  }

  // --- statements

  bool step(StmtId s) {
    const StmtNode& node = f_[s].node;
    if (std::holds_alternative<Comment>(node)) return true;
    if (const auto* d = std::get_if<Declare>(&node)) {
      const bool plain = d->storage == Storage::Automatic && isScalar(f_[d->var].type) && exposed_.count(d->var) == 0;
      if (!plain || (d->init != Init::None && d->init != Init::Zero && d->init != Init::Value)) return false;
      for (ExprId e : d->args)
        if (!reads(e)) return false;
      out_.steps.push_back({s});
      return true;
    }
    const auto* a = std::get_if<Assign>(&node);
    const auto* i = std::get_if<Increment>(&node);
    const auto* z = std::get_if<SetZero>(&node);
    if (!a && !i && !z) return false;
    const ExprId target = a ? a->target : i ? i->target : z->place, value = a ? a->value : i ? i->value : ExprId();
    if (!isScalar(f_[target].type) || (value.valid() && !reads(value))) return false;
    if (const auto* v = std::get_if<VarRef>(&f_[target].node)) {
      if (locals_.count(v->var) != 0) {
        out_.steps.push_back({s});
        return true;
      }
      // Sums of the function's own.
      const bool own = i && isReal(m_, f_[v->var].type) && f_[v->var].kind == VarKind::Local && exposed_.count(v->var) == 0;
      if (!own || isReference(m_, f_[v->var].type)) return false;
      added_.insert(v->var);
      // A value of the primal's comes out as there, to the last bit.
      if (!isMade(v->var)) {
        out_.ordered = true;
        if (sumOf_.count({v->var, {}}) != 0) return false;
      }
      return addUp(s, *i, {v->var, {}});
    }
    const auto place = elementOf(target);
    if (!place && anyOrder_ && i) return addAnywhere(target);
    if (!place) return false;
    Polynomial stride, rest;
    const bool fixed = analysis::split(place->second, counter_, stride, rest) && analysis::isNumber(stride) && !stride.empty();
    if (!fixed) return anyOrder_ && i && addAnywhere(target);
    if (i) {
      added_.insert(place->first);
      // The primal's elements come out as there, too: each gets one term, whenever that is.
      if (kind(place->first) == Kind::Primal && primalTerms_++ > 0) return false;
      return addUp(s, *i, *place);
    }
    std::vector<Polynomial>& places = written_[place->first];
    for (const Polynomial& other : places)
      if (other != place->second && mayMeet(other, place->second)) return false;
    places.push_back(place->second);
    out_.steps.push_back({s, -1, static_cast<int>(out_.writes.size())});
    out_.writes.push_back({target, value, !value.valid() || readsNoNumbers(value)});
    return true;
  }
  // To an element that isn't known: nothing else may be done to that array.
  bool addAnywhere(ExprId target) {
    const auto* s = std::get_if<Subscript>(&f_[target].node);
    const VarId base = s && !s->checked ? baseOfRows(*s) : VarId();
    if (!base.valid() || !isMade(base) || !isReal(m_, f_[target].type)) return false;
    for (ExprId row = target; const auto* at = std::get_if<Subscript>(&f_[row].node); row = at->base)
      if (!reads(at->index)) return false;
    added_.insert(base);
    addedAnywhere_.insert(base);
    return true;
  }
  bool addUp(StmtId s, const Increment& i, const std::pair<VarId, Polynomial>& place) {
    const auto [known, first] = sumOf_.emplace(place, out_.sums.size());
    if (first) out_.sums.push_back({i.target, {}});
    StripBody::Sum& sum = out_.sums[known->second];
    const auto kindOf = [&](ExprId e) { return as<RealType>(m_, f_[e].type)->kind; };
    if (!isReal(m_, f_[i.value].type) || (!sum.terms.empty() && kindOf(sum.terms[0].first) != kindOf(i.value))) return false;
    sum.terms.emplace_back(i.value, i.subtract);
    out_.steps.push_back({s, static_cast<int>(known->second), -1});
    return true;
  }

  // --- what is read

  // An element of a pointer, array or container variable, with its index.
  std::optional<std::pair<VarId, Polynomial>> elementOf(ExprId place) const {
    const auto* s = std::get_if<Subscript>(&f_[place].node);
    if (!s || s->checked || !baseOfRows(*s).valid() || !isReal(m_, f_[place].type)) return std::nullopt;
    const auto element = analysis::realElement(m_, f_, place, [&](ExprId index) { return indexOf(index); });
    return element ? std::optional(std::make_pair(element->base, element->index)) : std::nullopt;
  }
  // Of `a[i]` and, for an array of arrays, `a[i][j]`.
  VarId baseOfRows(const Subscript& s) const {
    if (const auto* v = std::get_if<VarRef>(&f_[s.base].node)) return v->var;
    const auto* row = std::get_if<Subscript>(&f_[s.base].node);
    return row && !row->checked && as<ArrayType>(m_, f_[s.base].type) ? baseOfRows(*row) : VarId();
  }
  // Notes what the expression reads; false if it can't be told.
  bool reads(ExprId e) {
    const ExprNode& node = f_[e].node;
    if (const auto* v = std::get_if<VarRef>(&node)) {
      if (!isScalar(f_[e].type)) return false;
      readVariables_.insert(v->var);
      const bool elsewhere = isReference(m_, f_[v->var].type) || exposed_.count(v->var) != 0;
      if (elsewhere && isReal(m_, f_[e].type)) return memory(v->var);
      return !elsewhere || !isMade(v->var);
    }
    if (const auto* s = std::get_if<Subscript>(&node)) {
      const VarId base = baseOfRows(*s);
      if (!base.valid() || s->checked || !isScalar(f_[e].type)) return false;
      for (ExprId row = e; const auto* at = std::get_if<Subscript>(&f_[row].node); row = at->base)
        if (!reads(at->index)) return false;
      if (!isReal(m_, f_[e].type)) return !isMade(base);
      readBases_.insert(base);
      const auto element = elementOf(e);
      const auto index = element ? std::optional(element->second) : std::nullopt;
      if (const auto known = written_.find(base); known != written_.end())
        for (const Polynomial& place : known->second)
          if (!index || (mayMeet(*index, place) && !(anyOrder_ && *index == place))) return false;  // read behind the write
      readAt_[base].push_back(index);
      return true;
    }
    if (std::holds_alternative<FieldRef>(node) || std::holds_alternative<Deref>(node) || std::holds_alternative<GlobalRef>(node))
      return isScalar(f_[e].type) && memory(rootVar(f_, e)) && namedByPlainVariables(e);
    if (const auto* call = std::get_if<PureCall>(&node))
      if (call->callee != "contraflow::iterationNumber" && call->callee != "contraflow::tripCount") return false;
    if (std::holds_alternative<AddressOf>(node) || std::holds_alternative<Decay>(node) || std::holds_alternative<DataOf>(node) ||
        std::holds_alternative<InitList>(node))
      return false;
    if (std::holds_alternative<SizeOf>(node)) return true;
    bool good = true;
    forEachChildExpr(f_[e], [&](ExprId child) { good = good && reads(child); });
    return good;
  }
  // Memory of the primal at an address that isn't known.
  bool memory(VarId root) {
    readsMemory_ = true;
    return !root.valid() || !isMade(root);
  }
  bool namedByPlainVariables(ExprId e) const {
    bool good = true;
    walkExpr(f_, e, [&](ExprId x) {
      const ExprNode& node = f_[x].node;
      const auto* global = std::get_if<GlobalRef>(&node);
      good = good && (std::holds_alternative<FieldRef>(node) || std::holds_alternative<Deref>(node) ||
                      std::holds_alternative<VarRef>(node) || (global && !m_[global->global].isShadow));
    });
    return good;
  }
  bool readsNoNumbers(ExprId e) const {
    bool good = true;
    walkExpr(f_, e, [&](ExprId x) {
      const auto* v = std::get_if<VarRef>(&f_[x].node);
      if (v && locals_.count(v->var) != 0) good = good && out_.indices.count(v->var) != 0;
      if (std::holds_alternative<MathCall>(f_[x].node)) good = false;
    });
    return good;
  }

  // --- conditions

  // What is written is read by the same iteration before, at the same place; what is added to isn't read or written otherwise.
  bool readsFit() {
    for (const auto& [base, places] : written_) {
      if (added_.count(base) != 0) return false;
      for (const auto& read : readAt_[base])
        for (const Polynomial& place : places)
          if (!read || (*read != place && mayMeet(*read, place))) return false;
      if (kind(base) != Kind::Shadow && readsMemory_) return false;
      // In its own loop a write runs behind others: what it reads must not be written at all.
      for (const StripBody::Write& w : out_.writes)
        if (w.own && w.value.valid())
          walkExpr(f_, w.value, [&, base = base](ExprId x) {
            if (const auto* v = std::get_if<VarRef>(&f_[x].node); v && v->var == base) readsMemory_ = ownReadsWritten_ = true;
          });
    }
    if (ownReadsWritten_) return false;
    for (VarId v : added_)
      if (readBases_.count(v) != 0 || readVariables_.count(v) != 0) return false;
    return !(readsMemory_ && anyUnknownTarget());
  }
  // Iterations share nothing but what they add to, which none reads or writes.
  bool readsFitAnyOrder() const {
    const auto own = [&](const std::optional<Polynomial>& a, const Polynomial& b) { return a && (*a == b || !mayMeet(*a, b)); };
    const auto fits = [&](VarId base, const Polynomial& place) {
      const auto reads = readAt_.find(base);
      return reads == readAt_.end() || std::all_of(reads->second.begin(), reads->second.end(), [&](const auto& read) { return own(read, place); });
    };
    for (const auto& [base, places] : written_) {
      if (kind(base) != Kind::Shadow && readsMemory_) return false;
      for (const Polynomial& place : places)
        if (!fits(base, place)) return false;
    }
    for (const auto& [place, number] : sumOf_) {
      if (readVariables_.count(place.first) != 0) return false;
      if (isReal(m_, f_[place.first].type)) continue;
      if (!fits(place.first, place.second)) return false;
      if (const auto known = written_.find(place.first); known != written_.end())
        for (const Polynomial& other : known->second)
          if (!own(other, place.second)) return false;
    }
    for (VarId base : addedAnywhere_)
      if (readBases_.count(base) != 0 || written_.count(base) != 0) return false;
    return !(readsMemory_ && anyUnknownTarget());
  }
  bool anyUnknownTarget() const {
    const auto unknown = [&](VarId v) { return !isReal(m_, f_[v].type) && kind(v) != Kind::Shadow; };
    return std::any_of(added_.begin(), added_.end(), unknown) ||
           std::any_of(written_.begin(), written_.end(), [&](const auto& w) { return unknown(w.first); });
  }
  bool gains() const {
    if (out_.sums.size() + out_.writes.size() > kMostArrays || isShort()) return false;
    for (const auto& [a, i] : sumOf_)
      for (const auto& [b, j] : sumOf_)
        if (i < j && a.first == b.first && !isReal(m_, f_[a.first].type) && mayMeet(a.second, b.second)) return true;
    return false;
  }
  // A row of `double l[12][12]` has no strip.
  bool isShort() const {
    bool found = false;
    for (const StripBody::Step& step : out_.steps)
      forEachExprOfStmt(f_[step.stmt], [&](ExprId e) {
        walkExpr(f_, e, [&](ExprId x) {
          const auto* s = std::get_if<Subscript>(&f_[x].node);
          const auto* array = s ? as<ArrayType>(m_, f_[s->base].type) : nullptr;
          const auto index = array && array->extent < kLanes ? indexOf(s->index) : std::nullopt;
          found = found || (index && analysis::variablesOf(*index).count(counter_) != 0);
        });
      });
    return found;
  }
  // Whether one iteration's element at the first index may be another's at the second: 3 * i and 3 * i + 1 never are.
  bool mayMeet(const Polynomial& a, const Polynomial& b) const {
    Polynomial stride, rest, other, otherRest;
    if (!analysis::split(a, counter_, stride, rest) || !analysis::split(b, counter_, other, otherRest)) return true;
    const auto distance = analysis::sum(rest, otherRest, -1);
    if (stride != other || !distance || !analysis::isNumber(*distance) || !analysis::isNumber(stride)) return true;
    return analysis::numberOf(stride) == 0 || analysis::numberOf(*distance) % analysis::numberOf(stride) == 0;
  }
  // Sums whose indices differ by a multiple of the counter's stride.
  void findGathers() {
    struct Line {
      VarId base;
      Polynomial stride, rest;  // without what is a multiple of the stride
      RealKind kind;
      bool operator<(const Line& o) const { return std::tie(base, stride, rest, kind) < std::tie(o.base, o.stride, o.rest, o.kind); }
    };
    std::map<Line, std::vector<std::pair<long long, std::size_t>>> lines;
    for (const auto& [place, number] : sumOf_) {
      Line line{place.first, {}, {}, as<RealType>(m_, f_[out_.sums[number].terms[0].first].type)->kind};
      if (isReal(m_, f_[place.first].type) || !analysis::split(place.second, counter_, line.stride, line.rest)) continue;
      const long long stride = analysis::numberOf(line.stride), constant = analysis::numberOf(line.rest);
      const long long within = (constant % stride + std::abs(stride)) % std::abs(stride);
      const auto rest = analysis::sum(line.rest, {{{}, within - constant}});
      if (!rest) continue;
      line.rest = *rest;
      lines[line].emplace_back((constant - within) / stride, number);
    }
    for (auto& [line, sums] : lines) {
      std::sort(sums.begin(), sums.end());
      const long long first = sums.front().first;
      if (sums.size() < 2 || sums.back().first - first > kFarthest) continue;
      StripBody::Gather gather;
      for (const auto& [at, number] : sums) gather.members.push_back({number, static_cast<long>(at - first)});
      out_.gathers.push_back(std::move(gather));
    }
  }
  void findPairs() {
    std::set<VarId> all = readBases_;
    for (const auto& [base, places] : written_) all.insert(base);
    const auto pair = [&](VarId a, VarId b) {
      if (a == b || kind(a) == Kind::Tape || kind(b) == Kind::Tape || (isObject(a) && isObject(b))) return;
      if (isRestrict(a) && isRestrict(b)) return;
      if (anyOrder_) {
        const VarId from = restrictOrigin(a), other = restrictOrigin(b);
        if (from.valid() && other.valid() && from != other) return;
      }
      if (kind(a) != kind(b) && kind(a) != Kind::Unknown && kind(b) != Kind::Unknown) return;
      out_.apart.insert(a < b ? std::make_pair(a, b) : std::make_pair(b, a));
    };
    for (VarId base : all) {
      for (VarId v : added_)
        if (!isReal(m_, f_[v].type)) pair(v, base);
      for (const auto& [w, places] : written_) pair(w, base);
    }
  }

  const Module& m_;
  const Function& f_;
  const VarId counter_;
  const std::size_t primalVars_;
  StripBody out_;
  bool anyOrder_ = false;
  std::set<VarId> redirected_;  // pointers that are set after their declaration, and whatever else is
  std::map<VarId, VarId> origins_;  // of pointers: what they are declared from
  std::set<VarId> addedAnywhere_;
  std::set<VarId> exposed_, tapeBlocks_, shadows_, locals_;
  std::vector<std::pair<VarId, ExprId>> pointers_;
  std::map<std::pair<VarId, Polynomial>, std::size_t> sumOf_;
  std::map<VarId, std::vector<Polynomial>> written_;  // bases, and which of their elements
  std::set<VarId> added_, readBases_, readVariables_;
  std::map<VarId, std::vector<std::optional<Polynomial>>> readAt_;
  int primalTerms_ = 0;
  bool readsMemory_ = false, ownReadsWritten_ = false;
};

}  // namespace

std::optional<StripBody> takeApart(const Module& m, const Function& f, const Block& body, VarId counter) {
  if (!f.primal.valid()) return std::nullopt;
  return Apart(m, f, counter).run(body);
}

bool iterationsInAnyOrder(const Module& m, const Function& f, const Block& body, VarId counter) {
  return f.primal.valid() && Apart(m, f, counter).anyOrder(body);
}

}  // namespace contraflow::transform
