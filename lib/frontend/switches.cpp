// `switch`. The statements between two labels are a section; sections that fall through into the next one form a run. Each run is
// a branch of a chain of ifs; in it, what comes before the last section runs only where the switch was entered before that:
//
//     switch (k) {                      const int selector = k;
//       case 0: a();                    if (selector == 0 || selector == 1) {
//       case 1: b(); break;               if (selector == 0) a();
//       default: c();                     b();
//     }                                 } else {
//                                         c();
//                                       }
//
// A `break` that isn't the end of its section leaves a block around it: `do { … } while (false)`, which structureJumps resolves.
#include "frontend/ast_visitor.hpp"
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

namespace {

struct Section {
  std::vector<const CaseStmt*> labels;
  bool isDefault = false;
  std::vector<const Stmt*> statements;
  bool fallsThrough = true;
};
using Run = std::vector<const Section*>;

// Breaks of a switch itself, and labels that stand inside of statements.
struct Inside : AstVisitor {
  unsigned breaks = 0, labels = 0;
  bool VisitBreakStmt(BreakStmt*) override {
    ++breaks;
    return true;
  }
  bool VisitSwitchCase(SwitchCase*) override {
    ++labels;
    return true;
  }
  bool TraverseForStmt(ForStmt* s) override { return nested(s); }
  bool TraverseWhileStmt(WhileStmt* s) override { return nested(s); }
  bool TraverseDoStmt(DoStmt* s) override { return nested(s); }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt* s) override { return nested(s); }
  bool TraverseSwitchStmt(SwitchStmt*) override { return true; }
  bool TraverseLambdaExpr(LambdaExpr*) override { return true; }

 private:
  bool nested(Stmt* loop) {
    const unsigned before = breaks;
    for (Stmt* child : loop->children())
      if (child) TraverseStmt(child);
    breaks = before;
    return true;
  }
};
Inside inside(const Stmt* s) {
  Inside found;
  found.TraverseStmt(s);
  return found;
}

bool isFallThroughMark(const Stmt* s) {
  const auto* attributed = dyn_cast<AttributedStmt>(s);
  return isa<NullStmt>(s) || (attributed && isa<NullStmt>(attributed->getSubStmt()));
}

// True if control never reaches the end of the statement; `breaks` counts the breaks that are that end.
bool endsInJump(const Stmt* s, unsigned& breaks) {
  if (isa<BreakStmt>(s)) return ++breaks, true;
  if (isa<ContinueStmt>(s) || isa<ReturnStmt>(s)) return true;
  if (const auto* block = dyn_cast<CompoundStmt>(s)) return !block->body_empty() && endsInJump(block->body_back(), breaks);
  return false;
}

std::vector<Section> sectionsOf(const Stmt* body) {
  std::vector<Section> sections;
  bool inLabels = false;
  const auto add = [&](const Stmt* s) {
    while (const auto* label = dyn_cast<SwitchCase>(s)) {
      if (!inLabels) sections.emplace_back();
      inLabels = true;
      if (const auto* c = dyn_cast<CaseStmt>(label)) sections.back().labels.push_back(c);
      else sections.back().isDefault = true;
      s = label->getSubStmt();
    }
    inLabels = false;
    // What stands before the first label, or behind a jump, never runs.
    if (sections.empty() || !sections.back().fallsThrough || isFallThroughMark(s)) return;
    sections.back().statements.push_back(s);
    unsigned breaks = 0;
    if (endsInJump(s, breaks)) sections.back().fallsThrough = false;
  };
  if (const auto* block = dyn_cast<CompoundStmt>(body))
    for (const Stmt* s : block->body()) add(s);
  else
    add(body);
  if (!sections.empty()) sections.back().fallsThrough = false;
  return sections;
}

bool mentions(const Stmt* s, const Decl* decl) {
  if (!s) return false;
  if (const auto* ref = dyn_cast<DeclRefExpr>(s); ref && ref->getDecl() == decl) return true;
  for (const Stmt* child : s->children())
    if (mentions(child, decl)) return true;
  return false;
}

