#include "transform/gather_nest.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "ir/walk.hpp"
#include "transform/range_expressions.hpp"

namespace contraflow::transform {
namespace {

using namespace ir;
using analysis::Polynomial;

constexpr std::size_t kMostLoops = 3;
constexpr int kFarthest = 3;       // iterations of each loop between those that add to one element
constexpr int kMostOperations = 6;  // for each term, on average
constexpr int kDivision = 8;        // in operations
constexpr long long kLargest = 2147483647;  // of a counter

using Shift = std::vector<int>;  // of the counters, outermost first

class Gather {
 public:
  Gather(Module& m, Function& f, const std::vector<StmtId>& loops, const StripBody& body)
      : m_(m), f_(f), algebra_(m, f), ranges_(m, f), loops_(loops), body_(body), long_(m.type(IntType{64, true, "long"})) {}

  std::optional<GatheredNest> run() {
    if (loops_.size() > kMostLoops || !readLoops() || !readBody() || !findGroups() || !isCheap()) return std::nullopt;
    GatheredNest out;
    for (const StripBody::Write& w : body_.writes)
      if (!writtenOnce(w.place, out.condition) || !readByItself(w.place)) return std::nullopt;
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      if (!isBelowTheLimit(k)) mustHold(out.condition, BinaryOp::Le, levels_[k].endForm, kLargest - mostOf(k));
      if (!isAboveTheLimit(k)) mustHold(out.condition, BinaryOp::Ge, levels_[k].lowForm, -kLargest - leastOf(k));
    }
    for (const StripBody::Sum* sum : numbers_) out.code.push_back(addedUp(*sum));
    const Block gathered = levels_.size() == 1 ? single() : Block{outermost()};
    out.code.insert(out.code.end(), gathered.begin(), gathered.end());
    return out;
  }

 private:
  struct Level {
    For loop;
    TypeId type;
    ExprId low, end;  // the counter goes from low to end - 1
    Polynomial lowForm, endForm;
    Block declared;  // integers beside the next loop
  };
  struct Term {
    ExprId value;
    bool subtract;
    Shift by;  // the element's iteration is that much ahead of the term's
  };
  struct Group {  // elements of one array, at the iterations' own places
    ExprId place;
    Polynomial index;
    std::vector<Term> terms;
    Shift least, most;
  };

  // --- the nest

  bool readLoops() {
    std::set<VarId> inside;
    for (StmtId s : loops_) {
      const For& l = std::get<For>(f_[s].node);
      inside.insert(l.counter);
      for (StmtId c : l.body)
        if (const auto* d = std::get_if<Declare>(&f_[c].node)) inside.insert(d->var);
    }
    for (std::size_t k = 0; k < loops_.size(); ++k) {
      const For loop = std::get<For>(f_[loops_[k]].node);
      const auto ends = loopEnds(m_, f_, algebra_, loop);
      if (!ends) return false;
      Level level{loop, withoutConst(m_, f_[loop.counter].type), ends->low, ends->bound, {}, {}, {}};
      const auto low = indexOf(ends->low), bound = indexOf(ends->bound);
      const auto end = bound ? analysis::sum(*bound, {{{}, 1}}, ends->compare == BinaryOp::Le ? 1 : 0) : std::nullopt;
      if (!low || !end) return false;
      for (const Polynomial* p : {&*low, &*end})
        for (VarId v : analysis::variablesOf(*p))
          if (inside.count(v) != 0) return false;  // the loops span a box
      level.lowForm = *low;
      level.endForm = *end;
      if (ends->compare == BinaryOp::Le) level.end = plus(level.end, 1);
      if (k + 1 < loops_.size())
        for (StmtId s : loop.body)
          if (const auto* d = std::get_if<Declare>(&f_[s].node)) {
            level.declared.push_back(s);
            if (!indexOf(d->args[0])) return false;  // it may be read from what is there for these iterations only
            values_[d->var] = d->args[0];
            levelOf_[d->var] = k;
            findSteps(d->var, k);
          }
      levels_.push_back(std::move(level));
    }
    return true;
  }
  // By which numbers a variable of an outer loop's body differs from one iteration to the next, if it does by numbers.
  void findSteps(VarId v, std::size_t level) {
    const auto p = indexOf(values_.at(v));
    const auto* type = as<IntType>(m_, f_[v].type);
    if (!p || !type || !type->isSigned) return;
    std::vector<long long> steps;
    for (std::size_t k = 0; k <= level; ++k) {
      Polynomial stride, rest;
      const VarId counter = std::get<For>(f_[loops_[k]].node).counter;
      if (!analysis::split(*p, counter, stride, rest) || !analysis::isNumber(stride)) return;
      steps.push_back(analysis::numberOf(stride));
    }
    steps_[v] = std::move(steps);
  }
  std::optional<Polynomial> indexOf(ExprId e) const {
    return analysis::polynomialOf(m_, f_, e, [&](ExprId x) -> std::optional<Polynomial> {
      if (auto number = analysis::derivativeIndex(m_, f_, x, [&](ExprId inner) { return indexOf(inner); })) return number;
      const auto* v = std::get_if<VarRef>(&f_[x].node);
      if (!v) return std::nullopt;
      const auto* type = as<IntType>(m_, f_[v->var].type);
      const bool exact = type && (type->isSigned || type->bits == 64);
      if (const auto value = values_.find(v->var); value != values_.end()) return exact ? indexOf(value->second) : std::nullopt;
      const auto inner = body_.indices.find(v->var);
      return inner != body_.indices.end() && exact ? indexOf(inner->second) : std::nullopt;
    }, analysis::Wrapping::InRanges);
  }

