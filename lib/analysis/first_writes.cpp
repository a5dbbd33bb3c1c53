#include "analysis/first_writes.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/index_bounds.hpp"
#include "ir/walk.hpp"

namespace contraflow::analysis {

using namespace ir;

namespace {

struct Element {
  VarId array;
  std::vector<ExprId> indices;
};

// A statement that writes an element of an array.
struct Write {
  StmtId stmt;
  std::vector<ExprId> indices;
  IndexBounds::Loops loops;         // around it
  std::size_t inner;                // of these, the first one inside the array's block
  std::map<StmtId, bool> branches;  // of the Ifs around it: is it `then`?
  bool overwrites;                  // doesn't read what is there
};

struct Array {
  std::size_t loops;          // around its declaration
  std::vector<Write> writes;  // in the order of the text
};

class FirstWriteFinder {
 public:
  FirstWriteFinder(const Module& m, const PointsTo& p, const Accesses& accesses, FuncId f)
      : m_(m), p_(p), accesses_(accesses), f_(f), fn_(m[f]), bounds_(m, p, f) {}

  std::set<StmtId> run() {
    block(fn_.body);
    std::set<StmtId> out;
    for (const auto& [v, array] : arrays_) {
      if (lost_.count(v) != 0) continue;
      for (std::size_t k = 0; k < array.writes.size(); ++k)
        if (array.writes[k].overwrites && isFirst(array.writes, k)) out.insert(array.writes[k].stmt);
    }
    return out;
  }

 private:
  // --- who writes an array --------------------------------------------------------------------------------------------------

  void block(const Block& b) {
    for (StmtId s : b) {
      const StmtNode& node = fn_[s].node;
      if (const auto* branch = std::get_if<If>(&node)) {
        branches_[s] = true;
        block(branch->then);
        branches_[s] = false;
        block(branch->otherwise);
        branches_.erase(s);
        continue;
      }
      const auto* loop = std::get_if<For>(&node);
      // What else has a body runs it again without a counter, or in several threads.
      if (!loop && !std::holds_alternative<Scope>(node)) statement(s);
      if (loop) loops_.push_back(loop);
      forEachBlockOfStmt(fn_[s], [&](const Block& inner) { block(inner); });
      if (const StmtId held = loopOf(fn_[s])) block({held});
      if (loop) loops_.pop_back();
    }
  }

  void statement(StmtId s) {
    const StmtNode& node = fn_[s].node;
    const auto* d = std::get_if<Declare>(&node);
    if (d && d->init == Init::None && d->storage == Storage::Automatic && isArrayOfReals(fn_[d->var].type)) {
      if (!arrays_.emplace(d->var, Array{loops_.size(), {}}).second) lost_.insert(d->var);
      return;
    }
    const auto* a = std::get_if<Assign>(&node);
    const auto* i = std::get_if<Increment>(&node);
    const auto element = a || i ? elementOf(a ? a->target : i->target) : std::nullopt;
    if (const auto own = element ? arrays_.find(element->array) : arrays_.end(); own != arrays_.end()) {
      own->second.writes.push_back({s, element->indices, loops_, own->second.loops, branches_, a != nullptr});
      return;
    }
    const LocSet written = accesses_.of(f_, s).writes;
    for (const auto& [v, array] : arrays_) {
      const Loc l = p_.localOf(f_, v);
      if (l == kUnknown || p_.overlapping(l).meets(written) || p_.overlapping(l).meets(accesses_.posted())) lost_.insert(v);
    }
  }

  bool isArrayOfReals(TypeId type) const {
    const auto* array = as<ArrayType>(m_, type);
    return array && (isReal(m_, array->element) || isArrayOfReals(array->element));
  }

