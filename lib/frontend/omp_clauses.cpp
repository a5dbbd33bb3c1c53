#include "frontend/omp_clauses.hpp"

#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/OpenMPClause.h"

namespace contraflow::frontend {
namespace {

class ClauseReader {
 public:
  ClauseReader(FunctionLowering& f, const clang::OMPExecutableDirective* directive) : f_(f), directive_(directive) {}

  std::optional<OmpClauses> read() {
    for (const clang::OMPClause* clause : directive_->clauses())
      if (!clause->isImplicit()) readClause(clause);
    if (!ok_) return std::nullopt;
    return result_;
  }

 private:
  void refuse(const clang::OMPClause* clause, const std::string& detail = "", const std::string& wayOut = "") {
    ok_ = false;
    const std::string name = llvm::omp::getOpenMPClauseName(clause->getClauseKind()).str();
    const std::string directive = llvm::omp::getOpenMPDirectiveName(directive_->getDirectiveKind()).str();
    f_.reject(DiagId::UnsupportedOmp, clause->getBeginLoc(),
              {(detail.empty() ? "the clause '" + name + "'" : detail) + " of '#pragma omp " + directive + "'",
               wayOut.empty() ? "the clauses schedule, collapse, nowait, private, firstprivate, lastprivate, shared, "
                                "default(shared|none), reduction(+), num_threads and if are"
                              : wayOut});
  }

  void readClause(const clang::OMPClause* clause) {
    if (const auto* c = llvm::dyn_cast<clang::OMPPrivateClause>(clause)) return readList(c, result_.privates);
    if (const auto* c = llvm::dyn_cast<clang::OMPFirstprivateClause>(clause)) return readList(c, result_.firstprivates);
    if (const auto* c = llvm::dyn_cast<clang::OMPSharedClause>(clause)) return readList(c, result_.shared);
    if (const auto* c = llvm::dyn_cast<clang::OMPLastprivateClause>(clause)) {
      if (c->getKind() == clang::OMPC_LASTPRIVATE_conditional) return refuse(clause, "'lastprivate(conditional: …)'");
      return readList(c, result_.lastprivates);
    }
    if (const auto* c = llvm::dyn_cast<clang::OMPReductionClause>(clause)) return readReduction(c);
    if (const auto* c = llvm::dyn_cast<clang::OMPScheduleClause>(clause)) return readSchedule(c);
    if (const auto* c = llvm::dyn_cast<clang::OMPCollapseClause>(clause)) {
      const auto count = c->getNumForLoops()->getIntegerConstantExpr(f_.ast());
      result_.collapse = count ? static_cast<unsigned>(count->getZExtValue()) : 1;
      return;
    }
    if (llvm::isa<clang::OMPNowaitClause>(clause)) {
      result_.nowait = true;
      return;
    }
    if (const auto* c = llvm::dyn_cast<clang::OMPDefaultClause>(clause)) {
      result_.defaultNone = c->getDefaultKind() == llvm::omp::OMP_DEFAULT_none;
      if (!result_.defaultNone && c->getDefaultKind() != llvm::omp::OMP_DEFAULT_shared)
        refuse(clause, "'default(private)' or 'default(firstprivate)'", "name each variable in its own clause");
      return;
    }
    if (const auto* c = llvm::dyn_cast<clang::OMPNumThreadsClause>(clause)) {
      result_.numThreads = asWritten(c->getNumThreads());
      return;
    }
    if (const auto* c = llvm::dyn_cast<clang::OMPIfClause>(clause)) return readIf(c);
    refuse(clause);
  }

  void readIf(const clang::OMPIfClause* clause) {
    const clang::OpenMPDirectiveKind modifier = clause->getNameModifier();
    const bool hasTeam = clang::isOpenMPParallelDirective(directive_->getDirectiveKind());
    if (!hasTeam || (modifier != llvm::omp::OMPD_unknown && modifier != llvm::omp::OMPD_parallel))
      return refuse(clause, "'if' for simd", "leave the clause out, or write 'if(parallel: …)'");
    result_.ifCondition = asWritten(clause->getCondition());
  }

