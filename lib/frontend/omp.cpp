// OpenMP directives to IR.
//
//     #pragma omp parallel for reduction(+ : s) private(t)
//     for (int i = 0; i < n; ++i) s += f(i);
//
// becomes an OmpParallel (private t) whose body is exactly one OmpFor (reduction s) over a counted loop. Each private, firstprivate,
// lastprivate and reduction copy is a variable of its own with its original's name, which the body names instead. Worksharing
// needs its parallel region in the same function, so that the transformation sees both. Everything else is refused by name.
#include <algorithm>
#include <set>

#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/OpenMPClause.h"
#include "frontend/omp_clauses.hpp"
#include "ir/match.hpp"

namespace contraflow::frontend {
namespace {

using clang::OMPExecutableDirective;

std::string nameOf(const OMPExecutableDirective* directive) {
  return "'#pragma omp " + llvm::omp::getOpenMPDirectiveName(directive->getDirectiveKind()).str() + "'";
}

// The directives around `target`, outermost first; false if it isn't inside of `root`.
bool findAround(const clang::Stmt* root, const clang::Stmt* target, std::vector<const OMPExecutableDirective*>& around) {
  if (!root) return false;
  if (root == target) return true;
  if (const auto* directive = llvm::dyn_cast<OMPExecutableDirective>(root)) {
    // A captured statement isn't among its directive's children.
    around.push_back(directive);
    if (directive->hasAssociatedStmt() && findAround(directive->getRawStmt(), target, around)) return true;
    around.pop_back();
    return false;
  }
  for (const clang::Stmt* child : root->children())
    if (findAround(child, target, around)) return true;
  return false;
}

const clang::VarDecl* counterOf(const clang::Stmt* loop) {
  const auto* f = llvm::dyn_cast_or_null<clang::ForStmt>(loop);
  if (!f || !f->getInit()) return nullptr;
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(f->getInit()))
    return declaration->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl()) : nullptr;
  const auto* init = llvm::dyn_cast<clang::Expr>(f->getInit());
  const auto* assignment = init ? llvm::dyn_cast<clang::BinaryOperator>(init->IgnoreParenImpCasts()) : nullptr;
  if (!assignment || assignment->getOpcode() != clang::BO_Assign) return nullptr;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParenImpCasts());
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

bool mentions(const clang::Stmt* s, const clang::VarDecl* variable) {
  if (!s) return false;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s);
  if (name && name->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl()) return true;
  for (const clang::Stmt* child : s->children())
    if (mentions(child, variable)) return true;
  return false;
}

class OmpLowering {
 public:
  OmpLowering(FunctionLowering& f, const OMPExecutableDirective* directive, const clang::Stmt* functionBody,
              std::set<const clang::Stmt*>& collapsed)
      : f_(f), directive_(directive), at_(directive->getBeginLoc()), functionBody_(functionBody), collapsed_(collapsed) {}

  void lower() {
    if (!checkPlace()) return;
    switch (directive_->getDirectiveKind()) {
      case llvm::omp::OMPD_parallel: return lowerParallel();
      case llvm::omp::OMPD_for: return lowerFor(/*simd=*/false);
      case llvm::omp::OMPD_for_simd: return lowerFor(/*simd=*/true);
      case llvm::omp::OMPD_parallel_for: return lowerParallelFor(/*simd=*/false);
      case llvm::omp::OMPD_parallel_for_simd: return lowerParallelFor(/*simd=*/true);
      case llvm::omp::OMPD_simd: return lowerSimd();
      case llvm::omp::OMPD_single: return lowerSingle();
      case llvm::omp::OMPD_master:
      case llvm::omp::OMPD_masked: return lowerMaster();
      case llvm::omp::OMPD_barrier: f_.emit(ir::OmpBarrier{}, at_); return;
      case llvm::omp::OMPD_atomic: return lowerOmpAtomic(f_, directive_);
      default:
        return refuse(nameOf(directive_),
                      "parallel, for, simd, their combinations, single, master, barrier and atomic update are");
    }
  }

 private:
  void refuse(const std::string& what, const std::string& wayOut) { f_.reject(DiagId::UnsupportedOmp, at_, {what, wayOut}); }

