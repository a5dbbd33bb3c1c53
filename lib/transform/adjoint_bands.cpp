// A free worksharing loop cut into bands, so that its increments need no atomics: runtime/include/contraflow/bands.hpp.
//
//     const long apart = contraflow::omp::conflictDistance(trips, contraflow::omp::reach(u_b, row, …), …);
//     for (int part = 0; part < 2; ++part) {
//       for (long number = bandFirst(trips, apart, part); number < bandLast(trips, apart, part); ++number) { const int j = …; … }
//       #pragma omp barrier
//     }
#include <algorithm>

#include "ir/printer.hpp"
#include "transform/adjoint_builder.hpp"

namespace contraflow::transform {

using namespace ir;
using analysis::Polynomial;

namespace {

// What one `reach` says.
struct Group {
  ExprId base, stride;
  std::map<Polynomial, std::pair<long long, long long>> offsets;  // without its constant term: the least and the greatest of these
};

}  // namespace

// The loop body with its banded increments made plain; atomic where the loop names a spoiler. True if any are plain.
bool AdjointBuilder::settleBands(Block& block, const analysis::Bands& bands) {
  bool any = false;
  block = replaceSharing(block, [&](const SharedIncrement& i) -> StmtNode {
    if (i.strategy != Strategy::Banded) return i;
    const std::set<ExprId>& spoilers = bands.places.at(bandedTargets_.at(i.target));
    const bool spoiled = std::any_of(spoilers.begin(), spoilers.end(), [&](ExprId p) { return touched_.count(p) != 0; });
    if (spoiled || bandsSpoiled_) return SharedIncrement{i.target, i.value, i.subtract, Strategy::Atomic, i.alone};
    any = true;
    return Increment{i.target, i.value, i.subtract};
  });
  return any;
}

// A shadow is named in the current loop.
void AdjointBuilder::touched(ExprId place) {
  if (!bandsNow_) return;
  touched_.insert(place);
  // Bands know the places of the primal. Others must be the thread's own.
  const bool ofPrimal = place.index() < m_[variant_.primal].exprs.size();
  const bool known = ofPrimal && (bandsNow_->places.count(place) != 0 || facts_.active(variant_.primal, place));
  if (!known && !isPrivatePlace(place)) bandsSpoiled_ = true;
}

// The value of a polynomial: in `long`, unless it is a 64-bit or signed variable and a number. The program's own arithmetic may be wider
// than the variables' types.
ExprId AdjointBuilder::valueOf(const Polynomial& p, const std::map<VarId, ExprId>& atoms) {
  const auto part = [&](VarId v) {
    const auto atom = atoms.find(v);
    return atom == atoms.end() ? var(v) : atom->second;
  };
  TypeId type = long_;
  if (const auto variables = analysis::variablesOf(p); variables.size() == 1 && p.count({*variables.begin()}) != 0 && p.size() <= 2) {
    const TypeId own = withoutConst(m_, f_[part(*variables.begin())].type);
    const auto* integer = as<IntType>(m_, own);
    if (integer && (integer->isSigned || integer->bits == 64) && p.at({*variables.begin()}) == 1) type = own;
  }
  ExprId sum;
  for (const auto& [monomial, coefficient] : p) {
    ExprId term = algebra_.literal(static_cast<long double>(coefficient < 0 ? -coefficient : coefficient), type);
    for (VarId v : monomial) term = algebra_.multiply(term, algebra_.cast(part(v), type));
    if (!sum.valid())
      sum = coefficient < 0 ? algebra_.negate(term) : term;
    else
      sum = coefficient < 0 ? algebra_.subtract(sum, term) : algebra_.add(sum, term);
  }
  return sum.valid() ? sum : algebra_.literal(0, type);
}

// The farthest that two iterations that meet can lie apart.
ExprId AdjointBuilder::conflictDistance(ExprId trips, const analysis::Bands& bands) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> found;
  for (const analysis::AffineAccess& a : bands.accesses) {
    // The thread's own memory is at another address for each; the distance must be the same for all.
    if (touched_.count(a.place) == 0 || isPrivatePlace(a.place)) continue;
    const ExprId base = shadowBase(a.base);
    if (std::holds_alternative<Literal>(f_[base].node)) continue;  // without shadow
    const ExprId stride = valueOf(a.stride, bands.atoms);
    const auto [at, fresh] = found.emplace(print(m_, f_, base) + " by " + print(m_, f_, stride), groups.size());
    if (fresh) groups.push_back({base, stride, {}});
    for (Polynomial o : a.offsets) {
      const long long number = analysis::numberOf(o);
      o.erase(analysis::Monomial{});
      const auto [range, first] = groups[at->second].offsets.emplace(o, std::make_pair(number, number));
      range->second = {std::min(range->second.first, number), std::max(range->second.second, number)};
    }
  }
  std::vector<ExprId> args{trips};
  for (const Group& g : groups) {
    std::vector<ExprId> reach{g.base, g.stride};
    for (const auto& [variable, range] : g.offsets)
      for (const long long number : {range.first, range.second}) {
        Polynomial offset = variable;
        if (number != 0) offset[{}] = number;
        reach.push_back(valueOf(offset, bands.atoms));
        if (range.first == range.second) break;
      }
    args.push_back(pureCall("contraflow::omp::reach", std::move(reach), long_));
  }
  return pureCall("contraflow::omp::conflictDistance", std::move(args), long_);
}

// A pointer to the first element of the shadow of what a subscript is applied to.
ExprId AdjointBuilder::shadowBase(ExprId base) {
  if (isPointer(f_[base].type)) return shadows_.pointer(base);
  const auto* array = as<ArrayType>(m_, f_[base].type);
  const auto* container = as<ContainerType>(m_, f_[base].type);
  const TypeId type = pointerTo(withoutConst(m_, array ? array->element : container->element));
  return shadows_.pointer(array ? f_.addExpr(Decay{base}, type) : f_.addExpr(DataOf{base}, type));
}

Block AdjointBuilder::bandedLoop(const std::vector<StmtId>& nest, const analysis::Bands& bands, Block iteration) {
  if (nest.size() > 1) iteration = {wrapNest({nest.begin() + 1, nest.end()}, std::move(iteration))};
  const For loop = std::get<For>(f_[nest.front()].node);
  const VarId trips = newVar("trips", long_), apart = newVar("apart", long_);
  const VarId part = newVar("part", int_), number = newVar("number", long_);
  const VarId from = newVar("first", long_), last = newVar("last", long_);
  Block out{declareVar(trips, Init::Value, {tripCount(loop)}),
            declareVar(apart, Init::Value, {conflictDistance(var(trips), bands)})};
  const std::vector<ExprId> where{var(trips), var(apart), var(part)};
  iteration.insert(iteration.begin(), declareCounter(loop, number));
  const ExprId first = pureCall("contraflow::omp::bandFirst", where, long_);
  Block both{declareVar(from, Init::Value, {first}),
             declareVar(last, Init::Value, {pureCall("contraflow::omp::bandLast", where, long_)}),
             add(For{number, var(from), BinaryOp::Lt, var(last), literal("1", long_), std::move(iteration)}), add(OmpBarrier{})};
  out.push_back(add(For{part, literal("0", int_), BinaryOp::Lt, literal("2", int_), literal("1", int_), std::move(both)}));
  return out;
}

}  // namespace contraflow::transform