  // a[i][j] of a variable that is an array.
  std::optional<Element> elementOf(ExprId e) const {
    if (!isReal(m_, fn_[e].type)) return std::nullopt;
    Element out;
    while (const auto* s = std::get_if<Subscript>(&fn_[e].node)) {
      if (s->checked) return std::nullopt;
      out.indices.push_back(s->index);
      e = s->base;
      if (const auto* d = std::get_if<Decay>(&fn_[e].node)) e = d->array;
    }
    const auto* v = std::get_if<VarRef>(&fn_[e].node);
    if (!v || out.indices.empty() || !isArrayOfReals(fn_[v->var].type)) return std::nullopt;
    out.array = v->var;
    std::reverse(out.indices.begin(), out.indices.end());
    return out;
  }

  // --- whether two writes meet ------------------------------------------------------------------------------------------------

  bool isFirst(const std::vector<Write>& writes, std::size_t k) const {
    for (std::size_t other = 0; other < writes.size(); ++other)
      if (!meetsLater(writes[k], writes[other], other > k)) return false;
    return true;
  }

  // True if no element that `first` writes was written by `other` before; `behind`: `other` stands behind `first` in the text.
  bool meetsLater(const Write& first, const Write& other, bool behind) const {
    std::size_t common = first.inner;
    while (common < first.loops.size() && common < other.loops.size() && first.loops[common] == other.loops[common]) ++common;
    if (common == first.inner && behind) return true;

    // Two iterations, with counters of their own. Zero: what both elements' indices differ by. At least zero: what the ends say.
    std::vector<Polynomial> zero, natural;
    std::set<VarId> counters;
    std::vector<long long> steps;
    if (!ends(other, natural, counters, steps, true) || !ends(first, natural, counters, steps, false)) return false;
    for (std::size_t d = 0; d < first.indices.size(); ++d) {
      const auto a = index(first, first.indices[d], false), b = index(other, other.indices[d], true);
      const auto difference = a && b ? sum(*a, *b, -1) : std::nullopt;
      if (!difference) return false;
      zero.push_back(*difference);
    }
    std::vector<Polynomial> apart;  // the counters of the common loops: other's - first's
    for (std::size_t k = first.inner; k < common; ++k) {
      const VarId counter = first.loops[k]->counter;
      apart.push_back({{{counter}, -1}, {{renamed(counter)}, 1}});
    }
    for (bool again = true; again;) {
      again = false;
      for (const Polynomial& equation : zero) {
        if (neverZero(equation, counters)) return true;
        VarId counter;
        Polynomial value;
        if (!solve(equation, counters, counter, value)) continue;
        for (auto* list : {&zero, &natural, &apart})
          for (Polynomial& p : *list) {
            const auto now = substitute(p, counter, value);
            if (!now) return false;
            p = *now;
          }
        again = true;
        break;
      }
    }
    // Two of the ends that contradict each other.
    natural.push_back({});
    for (std::size_t a = 0; a + 1 < natural.size(); ++a)
      for (std::size_t b = a + 1; b < natural.size(); ++b)
        if (const auto both = sum(natural[a], natural[b]); both && isNumber(*both) && numberOf(*both) < 0) return true;
    for (std::size_t k = 0; k < apart.size(); ++k) {
      if (!isNumber(apart[k])) return false;
      if (numberOf(apart[k]) != 0) return (numberOf(apart[k]) > 0) == (steps[k] > 0);
    }
    // The same iteration of the loops around both.
    const bool exclusive = std::any_of(first.branches.begin(), first.branches.end(), [&](const auto& branch) {
      const auto found = other.branches.find(branch.first);
      return found != other.branches.end() && found->second != branch.second;
    });
    return first.stmt == other.stmt || behind || exclusive;
  }