  std::optional<analysis::RealElement> elementOf(ExprId place) const {
    return analysis::realElement(m_, f_, place, [&](ExprId index) { return indexOf(index); });
  }

  // Locals have one value each, which is put in their place.
  bool readBody() {
    std::set<VarId> locals;
    for (const StripBody::Step& step : body_.steps) {
      const StmtNode& node = f_[step.stmt].node;
      if (const auto* d = std::get_if<Declare>(&node)) {
        if (d->init != Init::Value || !locals.insert(d->var).second) return false;
        locals_[d->var] = d->args[0];
      } else if (step.sum < 0 && step.write < 0) {
        return false;  // an assignment of a local
      }
    }
    return true;
  }

  // --- what is added where

  bool findGroups() {
    const std::size_t ofPrimal = m_[f_.primal].vars.size();
    std::map<VarId, std::vector<std::pair<ExprId, Polynomial>>> places;
    std::map<ExprId, const StripBody::Sum*> sums;
    for (const StripBody::Sum& sum : body_.sums) {
      if (std::holds_alternative<VarRef>(f_[sum.place].node)) {
        if (body_.ordered) return false;  // rows would change the order
        numbers_.push_back(&sum);
        continue;
      }
      const auto element = elementOf(sum.place);
      if (!element || element->base.index() < ofPrimal) return false;
      places[element->base].emplace_back(sum.place, element->index);
      sums[sum.place] = &sum;
    }
    for (auto& [base, all] : places)
      while (!all.empty()) {
        // The place that the others are nearest to.
        std::size_t centre = 0;
        std::vector<std::optional<Shift>> shifts;
        for (std::size_t k = 0; k < all.size(); ++k) {
          std::vector<std::optional<Shift>> now;
          for (const auto& other : all) now.push_back(shift(all[k].second, other.second));
          if (shifts.empty() || farness(now) < farness(shifts)) {
            shifts = std::move(now);
            centre = k;
          }
        }
        Group group{all[centre].first, all[centre].second, {}, {}, {}};
        std::vector<std::pair<ExprId, Polynomial>> left;
        for (std::size_t k = 0; k < all.size(); ++k) {
          if (!shifts[k]) {
            left.push_back(all[k]);
            continue;
          }
          for (const auto& [value, subtract] : sums.at(all[k].first)->terms) {
            if (withoutConst(m_, f_[value].type) != withoutConst(m_, f_[group.place].type)) return false;
            group.terms.push_back({value, subtract, *shifts[k]});
          }
        }
        all = std::move(left);
        group.least = group.most = Shift(levels_.size(), 0);
        for (const Term& t : group.terms)
          for (std::size_t k = 0; k < levels_.size(); ++k) {
            group.least[k] = std::min(group.least[k], t.by[k]);
            group.most[k] = std::max(group.most[k], t.by[k]);
          }
        groups_.push_back(std::move(group));
      }
    const auto meets = [](const Group& g) { return g.terms.size() > 1; };
    return std::any_of(groups_.begin(), groups_.end(), meets);
  }
  // The iterations between `to` and `from`: to(i) = from(i + shift).
  std::optional<Shift> shift(const Polynomial& from, const Polynomial& to) const {
    const auto distance = analysis::sum(to, from, -1);
    if (!distance) return std::nullopt;
    std::vector<Polynomial> strides;
    for (const Level& level : levels_) {
      Polynomial stride, rest;
      if (!analysis::split(from, level.loop.counter, stride, rest)) return std::nullopt;
      for (const Level& other : levels_)
        if (analysis::variablesOf(stride).count(other.loop.counter) != 0) return std::nullopt;
      strides.push_back(std::move(stride));
    }
    std::optional<Shift> best;
    Shift now(levels_.size(), -kFarthest);
    for (;;) {
      std::optional<Polynomial> left = distance;
      for (std::size_t k = 0; k < now.size() && left; ++k) left = analysis::sum(*left, strides[k], -now[k]);
      if (left && left->empty() && (!best || length(now) < length(*best))) best = now;
      std::size_t k = 0;
      while (k < now.size() && now[k] == kFarthest) now[k++] = -kFarthest;
      if (k == now.size()) return best;
      ++now[k];
    }
  }
  static int length(const Shift& s) {
    int sum = 0;
    for (int by : s) sum += std::abs(by);
    return sum;
  }
  static int farness(const std::vector<std::optional<Shift>>& shifts) {
    int sum = 0;
    for (const auto& s : shifts) sum += s ? length(*s) : 1000;
    return sum;
  }