  // Worksharing stands in a parallel region of the same function, and regions don't nest.
  bool checkPlace() {
    std::vector<const OMPExecutableDirective*> around;
    findAround(functionBody_, directive_, around);
    bool inRegion = false;
    for (const OMPExecutableDirective* d : around) inRegion |= clang::isOpenMPParallelDirective(d->getDirectiveKind());
    switch (directive_->getDirectiveKind()) {
      case llvm::omp::OMPD_parallel:
      case llvm::omp::OMPD_parallel_for:
      case llvm::omp::OMPD_parallel_for_simd:
        if (inRegion) refuse(nameOf(directive_) + " inside of another parallel region", "use one region");
        return !inRegion;
      case llvm::omp::OMPD_for:
      case llvm::omp::OMPD_for_simd:
      case llvm::omp::OMPD_single:
      case llvm::omp::OMPD_master:
      case llvm::omp::OMPD_masked:
      case llvm::omp::OMPD_barrier:
        if (!inRegion)
          refuse(nameOf(directive_) + " outside of a parallel region of the same function",
                 "put '#pragma omp parallel' around it in this function");
        return inRegion;
      default: return true;
    }
  }

  // --- data sharing --------------------------------------------------------------------------------------------------------

  // Makes a copy for each name; its original is the place that the name denotes until `bindCopies`.
  std::vector<ir::CopyOf> makeCopies(const std::vector<const clang::DeclRefExpr*>& names) {
    std::vector<ir::CopyOf> copies;
    for (const clang::DeclRefExpr* name : names) {
      const auto* variable = llvm::cast<clang::VarDecl>(name->getDecl());
      const ir::ExprId original = f_.lowerPlace(name);
      const ir::TypeId type = f_.valueType(variable->getType(), name->getBeginLoc());
      const ir::VarId copy = f_.addVariable(variable->getNameAsString(), type, name->getBeginLoc());
      copies.push_back({copy, original});
      toBind_.emplace_back(variable, copy);
    }
    return copies;
  }
  void bindCopies() {
    for (const auto& [variable, copy] : toBind_) f_.bind(variable, copy);
    toBind_.clear();
  }

  // A loop's counter is private by itself, also where a clause says so.
  bool dropCounters(OmpClauses& clauses) {
    const clang::Stmt* loop = directive_->getRawStmt();
    bool ok = true;
    for (unsigned k = 0; k < clauses.collapse && loop; ++k) {
      const clang::VarDecl* counter = counterOf(loop);
      const auto isCounter = [&](const clang::DeclRefExpr* name) {
        return counter && name->getDecl()->getCanonicalDecl() == counter->getCanonicalDecl();
      };
      auto& privates = clauses.privates;
      privates.erase(std::remove_if(privates.begin(), privates.end(), isCounter), privates.end());
      if (std::any_of(clauses.lastprivates.begin(), clauses.lastprivates.end(), isCounter)) {
        refuse("lastprivate of the loop's counter '" + counter->getNameAsString() + "'",
               "compute its last value behind the loop");
        ok = false;
      }
      loop = innerLoop(loop);
    }
    for (const clang::DeclRefExpr* last : clauses.lastprivates)
      for (const clang::DeclRefExpr* first : clauses.firstprivates)
        if (last->getDecl()->getCanonicalDecl() == first->getDecl()->getCanonicalDecl()) {
          refuse("'" + last->getDecl()->getNameAsString() + "' both firstprivate and lastprivate",
                 "use two variables, one for what goes in and one for what comes out");
          ok = false;
        }
    return ok;
  }

  std::vector<ir::ExprId> lowerShared(const OmpClauses& clauses) {
    std::vector<ir::ExprId> places;
    for (const clang::DeclRefExpr* name : clauses.shared) places.push_back(f_.lowerPlace(name));
    return places;
  }

  // --- loops ---------------------------------------------------------------------------------------------------------------

