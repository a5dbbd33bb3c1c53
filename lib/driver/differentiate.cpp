#include "driver/differentiate.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "analysis/call_graph.hpp"
#include "analysis/disjoint_pointers.hpp"
#include "analysis/points_to.hpp"
#include "ir/printer.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint.hpp"
#include "transform/ascending_loops.hpp"
#include "transform/buffer_increments.hpp"
#include "transform/drop_after_image.hpp"
#include "transform/drop_zeros.hpp"
#include "transform/force_checkpoints.hpp"
#include "transform/prepare_adjoint.hpp"
#include "transform/parameter_sums.hpp"
#include "transform/settle_reciprocals.hpp"
#include "transform/share_values.hpp"
#include "transform/simplify.hpp"
#include "transform/split_objects.hpp"
#include "transform/strip_increments.hpp"
#include "transform/structure_jumps.hpp"
#include "transform/tangent.hpp"
#include "transform/tidy_locals.hpp"
#include "transform/version_loops.hpp"

namespace contraflow::driver {
namespace {

// Without those that nothing calls any more.
std::vector<ir::FuncId> called(const ir::Module& module, const std::vector<ir::FuncId>& functions,
                               const std::vector<ir::FuncId>& exported) {
  std::set<ir::FuncId> reached(exported.begin(), exported.end());
  std::vector<ir::FuncId> next = exported;
  while (!next.empty()) {
    const ir::Function& f = module[next.back()];
    next.pop_back();
    ir::walkStmts(f, f.body, [&](ir::StmtId s) {
      if (const auto* call = std::get_if<ir::Call>(&f[s].node); call && reached.insert(call->callee).second)
        next.push_back(call->callee);
    });
  }
  std::vector<ir::FuncId> out;
  std::copy_if(functions.begin(), functions.end(), std::back_inserter(out), [&](ir::FuncId f) { return reached.count(f) != 0; });
  return out;
}

std::vector<ir::Head> headsOf(const Run& run, ir::HeadMode mode) {
  std::vector<ir::Head> out;
  for (const ir::Head& head : run.module.heads)
    if (head.mode == mode && head.ofDerivative.empty()) out.push_back(head);
  return out;
}

bool makeTangents(Run& run, const std::vector<ir::Head>& heads) {
  if (heads.empty()) return true;
  const auto made = transform::differentiateTangent(run.module, heads, run.diags,
                                                    run.options.checkLines && heads.front().ofDerivative.empty());
  if (!made) return false;
  auto& functions = run.derivatives.functions;
  functions.insert(functions.end(), made->functions.begin(), made->functions.end());
  for (const transform::TangentResult& t : made->heads) {
    run.derivatives.exported.push_back(t.function);
    run.derivatives.tangentHeads.push_back(t);
  }
  return true;
}

template <class F>
void forEachPrimal(Run& run, F f) {
  for (std::size_t k = 0; k < run.module.functions.size(); ++k)
    if (run.module.functions[k].kind == ir::FunctionKind::Primal && run.module.functions[k].hasBody) f(k);
}

void reportNoShadow(Run& run, const analysis::UnshadowedWrite& w) {
  const ir::Function& f = run.primal[w.function];
  run.diags.report(DiagId::NoShadow, f[w.stmt].loc, {w.memory});
}

void reportResized(Run& run, const analysis::UnshadowedWrite& w) {
  const ir::Function& f = run.primal[w.function];
  run.diags.report(DiagId::ResizedMemory, f[w.stmt].loc, {w.memory});
}

void reportLifetime(Run& run, const analysis::Facts::Lifetime& l) {
  const ir::Function& f = run.primal[l.function];
  const bool frees = std::holds_alternative<ir::Free>(f[l.stmt].node);
  run.diags.report(DiagId::MemoryOutlives, f[l.stmt].loc,
                   {frees ? "memory is freed that the differentiated function may not have allocated"
                          : "the memory that is allocated here may outlive the differentiated function"});
}

// Parallel loops whose buffers may turn out to lie apart. Of use only to analyses that know what to do with that.
void versionLoops(Run& run, const std::vector<ir::Head>& heads) {
  const Options& options = run.options;
  const auto left = [&](const char* name) { return options.without.count(name) != 0; };
  if (!options.analysis || options.recompute == Recompute::Never || left("loop-versions")) return;
  if (left("points-to") || left("recompute") || left("exclusive")) return;
  bool any = false;
  forEachPrimal(run, [&](std::size_t k) { any = any || transform::hasLoopsToVersion(run.module.functions[k]); });
  if (!any) return;
  const ir::Module before = run.module;  // what the facts are about
  const analysis::CallGraph graph = analysis::computeCallGraph(before);
  const analysis::PointsTo pointsTo = analysis::computePointsTo(before, heads, graph, options.noAlias);
  const analysis::DisjointPointers disjoint = analysis::computeDisjointPointers(before, pointsTo, heads, options.noAlias);
  forEachPrimal(run, [&](std::size_t k) {
    const ir::FuncId f(static_cast<std::uint32_t>(k));
    if (pointsTo.knows(f)) transform::versionLoops(run.module, f, pointsTo, disjoint);
  });
}

// A checkpoint that belongs to nothing in the code to be differentiated, though it stands inside.
void refuseLostCheckpoints(Run& run) {
  for (const auto& [place, checkpoint] : run.annotations.checkpoints) {
    const auto& [file, line, column] = place;
    bool found = false, inside = false;
    forEachPrimal(run, [&, file = file, line = line, column = column](std::size_t k) {
      const ir::Function& f = run.module.functions[k];
      std::uint32_t last = 0;
      ir::walkStmts(f, f.body, [&](ir::StmtId s) {
        const ir::SourceLoc at = f[s].loc;
        if (at.file != file) return;
        last = std::max(last, at.line);
        const bool isLoop = std::holds_alternative<ir::For>(f[s].node) || std::holds_alternative<ir::While>(f[s].node);
        found = found || (isLoop && at.line == line && at.column == column);
      });
      inside = inside || (f.loc.file == file && f.loc.line <= line && line <= last);
    });
    if (inside && !found)
      run.diags.report(DiagId::NotDifferentiable, {file, line, column},
                       {"this can't be checkpointed: it is no loop or block of its own", "put it into braces, and the annotation before these"});
  }
}

// The facts, and with --recompute=always the loops that are reversed from snapshots. (Second derivatives of these aren't supported:
// a run that asks for any has none.)
void computeFacts(Run& run, const std::vector<ir::Head>& heads) {
  analysis::Options options;
  options.without = run.options.without;
  options.noalias = run.options.noAlias;
  options.annotations = &run.annotations;
  if (run.options.recompute == Recompute::Never) options.without.insert("recompute");
  const auto compute = [&] {
    run.facts = run.options.analysis ? analysis::computeFacts(run.primal, heads, options) : analysis::conservativeFacts(run.primal, heads);
  };
  compute();
  const auto& all = run.module.heads;
  const bool second = std::any_of(all.begin(), all.end(), [](const ir::Head& h) { return !h.ofDerivative.empty(); });
  if (run.options.recompute != Recompute::Always || second) return;
  transform::forceCheckpoints(run.primal, heads, *run.facts, run.annotations);
  compute();
}

bool communicates(const ir::Module& module) {
  for (const ir::Function& f : module.functions)
    for (const ir::Stmt& s : f.stmts)
      if (std::holds_alternative<ir::Mpi>(s.node)) return true;
  return false;
}

// Of the primal program, where loops of it go on after a kill: files of another program are told apart by it.
std::uint64_t programNumber(const Run& run) {
  bool wanted = false;
  for (const auto& [place, checkpoint] : run.annotations.checkpoints) wanted = wanted || checkpoint.restart != 0;
  std::uint64_t hash = 1469598103934665603u;  // FNV-1a
  if (wanted)
    for (const ir::Function& f : run.primal.functions)
      for (const char c : ir::print(run.primal, f)) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace

bool tangents(Run& run) { return makeTangents(run, headsOf(run, ir::HeadMode::Tangent)); }

bool structure(Run& run) {
  forEachPrimal(run, [&](std::size_t k) { transform::structureJumps(run.module, run.module.functions[k]); });
  return true;
}

bool prepare(Run& run) {
  bool ok = true;
  const auto heads = headsOf(run, ir::HeadMode::Adjoint);
  if (heads.empty()) return ok;
  forEachPrimal(run,
                [&](std::size_t k) { ok = transform::prepareAdjoint(run.module, run.module.functions[k], run.diags, &run.annotations) && ok; });
  refuseLostCheckpoints(run);
  ok = ok && run.diags.errors() == 0;
  if (ok && run.options.analysis && run.options.without.count("split-objects") == 0)
    forEachPrimal(run, [&](std::size_t k) { transform::splitObjects(run.module, run.module.functions[k]); });
  if (ok) versionLoops(run, heads);
  return ok;
}

bool analyse(Run& run) {
  // Facts are about the primal program as it is now: a copy, since the transformations add to the module.
  run.primal = run.module;
  const auto heads = headsOf(run, ir::HeadMode::Adjoint);
  if (heads.empty()) return true;
  computeFacts(run, heads);
  if (!run.options.analysis) {
    // What needs a shadow that the head doesn't give is refused all the same: the oracle would lose its adjoint at a null shadow.
    analysis::Options options;
    options.noalias = run.options.noAlias;
    options.annotations = &run.annotations;
    const auto sharp = analysis::computeFacts(run.primal, heads, options);
    for (const analysis::UnshadowedWrite& w : sharp->unshadowedWrites()) reportNoShadow(run, w);
    for (const analysis::UnshadowedWrite& w : sharp->resizedMemory()) reportResized(run, w);
    for (const analysis::Facts::Lifetime& l : sharp->lifetimes()) reportLifetime(run, l);
  }
  for (const analysis::UnshadowedWrite& w : run.facts->unshadowedWrites()) reportNoShadow(run, w);
  for (const analysis::UnshadowedWrite& w : run.facts->resizedMemory()) reportResized(run, w);
  for (const analysis::Facts::Lifetime& l : run.facts->lifetimes()) reportLifetime(run, l);
  return run.diags.errors() == 0;
}

bool adjoints(Run& run) {
  const auto heads = headsOf(run, ir::HeadMode::Adjoint);
  if (heads.empty()) return true;
  transform::AdjointOptions options;
  options.afterImage = run.options.afterImage;
  options.alwaysAtomic = run.options.ompAdjoint == OmpAdjoint::Atomic;
  options.audit = run.options.audit;
  options.trace = run.options.checkLines;
  options.noAlias = run.options.noAlias;
  // What is traced is reversed in the exact opposite order, each addition by itself.
  const bool rearrange = run.options.analysis && !run.options.checkLines;
  options.fuse = rearrange && run.options.without.count("fused-sweeps") == 0;
  options.annotations = &run.annotations;
  options.tapeBlocks = run.options.analysis && run.options.without.count("tape-blocks") == 0;
  options.hoistIncrements = rearrange && run.options.without.count("hoisting") == 0;
  options.joinCalls = rearrange && run.options.without.count("joint-calls") == 0;
  options.usesMpi = communicates(run.module);
  options.program = programNumber(run);
  const auto made = transform::differentiateAdjoint(run.module, heads, *run.facts, options, run.diags);
  if (!made) return false;
  run.derivatives.audited = options.audit;
  run.derivatives.traced = options.trace;
  auto& functions = run.derivatives.functions;
  functions.insert(functions.end(), made->functions.begin(), made->functions.end());
  for (const transform::AdjointResult& a : made->heads) {
    run.derivatives.exported.push_back(a.function);
    run.derivatives.exported.push_back(a.wrapper);
    run.derivatives.adjointHeads.push_back(a);
  }
  return true;
}

bool tangentsOfDerivatives(Run& run) {
  if (!resolveHeadsOfDerivatives(run.heads, run.module, run.diags)) return false;
  std::vector<ir::Head> heads;
  for (const ir::Head& head : run.module.heads)
    if (!head.ofDerivative.empty()) heads.push_back(head);
  return makeTangents(run, heads);
}

bool simplifyDerivatives(Run& run) {
  for (ir::FuncId f : run.derivatives.functions) {
    transform::simplify(run.module, run.module[f]);
    if (run.options.analysis && run.options.without.count("share-values") == 0) transform::shareValues(run.module, run.module[f]);
    transform::settleReciprocals(run.module, run.module[f]);
    const bool sums = run.options.analysis && !run.options.checkLines && run.options.without.count("parameter-sums") == 0;
    if (sums) transform::sumParameters(run.module, run.module[f]);
    if (run.options.analysis && run.options.without.count("tidy-locals") == 0) {
      transform::dropZeros(run.module, run.module[f]);
      transform::tidyLocals(run.module, run.module[f]);
    }
    // Last: nothing asks any more which statements an iteration consists of. (What is traced line by line isn't rearranged.)
    const bool strips = run.options.analysis && !run.options.checkLines && !run.options.audit;
    if (strips && run.options.without.count("strips") == 0)
      transform::stripIncrements(run.module, run.module[f], run.options.without.count("gather") == 0);
    if (strips && run.options.without.count("ascending-loops") == 0) transform::ascendLoops(run.module, run.module[f]);
    const bool buffers = strips && run.options.ompAdjoint == OmpAdjoint::Auto;
    if (buffers && run.options.without.count("buffers") == 0) transform::bufferIncrements(run.module, run.module[f]);
  }
  transform::dropAfterImages(run.module, run.derivatives.functions);
  run.derivatives.functions = called(run.module, run.derivatives.functions, run.derivatives.exported);
  return true;
}

}  // namespace contraflow::driver