  // What was evaluated once for all places is evaluated for each.
  bool isCheap() {
    int operations = 0, terms = 0;
    for (const StripBody::Sum* sum : numbers_)
      for (const auto& [value, subtract] : sum->terms)
        if (operationsOf(value) < 0) return false;
    for (const Group& g : groups_)
      for (const Term& t : g.terms) {
        const int cost = operationsOf(t.value);
        if (cost < 0) return false;
        operations += cost;
        ++terms;
      }
    return operations <= kMostOperations * terms;
  }
  // -1: too many.
  int operationsOf(ExprId e) const {
    if (const auto* v = std::get_if<VarRef>(&f_[e].node))
      if (const auto value = locals_.find(v->var); value != locals_.end() && isReal(m_, f_[v->var].type)) return operationsOf(value->second);
    if (!isReal(m_, f_[e].type)) return 0;
    if (std::holds_alternative<Subscript>(f_[e].node)) return 0;
    if (std::holds_alternative<MathCall>(f_[e].node) || std::holds_alternative<Conditional>(f_[e].node)) return -1;
    int sum = 0;
    if (const auto* b = std::get_if<Binary>(&f_[e].node)) sum = b->op == BinaryOp::Div ? kDivision : 1;
    bool good = true;
    forEachChildExpr(f_[e], [&](ExprId child) {
      const int cost = operationsOf(child);
      good = good && cost >= 0;
      sum += cost;
    });
    return good && sum <= 100 ? sum : -1;
  }