  static const clang::Stmt* bodyOf(const clang::Stmt* loop) {
    if (const auto* f = llvm::dyn_cast_or_null<clang::ForStmt>(loop)) return f->getBody();
    if (const auto* r = llvm::dyn_cast_or_null<clang::CXXForRangeStmt>(loop)) return r->getBody();
    return nullptr;
  }
  // The loop that is all of this one's body.
  static const clang::Stmt* innerLoop(const clang::Stmt* loop) {
    const clang::Stmt* body = bodyOf(loop);
    while (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body)) {
      if (block->size() != 1) return nullptr;
      body = block->body_front();
    }
    return bodyOf(body) ? body : nullptr;
  }

  // The associated loops as perfectly nested Fors, what runs before them in the current block. None: reported.
  std::optional<ir::StmtId> lowerLoops(const OmpClauses& clauses) {
    const clang::Stmt* outer = directive_->getRawStmt();
    if (!checkCollapse(outer, clauses.collapse)) return std::nullopt;
    const std::optional<ir::StmtId> loop = f_.lowerCountedLoop(outer, /*worksharing=*/true);
    if (!loop) {
      refuse("this loop under " + nameOf(directive_),
             "write it as 'for (int i = first; i < last; ++i)', with a step that doesn't change, and don't write the counter");
      return std::nullopt;
    }
    ir::StmtId inner = *loop;
    for (unsigned k = 1; k < clauses.collapse; ++k) {
      const ir::Block& body = std::get<ir::For>(f_.function()[inner].node).body;
      if (body.size() != 1 || !std::holds_alternative<ir::For>(f_.function()[body[0]].node)) {
        refuse("'collapse(" + std::to_string(clauses.collapse) + ")' over these loops",
               "give the inner loops bounds that are variables or constants, and nothing between the loops");
        return std::nullopt;
      }
      inner = body[0];
    }
    return loop;
  }

  // Loops of a collapse are counted by OpenMP's rules; their bounds don't depend on outer counters.
  bool checkCollapse(const clang::Stmt* outer, unsigned count) {
    std::vector<const clang::VarDecl*> counters;
    const clang::Stmt* loop = outer;
    for (unsigned k = 0; k < count && loop; ++k, loop = innerLoop(loop)) {
      const auto* f = llvm::dyn_cast<clang::ForStmt>(loop);
      for (const clang::VarDecl* counter : counters)
        if (f && (mentions(f->getInit(), counter) || mentions(f->getCond(), counter) || mentions(f->getInc(), counter))) {
          refuse("'collapse' over loops whose bounds depend on each other", "collapse only loops with independent bounds");
          return false;
        }
      if (const clang::VarDecl* counter = counterOf(loop)) counters.push_back(counter);
      if (k > 0) collapsed_.insert(loop);
    }
    return true;
  }

  // The OmpFor's own clauses; the copies are bound afterwards.
  ir::OmpFor makeFor(const OmpClauses& clauses, bool simd) {
    ir::OmpFor result;
    result.schedule = clauses.schedule;
    if (clauses.chunk) result.chunk = f_.lowerExpr(clauses.chunk);
    result.collapse = clauses.collapse;
    result.nowait = clauses.nowait;
    result.simd = simd;
    result.data.lastprivates = makeCopies(clauses.lastprivates);
    result.data.reductions = makeCopies(clauses.reductions);
    return result;
  }

  std::optional<OmpClauses> readLoopClauses() {
    std::optional<OmpClauses> clauses = readOmpClauses(f_, directive_);
    if (!clauses || !dropCounters(*clauses) || !checkReductionUses(f_, directive_, clauses->reductions)) return std::nullopt;
    return clauses;
  }

  void lowerFor(bool simd) {
    std::optional<OmpClauses> clauses = readLoopClauses();
    if (!clauses) return;
    FunctionLowering::BindingScope scope(f_);
    ir::OmpFor result = makeFor(*clauses, simd);
    result.data.privates = makeCopies(clauses->privates);
    result.data.firstprivates = makeCopies(clauses->firstprivates);
    const std::vector<std::pair<const clang::VarDecl*, ir::VarId>> copies = toBind_;
    bindCopies();
    const std::optional<ir::StmtId> loop = lowerOutside(*clauses, copies);
    if (!loop) return;
    result.loop = *loop;
    f_.emit(std::move(result), at_);
  }

  void lowerParallelFor(bool simd) {
    std::optional<OmpClauses> clauses = readLoopClauses();
    if (!clauses) return;
    FunctionLowering::BindingScope scope(f_);
    ir::OmpFor inner = makeFor(*clauses, simd);
    ir::OmpParallel region = makeRegion(*clauses);
    const std::vector<std::pair<const clang::VarDecl*, ir::VarId>> copies = toBind_;
    bindCopies();
    const std::optional<ir::StmtId> loop = lowerOutside(*clauses, copies);
    if (!loop) return;
    inner.loop = *loop;
    region.body.push_back(f_.function().addStmt(std::move(inner), f_.loc(at_)));
    f_.emit(std::move(region), at_);
  }

  // The loop; what has to run before it goes in front of the construct, where its copies don't exist yet.
  std::optional<ir::StmtId> lowerOutside(const OmpClauses& clauses,
                                         const std::vector<std::pair<const clang::VarDecl*, ir::VarId>>& copies) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(directive_->getRawStmt());
    const std::size_t firstNew = f_.function().stmts.size();
    ir::Block before;
    std::optional<ir::StmtId> result;
    {
      FunctionLowering::InBlock in(f_, before);
      result = lowerLoops(clauses);
    }
    if (!result) return std::nullopt;
    for (const auto& [variable, copy] : copies)
      if (!before.empty() && loop && firstNew < f_.function().stmts.size() &&
          (mentions(loop->getInit(), variable) || mentions(loop->getCond(), variable) || mentions(loop->getInc(), variable))) {
        refuse("a loop whose bounds call functions or write variables, with '" + variable->getNameAsString() + "' in a clause",
               "put the bounds into variables before the construct");
        return std::nullopt;
      }
    for (ir::StmtId s : before) {
      const ir::Stmt statement = f_.function()[s];
      f_.function()[f_.emit(statement.node, at_)].loc = statement.loc;
    }
    return result;
  }

  void lowerSimd() {
    std::optional<OmpClauses> clauses = readLoopClauses();
    if (!clauses) return;
    const auto* written = llvm::dyn_cast<clang::ForStmt>(directive_->getRawStmt());
    if (written && !llvm::isa_and_nonnull<clang::DeclStmt>(written->getInit()))
      return refuse("a loop under " + nameOf(directive_) + " whose counter is declared before it", "declare the counter in the loop");
    FunctionLowering::BindingScope scope(f_);
    ir::OmpSimd result;
    result.collapse = clauses->collapse;
    result.data.privates = makeCopies(clauses->privates);
    result.data.lastprivates = makeCopies(clauses->lastprivates);
    result.data.reductions = makeCopies(clauses->reductions);
    const std::vector<std::pair<const clang::VarDecl*, ir::VarId>> copies = toBind_;
    bindCopies();
    const std::optional<ir::StmtId> loop = lowerOutside(*clauses, copies);
    if (!loop) return;
    result.loop = *loop;
    f_.emit(std::move(result), at_);
  }

  // --- regions -------------------------------------------------------------------------------------------------------------

  ir::OmpParallel makeRegion(const OmpClauses& clauses) {
    ir::OmpParallel result;
    if (clauses.numThreads) result.numThreads = f_.lowerExpr(clauses.numThreads);
    if (clauses.ifCondition) result.ifCondition = f_.lowerCondition(clauses.ifCondition);
    result.data.defaultNone = clauses.defaultNone;
    result.data.shared = lowerShared(clauses);
    result.data.privates = makeCopies(clauses.privates);
    result.data.firstprivates = makeCopies(clauses.firstprivates);
    return result;
  }

  void lowerParallel() {
    const std::optional<OmpClauses> clauses = readOmpClauses(f_, directive_);
    if (!clauses || !checkReductionUses(f_, directive_, clauses->reductions)) return;
    FunctionLowering::BindingScope scope(f_);
    ir::OmpParallel result = makeRegion(*clauses);
    result.data.reductions = makeCopies(clauses->reductions);
    bindCopies();
    result.body = f_.lowerBlock(directive_->getRawStmt());
    f_.emit(std::move(result), at_);
  }

  void lowerSingle() {
    const std::optional<OmpClauses> clauses = readOmpClauses(f_, directive_);
    if (!clauses) return;
    FunctionLowering::BindingScope scope(f_);
    ir::OmpSingle result;
    result.nowait = clauses->nowait;
    result.data.privates = makeCopies(clauses->privates);
    result.data.firstprivates = makeCopies(clauses->firstprivates);
    bindCopies();
    result.body = f_.lowerBlock(directive_->getRawStmt());
    f_.emit(std::move(result), at_);
  }

  void lowerMaster() {
    if (!readOmpClauses(f_, directive_)) return;
    ir::OmpMaster result;
    result.body = f_.lowerBlock(directive_->getRawStmt());
    f_.emit(std::move(result), at_);
  }

  FunctionLowering& f_;
  const OMPExecutableDirective* directive_;
  clang::SourceLocation at_;
  const clang::Stmt* functionBody_;
  std::set<const clang::Stmt*>& collapsed_;
  std::vector<std::pair<const clang::VarDecl*, ir::VarId>> toBind_;
};

}  // namespace

bool FunctionLowering::lowerOmpDirective(const clang::OMPExecutableDirective* directive) {
  OmpLowering(*this, directive, definition_->getBody(), collapsedLoops_).lower();
  return true;
}

}  // namespace contraflow::frontend