// A variable that one section declares and another one uses.
const VarDecl* sharedVariable(const std::vector<Section>& sections) {
  for (const Section& section : sections)
    for (const Stmt* s : section.statements)
      if (const auto* declaration = dyn_cast<DeclStmt>(s))
        for (const Decl* d : declaration->decls())
          for (const Section& other : sections)
            for (const Stmt* use : other.statements)
              if (&other != &section && isa<VarDecl>(d) && mentions(use, d)) return cast<VarDecl>(d);
  return nullptr;
}

// Without the promotion of an unscoped enumeration.
const Expr* asEnum(const Expr* e) {
  const Expr* inner = e->IgnoreParenImpCasts();
  if (const auto* constant = dyn_cast<ConstantExpr>(inner)) inner = constant->getSubExpr()->IgnoreParenImpCasts();
  return inner->getType()->isEnumeralType() ? inner : nullptr;
}

}  // namespace

void FunctionLowering::lowerSwitch(const SwitchStmt* s) {
  const SourceLocation at = s->getSwitchLoc();
  const auto refuse = [&](SourceLocation where, const std::string& what, const std::string& wayOut) {
    reject(DiagId::UnsupportedStatement, where, {what, wayOut});
  };
  const std::vector<Section> sections = sectionsOf(s->getBody());
  bool needsBlock = false, sameEnum = asEnum(s->getCond()) != nullptr;
  for (const Section& section : sections) {
    unsigned ends = 0, breaks = 0;
    for (const Stmt* part : section.statements) {
      const Inside found = inside(part);
      if (found.labels) return refuse(part->getBeginLoc(), "a case label inside of another statement", "put all labels into the block of the switch");
      breaks += found.breaks;
    }
    if (!section.statements.empty()) endsInJump(section.statements.back(), ends);
    needsBlock = needsBlock || breaks > ends;
    for (const CaseStmt* label : section.labels) {
      if (label->getRHS()) return refuse(label->getBeginLoc(), "a range of cases", "use if and else");
      const Expr* e = sameEnum ? asEnum(label->getLHS()) : nullptr;
      sameEnum = e && ast().hasSameUnqualifiedType(e->getType(), asEnum(s->getCond())->getType());
    }
  }
  if (const VarDecl* shared = sharedVariable(sections))
    return refuse(shared->getLocation(), "a variable that several cases share", "declare it before the switch");
  std::vector<Run> runs;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (i == 0 || !sections[i - 1].fallsThrough) runs.emplace_back();
    runs.back().push_back(&sections[i]);
  }

  ir::Scope scope;
  {
    InBlock in(*this, scope.body);
    BindingScope bindings(*this);
    const std::size_t outside = cleanups_.size();
    if (s->getInit()) lowerStmt(s->getInit());
    if (s->getConditionVariable()) lowerVarDecl(s->getConditionVariable());
    ExprId selector = lowerExpr(sameEnum ? asEnum(s->getCond()) : s->getCond());
    // Compared once and again; in a run also behind statements that may change it.
    const bool isName = std::holds_alternative<ir::VarRef>(function()[selector].node) || std::holds_alternative<ir::Literal>(function()[selector].node);
    if (!isName || mayChange(selector, effectsOf(s->getBody(), ast()))) selector = spill(selector, "selector", at);

    const auto any = [&](const std::vector<const CaseStmt*>& labels) {
      ExprId condition;
      for (const CaseStmt* label : labels) {
        const Expr* value = sameEnum ? asEnum(label->getLHS()) : label->getLHS();
        const ExprId own = binary(ir::BinaryOp::Eq, clone(selector), convert(lowerExpr(value), typeOf(selector), at), boolType(), at);
        condition = condition ? binary(ir::BinaryOp::Or, condition, own, boolType(), at) : own;
      }
      return condition;
    };
    const auto labelsOf = [](const Run& run, std::size_t begin, std::size_t end) {
      std::vector<const CaseStmt*> labels;
      for (std::size_t i = begin; i < end; ++i) labels.insert(labels.end(), run[i]->labels.begin(), run[i]->labels.end());
      return labels;
    };
    const auto hasDefault = [](const Run& run, std::size_t end) {
      for (std::size_t i = 0; i < end; ++i)
        if (run[i]->isDefault) return true;
      return false;
    };
    // The break at the end of a section is the end of its branch.
    const auto lowerPart = [&](const auto& self, const Stmt* statement) -> void {
      unsigned breaks = 0;
      const auto* block = dyn_cast<CompoundStmt>(statement);
      if (isa<BreakStmt>(statement)) return;
      if (!block || !endsInJump(statement, breaks) || breaks == 0) return lowerStmt(statement);
      ir::Scope body;
      {
        InBlock inner(*this, body.body);
        BindingScope names(*this);
        for (const Stmt* child : block->body())
          if (child == block->body_back()) self(self, child);
          else lowerStmt(child);
      }
      if (!body.body.empty()) emit(std::move(body), at);
    };
    const auto section = [&](const Section& part) {
      for (const Stmt* statement : part.statements) lowerPart(lowerPart, statement);
      // `case 1: { … break; }`: the branch has its own braces.
      if (part.statements.size() != 1 || block_->size() != 1) return;
      if (const auto* only = std::get_if<ir::Scope>(&function()[block_->front()].node)) *block_ = ir::Block(only->body);
    };
    const auto lowerRun = [&](const Run& run) {
      ir::Block block;
      InBlock inner(*this, block);
      BindingScope names(*this);
      for (std::size_t i = 0; i < run.size(); ++i) {
        const bool withDefault = hasDefault(run, i + 1);
        const auto others = labelsOf(run, i + 1, run.size());
        // Entered here or before; the last section runs in any case, and so does each where all later labels are none.
        if (i + 1 == run.size() || (others.empty() && withDefault)) {
          section(*run[i]);
          continue;
        }
        ExprId entered = withDefault ? any(others) : any(labelsOf(run, 0, i + 1));
        if (withDefault) entered = expr(ir::Unary{ir::UnaryOp::Not, entered}, boolType(), at);
        ir::If guard{entered, {}, {}};
        {
          InBlock then(*this, guard.then);
          section(*run[i]);
        }
        if (!guard.then.empty()) emit(std::move(guard), at);
      }
      return block;
    };
    const auto chain = [&] {
      const Run* otherwise = nullptr;
      std::vector<const Run*> branches;
      for (const Run& run : runs)
        if (hasDefault(run, run.size())) otherwise = &run;
        else branches.push_back(&run);
      ir::Block rest;
      if (otherwise) rest = lowerRun(*otherwise);
      for (std::size_t i = branches.size(); i-- > 0;) {
        const auto labels = labelsOf(*branches[i], 0, branches[i]->size());
        ir::If branch{any(labels), lowerRun(*branches[i]), std::move(rest)};
        rest.clear();
        if (branch.then.empty() && branch.otherwise.empty()) continue;
        if (branch.then.empty()) {
          if (labels.size() == 1) std::get<ir::Binary>(function()[branch.condition].node).op = ir::BinaryOp::Ne;
          else branch.condition = expr(ir::Unary{ir::UnaryOp::Not, branch.condition}, boolType(), at);
          branch.then.swap(branch.otherwise);
        }
        InBlock inner(*this, rest);
        emit(std::move(branch), at);
      }
      append(rest);
    };
    if (!needsBlock) {
      chain();
    } else {
      // Only a block is left by a jump; a chain of ifs is part of the loop around.
      lowerJumpTarget([&] {
        ir::While block;
        block.condition = literal("false", boolType(), at);
        block.testAtEnd = true;
        Loop frame;
        frame.isSwitch = true;
        frame.cleanups = cleanups_.size();
        loops_.push_back(frame);
        {
          InBlock inner(*this, block.body);
          chain();
        }
        loops_.pop_back();
        emit(std::move(block), at);
      }, at);
    }
    endScope(outside, at);
  }
  if (scope.body.size() == 1) append(scope.body);
  else if (!scope.body.empty()) emit(std::move(scope), at);
}

}  // namespace contraflow::frontend