  // Different iterations write different elements: the stride of each loop is more than all that the loops inside span.
  bool writtenOnce(ExprId place, ExprId& condition) {
    const auto element = elementOf(place);
    if (!element) return false;
    Polynomial span{};  // of the loops inside, less one
    for (std::size_t k = levels_.size(); k-- > 0;) {
      const Level& level = levels_[k];
      Polynomial stride, rest;
      if (!analysis::split(element->index, level.loop.counter, stride, rest)) return false;
      for (VarId v : analysis::variablesOf(stride))
        for (const Level& other : levels_)
          if (other.loop.counter == v) return false;
      if (analysis::isNumber(stride) && analysis::numberOf(stride) < 0) stride = {{{}, -analysis::numberOf(stride)}};
      const auto more = analysis::sum(stride, span, -1);  // at least 1
      const auto trips = analysis::sum(level.endForm, level.lowForm, -1);
      const auto steps = trips ? analysis::sum(*trips, {{{}, -1}}) : std::nullopt;
      const auto width = steps ? analysis::product(stride, *steps) : std::nullopt;
      const auto next = width ? analysis::sum(span, *width) : std::nullopt;
      if (!more || !next) return false;
      if (!analysis::isNumber(*more)) {
        for (const auto& [monomial, factor] : *more)
          if (monomial.size() > 3) return false;
        const ExprId zero = algebra_.literal(0, long_);
        const ExprId one = f_.addExpr(Binary{BinaryOp::Gt, ranges_.valueOf(*more), zero}, algebra_.boolType());
        condition = both(condition, one);
      } else if (analysis::numberOf(*more) < 1) {
        return false;
      }
      span = *next;
    }
    return true;
  }
  // No other iteration reads or writes it: at other places of the same array there are other elements, as those of other components are.
  bool readByItself(ExprId place) const {
    const auto written = elementOf(place);
    bool good = true;
    const auto other = [&](ExprId x) {
      const auto element = std::holds_alternative<Subscript>(f_[x].node) && isReal(m_, f_[x].type) ? elementOf(x) : std::nullopt;
      if (!element || element->base != written->base || element->index == written->index) return;
      good = good && areOthers(element->index, written->index);
    };
    for (const StripBody::Write& w : body_.writes) other(w.place);
    for (const StripBody::Step& step : body_.steps)
      forEachExprOfStmt(f_[step.stmt], [&](ExprId e) { walkExpr(f_, e, other); });
    return good;
  }
  // The distance isn't a multiple of what divides all strides.
  bool areOthers(const Polynomial& a, const Polynomial& b) const {
    const auto distance = analysis::sum(a, b, -1);
    long long divisor = 0;
    for (const Level& level : levels_)
      for (const Polynomial* p : {&a, &b}) {
        Polynomial stride, rest;
        if (!analysis::split(*p, level.loop.counter, stride, rest)) return false;
        for (const auto& [monomial, factor] : stride) divisor = std::gcd(divisor, factor);
      }
    if (!distance || divisor == 0) return false;
    for (const auto& [monomial, factor] : *distance)
      if (!monomial.empty() && factor % divisor != 0) return false;
    return analysis::numberOf(*distance) % divisor != 0;
  }

  // --- expressions