  // Counters of the second iteration have names that no variable has.
  VarId renamed(VarId v) const { return VarId(static_cast<std::uint32_t>(fn_.vars.size()) + v.index()); }
  std::optional<Polynomial> renamed(std::optional<Polynomial> p, const Write& write) const {
    for (std::size_t k = write.inner; p && k < write.loops.size(); ++k)
      p = substitute(*p, write.loops[k]->counter, {{{renamed(write.loops[k]->counter)}, 1}});
    return p;
  }
  // Of what has one value as long as the array lives, and counters.
  std::optional<Polynomial> index(const Write& write, ExprId e, bool rename) const {
    const auto p = bounds_.indexOf(e, write.loops);
    if (!p || !isSteady(*p, write)) return std::nullopt;
    return rename ? renamed(p, write) : p;
  }
  bool isSteady(const Polynomial& p, const Write& write) const {
    std::set<VarId> inside;
    for (std::size_t k = write.inner; k < write.loops.size(); ++k)
      for (StmtId s : write.loops[k]->body) walkStmt(fn_, s, [&](StmtId x) { forEachDeclaredVar(fn_[x], [&](VarId v) { inside.insert(v); }); });
    for (std::size_t k = write.inner; k < write.loops.size(); ++k) inside.erase(write.loops[k]->counter);
    const std::set<VarId> used = variablesOf(p);
    return std::none_of(used.begin(), used.end(), [&](VarId v) { return inside.count(v) != 0; });
  }

  bool ends(const Write& write, std::vector<Polynomial>& natural, std::set<VarId>& counters, std::vector<long long>& steps, bool rename) const {
    steps.clear();
    IndexBounds::Loops around(write.loops.begin(), write.loops.begin() + static_cast<std::ptrdiff_t>(write.inner));
    for (std::size_t k = write.inner; k < write.loops.size(); ++k) {
      const For& loop = *write.loops[k];
      const auto range = bounds_.ends(loop, around);
      if (!range) return false;
      around.push_back(&loop);
      steps.push_back(range->step);
      const Polynomial counter{{{loop.counter}, 1}};
      counters.insert(rename ? renamed(loop.counter) : loop.counter);
      for (auto end : {sum(counter, range->low, -1), sum(range->high, counter, -1)}) {
        if (!end || !isSteady(*end, write)) continue;
        if (rename) end = renamed(end, write);
        if (end) natural.push_back(*end);
      }
    }
    return true;
  }

  // A number; or all counters' factors have a divisor that the number hasn't.
  static bool neverZero(const Polynomial& p, const std::set<VarId>& counters) {
    long long divisor = 0;
    for (const auto& [monomial, factor] : p) {
      if (monomial.empty()) continue;
      if (monomial.size() != 1 || counters.count(monomial[0]) == 0) return false;
      divisor = std::gcd(divisor, factor);
    }
    return divisor == 0 ? numberOf(p) != 0 : numberOf(p) % divisor != 0;
  }

  // The counter's value, from an equation of which all terms can be divided by its factor.
  static bool solve(const Polynomial& p, const std::set<VarId>& counters, VarId& counter, Polynomial& value) {
    for (VarId v : variablesOf(p)) {
      if (counters.count(v) == 0) continue;
      Polynomial coefficient, rest;
      if (!split(p, v, coefficient, rest) || !isNumber(coefficient)) continue;
      const long long factor = numberOf(coefficient);
      if (!std::all_of(rest.begin(), rest.end(), [&](const auto& term) { return term.second % factor == 0; })) continue;
      value.clear();
      for (const auto& [monomial, term] : rest) value[monomial] = -term / factor;
      counter = v;
      return true;
    }
    return false;
  }

  const Module& m_;
  const PointsTo& p_;
  const Accesses& accesses_;
  const FuncId f_;
  const Function& fn_;
  const IndexBounds bounds_;
  IndexBounds::Loops loops_;
  std::map<StmtId, bool> branches_;
  std::map<VarId, Array> arrays_;
  std::set<VarId> lost_;  // other statements may write them, or the same ones in another way
};

}  // namespace

std::set<StmtId> firstWrites(const Module& m, const PointsTo& p, const Accesses& accesses, FuncId f) {
  return FirstWriteFinder(m, p, accesses, f).run();
}

}  // namespace contraflow::analysis