  void readSchedule(const clang::OMPScheduleClause* clause) {
    if (clause->getFirstScheduleModifier() != clang::OMPC_SCHEDULE_MODIFIER_unknown ||
        clause->getSecondScheduleModifier() != clang::OMPC_SCHEDULE_MODIFIER_unknown)
      return refuse(clause, "a modifier in 'schedule'", "leave the modifier out");
    switch (clause->getScheduleKind()) {
      case clang::OMPC_SCHEDULE_static: result_.schedule = ir::ScheduleKind::Static; break;
      case clang::OMPC_SCHEDULE_dynamic: result_.schedule = ir::ScheduleKind::Dynamic; break;
      case clang::OMPC_SCHEDULE_guided: result_.schedule = ir::ScheduleKind::Guided; break;
      case clang::OMPC_SCHEDULE_auto: result_.schedule = ir::ScheduleKind::Auto; break;
      case clang::OMPC_SCHEDULE_runtime: result_.schedule = ir::ScheduleKind::Runtime; break;
      case clang::OMPC_SCHEDULE_unknown: return refuse(clause);
    }
    if (clause->getChunkSize()) result_.chunk = asWritten(clause->getChunkSize());
  }

  void readReduction(const clang::OMPReductionClause* clause) {
    if (clause->getModifier() != clang::OMPC_REDUCTION_unknown && clause->getModifier() != clang::OMPC_REDUCTION_default)
      return refuse(clause, "a modifier in 'reduction'", "leave the modifier out");
    const clang::DeclarationName name = clause->getNameInfo().getName();
    const clang::OverloadedOperatorKind op = name.getCXXOverloadedOperator();
    if (op != clang::OO_Plus && op != clang::OO_Minus) {
      std::string spelling = name.getAsString();
      if (op != clang::OO_None) spelling = clang::getOperatorSpelling(op);
      return refuse(clause, "'reduction(" + spelling + ": …)'", "only reduction(+: …) is: compute the others in a loop of their own");
    }
    const std::size_t before = result_.reductions.size();
    readList(clause, result_.reductions);
    for (std::size_t k = before; k < result_.reductions.size(); ++k) {
      const clang::QualType type = result_.reductions[k]->getDecl()->getType().getNonReferenceType();
      if (!type->isRealFloatingType() && !type->isIntegerType())
        refuse(clause, "a reduction of '" + result_.reductions[k]->getDecl()->getNameAsString() + "', which is no number,",
               "reduce numbers one by one");
    }
  }

  template <class Clause>
  void readList(const Clause* clause, std::vector<const clang::DeclRefExpr*>& list) {
    for (const clang::Expr* item : clause->varlists()) {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(item->IgnoreParenImpCasts());
      const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
      if (!variable || llvm::isa<clang::OMPCapturedExprDecl>(variable)) {
        refuse(clause, "a member or a part of an array in the clause '" +
                           llvm::omp::getOpenMPClauseName(clause->getClauseKind()).str() + "'",
               "use a local variable of its own");
        continue;
      }
      list.push_back(name);
    }
  }

  // Clang evaluates some clauses into a variable of its own; this is what the user wrote.
  static const clang::Expr* asWritten(const clang::Expr* e) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    if (const auto* captured = name ? llvm::dyn_cast<clang::OMPCapturedExprDecl>(name->getDecl()) : nullptr)
      return captured->getInit();
    return e;
  }

  FunctionLowering& f_;
  const clang::OMPExecutableDirective* directive_;
  OmpClauses result_;
  bool ok_ = true;
};

}  // namespace

std::optional<OmpClauses> readOmpClauses(FunctionLowering& f, const clang::OMPExecutableDirective* directive) {
  return ClauseReader(f, directive).read();
}

}  // namespace contraflow::frontend