  ExprId var(VarId v) { return f_.addExpr(VarRef{v}, withoutConst(m_, f_[v].type)); }
  // e + number; a number at the end of e is counted in.
  ExprId plus(ExprId e, long long number) {
    const TypeId type = f_[e].type;
    for (;;) {
      const auto* b = std::get_if<Binary>(&f_[e].node);
      if (!b || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub)) break;
      const bool minus = b->op == BinaryOp::Sub;
      const auto right = algebra_.constant(b->rhs);
      if (!right) break;
      number += minus ? -static_cast<long long>(*right) : static_cast<long long>(*right);
      e = b->lhs;
    }
    if (const auto whole = algebra_.constant(e)) return algebra_.literal(*whole + static_cast<long double>(number), type);
    const ExprId by = algebra_.literal(static_cast<long double>(std::llabs(number)), type);
    return number < 0 ? algebra_.subtract(e, by) : algebra_.add(e, by);
  }
  // The expression as the iteration `by` ahead evaluates it.
  ExprId at(ExprId e, const Shift& by) {
    return rewriteExpr(f_, e, [&](ExprId x) -> ExprId {
      if (const auto* v = std::get_if<VarRef>(&f_[x].node)) {
        const VarId named = v->var;
        for (std::size_t k = 0; k < levels_.size(); ++k)
          if (levels_[k].loop.counter == named) return plus(x, by[k]);
        if (const auto steps = steps_.find(named); steps != steps_.end()) {
          long long sum = 0;
          for (std::size_t k = 0; k < steps->second.size(); ++k) sum += steps->second[k] * by[k];
          return plus(x, sum);
        }
        if (const auto level = levelOf_.find(named); level != levelOf_.end()) {
          const auto end = by.begin() + static_cast<std::ptrdiff_t>(level->second) + 1;
          if (std::all_of(by.begin(), end, [](int d) { return d == 0; })) return {};
          return algebra_.cast(at(values_.at(named), by), f_[named].type);
        }
        if (const auto local = locals_.find(named); local != locals_.end()) return algebra_.cast(at(local->second, by), f_[named].type);
        return {};
      }
      const auto* b = std::get_if<Binary>(&f_[x].node);
      if (!b || !isIntegral(m_, f_[x].type) || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub)) return {};
      // i * ny + (j + 1) is i * ny + j + 1.
      const Binary sum = *b;
      const auto* right = std::get_if<Binary>(&f_[sum.rhs].node);
      if (right && (right->op == BinaryOp::Add || right->op == BinaryOp::Sub) && algebra_.constant(right->rhs)) {
        const bool minus = (right->op == BinaryOp::Sub) != (sum.op == BinaryOp::Sub);
        const ExprId number = right->rhs;
        const ExprId inner = f_.addExpr(Binary{sum.op, sum.lhs, right->lhs}, f_[x].type);
        const auto by2 = static_cast<long long>(*algebra_.constant(number));
        return plus(inner, minus ? -by2 : by2);
      }
      return algebra_.constant(sum.rhs) ? plus(x, 0) : ExprId();
    });
  }
  Shift none() const { return Shift(levels_.size(), 0); }
  ExprId both(ExprId a, ExprId b) {
    if (!a.valid() || !b.valid()) return a.valid() ? a : b;
    return f_.addExpr(Binary{BinaryOp::And, a, b}, algebra_.boolType());
  }
  ExprId compare(BinaryOp op, ExprId a, ExprId b) { return f_.addExpr(Binary{op, a, b}, algebra_.boolType()); }
  // `also`, and low + from <= counter < end + to, as far as that isn't said by the loop, which goes from low + least to end + most.
  ExprId within(std::size_t k, int from, int to, int least, int most, ExprId also = {}) {
    const Level& level = levels_[k];
    if (from > least) also = both(also, compare(BinaryOp::Ge, var(level.loop.counter), plus(level.low, from)));
    if (to < most) also = both(also, compare(BinaryOp::Lt, var(level.loop.counter), plus(level.end, to)));
    return also;
  }

  // --- statements

  StmtId add(StmtNode node) { return f_.addStmt(std::move(node), f_[loops_.front()].loc, f_[loops_.front()].origin); }
  bool mentions(const Block& block, VarId v) const {
    bool found = false;
    walkExprs(f_, block, [&](ExprId x) {
      const auto* named = std::get_if<VarRef>(&f_[x].node);
      found = found || (named && named->var == v);
    });
    return found;
  }
  StmtId loopOver(std::size_t k, ExprId from, ExprId to, Block body) {
    const Level& level = levels_[k];
    for (std::size_t d = level.declared.size(); k + 1 < levels_.size() && d-- > 0;)
      if (mentions(body, std::get<Declare>(f_[level.declared[d]].node).var)) body.insert(body.begin(), level.declared[d]);
    return add(For{level.loop.counter, from, BinaryOp::Lt, to, algebra_.literal(1, level.type), std::move(body)});
  }

  // --- counters that go beyond the nest's ends

  int leastOf(std::size_t k) const {
    int least = 0;
    for (const Group& g : groups_) least = std::min(least, g.least[k]);
    return least;
  }
  int mostOf(std::size_t k) const {
    int most = 0;
    for (const Group& g : groups_) most = std::max(most, g.most[k]);
    return most;
  }
  bool isWide(std::size_t k) const { return as<IntType>(m_, levels_[k].type)->bits == 64; }
  // Whether such an end has a number of the counter's type for sure: it is in the program (`n - 1` and one more), or no larger than the
  // index of an element: that isn't so for `a[i - first]`.
  bool isBelowTheLimit(std::size_t k) const {
    return isWide(k) || isSmall(levels_[k].endForm) || isVariable(levels_[k].endForm, [&](long long c) { return c <= -mostOf(k); }) ||
           std::none_of(groups_.begin(), groups_.end(), [&](const Group& g) { return isShifted(g.index, k); });
  }
  bool isAboveTheLimit(std::size_t k) const {
    return isWide(k) || isSmall(levels_[k].lowForm) || isVariable(levels_[k].lowForm, [&](long long c) { return c >= -leastOf(k); }) ||
           std::none_of(groups_.begin(), groups_.end(), [&](const Group& g) { return isShifted(g.index, k); });
  }
  static bool isSmall(const Polynomial& p) { return analysis::isNumber(p) && std::llabs(analysis::numberOf(p)) < kLargest / 2; }
  template <class Enough>
  static bool isVariable(const Polynomial& p, const Enough& enough) {
    long long constant = 0;
    int variables = 0;
    for (const auto& [monomial, factor] : p) {
      if (monomial.empty()) constant = factor;
      else if (monomial.size() == 1 && factor == 1) ++variables;
      else return false;
    }
    return variables == 1 && enough(constant);
  }
  // Whether the index is more than a sum of counters, times extents, and of numbers of rows and elements between neighbours.
  bool isShifted(const Polynomial& index, std::size_t k) const {
    std::set<analysis::Monomial> strides{{}};
    Polynomial rest = index;
    for (const Level& level : levels_) {
      Polynomial stride, next;
      if (!analysis::split(rest, level.loop.counter, stride, next)) return true;
      for (const auto& [monomial, factor] : stride) {
        strides.insert(monomial);
        if (factor < 0 && level.loop.counter == levels_[k].loop.counter) return true;
      }
      rest = next;
    }
    return std::any_of(rest.begin(), rest.end(), [&](const auto& part) { return strides.count(part.first) == 0 || std::llabs(part.second) > kLargest / 2; });
  }
  void mustHold(ExprId& condition, BinaryOp op, const Polynomial& end, long long limit) {
    const ExprId one = f_.addExpr(Binary{op, ranges_.valueOf(end), algebra_.literal(limit, long_)}, algebra_.boolType());
    condition = both(condition, one);
  }

  // A number that all iterations add to, in loops of its own, in front of what they write.
  StmtId addedUp(const StripBody::Sum& sum) {
    Block body;
    for (const auto& [value, subtract] : sum.terms) body.push_back(add(Increment{sum.place, at(value, none()), subtract}));
    for (std::size_t k = levels_.size(); k-- > 0;) body = {loopOver(k, levels_[k].low, levels_[k].end, std::move(body))};
    return body.front();
  }
  Block single() {
    Block out;
    for (const Group& g : groups_) {
      const Block now = inner(g, 0, g.least[0], g.most[0], &g == &groups_.back());
      out.insert(out.end(), now.begin(), now.end());
    }
    return out;
  }
  // First what the values are that read what is written.
  Block writesOf(const Shift& by) {
    Block values, out;
    for (const StripBody::Write& w : body_.writes) {
      if (!w.value.valid()) {
        out.push_back(add(SetZero{at(w.place, by)}));
        continue;
      }
      ExprId value = at(w.value, by);
      if (!w.own && body_.writes.size() > 1) {
        const VarId name = newVar(f_[rootVar(f_, w.place)].name + "_next", withoutConst(m_, f_[w.place].type));
        values.push_back(declare(name, algebra_.cast(value, f_[w.place].type)));
        value = var(name);
      }
      out.push_back(add(Assign{at(w.place, by), value}));
    }
    values.insert(values.end(), out.begin(), out.end());
    return values;
  }
  StmtId outermost() {
    int least = 0, most = 0;
    for (const Group& g : groups_) {
      least = std::min(least, g.least[0]);
      most = std::max(most, g.most[0]);
    }
    Block rows;
    for (const Group& g : groups_) {
      const Block now = inner(g, 1, least, most);
      rows.insert(rows.end(), now.begin(), now.end());
    }
    if (!body_.writes.empty()) {
      // What was needed for the last time.
      Shift by = none();
      by[0] = -most;
      Block writes = writesOf(by);
      for (std::size_t k = levels_.size(); k-- > 1;) writes = {loopOver(k, levels_[k].low, levels_[k].end, std::move(writes))};
      const ExprId ready = within(0, most, most, least, most);
      if (ready.valid()) writes = {add(If{ready, std::move(writes), {}})};
      rows.insert(rows.end(), writes.begin(), writes.end());
    }
    return loopOver(0, plus(levels_[0].low, least), plus(levels_[0].end, most), std::move(rows));
  }
  // The loops inside number k - 1. `least`, `most`: how far the outermost goes beyond the iterations. `writes`: with what they write.
  Block inner(const Group& g, std::size_t k, int least, int most, bool writes = false) {
    if (k + 1 < levels_.size())
      return {loopOver(k, plus(levels_[k].low, g.least[k]), plus(levels_[k].end, g.most[k]), inner(g, k + 1, least, most))};
    const Level& level = levels_[k];
    const ExprId first = plus(level.low, g.least[k]), last = plus(level.end, g.most[k]);
    // Where all terms are there.
    ExprId inside;
    for (std::size_t o = 0; o < k; ++o)
      inside = within(o, g.most[o], g.least[o], o == 0 ? least : g.least[o], o == 0 ? most : g.most[o], inside);
    const ExprId begin = plus(level.low, g.most[k]), end = plus(level.end, g.least[k]);
    ExprId sum;
    Block guarded;
    for (const Term& t : g.terms) {
      Shift back = t.by;
      for (int& by : back) by = -by;
      const ExprId value = at(t.value, back);
      sum = t.subtract ? (sum.valid() ? algebra_.subtract(sum, value) : algebra_.negate(value)) : algebra_.add(sum, value);
      ExprId there;
      for (std::size_t o = 0; o < levels_.size(); ++o)
        there = within(o, t.by[o], t.by[o], o == 0 ? least : g.least[o], o == 0 ? most : g.most[o], there);
      StmtId one = add(Increment{at(g.place, none()), value, t.subtract});
      if (there.valid()) one = add(If{there, {one}, {}});
      guarded.push_back(one);
    }
    Block all{add(Increment{at(g.place, none()), sum, false})};
    if (writes) {
      // What was needed for the last time.
      const Block now = writesOf({-g.most[0]});
      all.insert(all.end(), now.begin(), now.end());
    }
    if (g.least == none() && g.most == none() && !inside.valid()) return {loopOver(k, first, last, std::move(all))};
    Block out;
    if (inside.valid()) {
      const VarId name = newVar("inside", algebra_.boolType());
      out.push_back(declare(name, inside));
      inside = var(name);
    }
    const TypeId int_ = m_.type(IntType{32, true, "int"});
    const VarId side = newVar("side", int_);
    ExprId from = begin, to;
    if (const auto low = algebra_.constant(begin), high = algebra_.constant(end); low && high && !inside.valid()) {
      to = *high > *low ? end : begin;
    } else {
      const VarId fromName = newVar("from", level.type), toName = newVar("to", level.type);
      out.push_back(declare(fromName, inside.valid() ? choose(inside, begin, last) : begin));
      from = var(fromName);
      const ExprId beyond = compare(BinaryOp::Gt, end, from);
      out.push_back(declare(toName, choose(both(inside, beyond), end, from)));
      to = var(toName);
    }
    const ExprId left = compare(BinaryOp::Eq, var(side), algebra_.literal(0, int_));
    const ExprId sideFirst = choose(left, first, to), sideLast = choose(left, from, last);
    out.push_back(add(For{side, algebra_.literal(0, int_), BinaryOp::Lt, algebra_.literal(2, int_), algebra_.literal(1, int_),
                          {loopOver(k, sideFirst, sideLast, std::move(guarded))}}));
    out.push_back(loopOver(k, from, to, std::move(all)));
    if (Block rest = writes ? writesOf(none()) : Block(); !rest.empty())
      out.push_back(loopOver(k, plus(to, -g.most[0]), level.end, std::move(rest)));
    return out;
  }
  ExprId choose(ExprId condition, ExprId a, ExprId b) { return f_.addExpr(Conditional{condition, a, b}, f_[a].type); }
  VarId newVar(const std::string& name, TypeId type) {
    Var v;
    v.name = name;
    v.type = type;
    v.isTemporary = true;
    return f_.addVar(std::move(v));
  }
  StmtId declare(VarId v, ExprId value) { return add(Declare{v, Init::Value, {value}, Storage::Automatic, {}}); }

  Module& m_;
  Function& f_;
  rules::Algebra algebra_;
  RangeExpressions ranges_;
  const std::vector<StmtId>& loops_;
  const StripBody& body_;
  const TypeId long_;
  std::vector<Level> levels_;
  std::map<VarId, ExprId> values_;                 // integers of the outer loops' bodies
  std::map<VarId, std::size_t> levelOf_;           // the loops in whose bodies they stand
  std::map<VarId, std::vector<long long>> steps_;  // how they change with each counter
  std::map<VarId, ExprId> locals_;                 // of the innermost body
  std::vector<Group> groups_;
  std::vector<const StripBody::Sum*> numbers_;  // of the function's own, not elements
};

}  // namespace

std::optional<GatheredNest> gatherNest(Module& module, Function& function, const std::vector<StmtId>& loops, const StripBody& body) {
  return Gather(module, function, loops, body).run();
}

}  // namespace contraflow::transform
