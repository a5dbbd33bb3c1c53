// `goto` that leaves code, or goes back to a label before it, as blocks and loops.
//
//     for (…) if (bad) goto done;         do {                             `done:` is behind the block that a goto leaves
//     f();                                  for (…) if (bad) break…
//     done: g();                            f();
//                                         } while (false);
//                                         g();
//
//     again: x = step(x);                 do {                             `again:` begins a loop, to the end of its block
//     if (x > e) goto again;                again = false; x = step(x);
//     g();                                  if (x > e) { again = true; continue; }
//                                           g();
//                                         } while (again);
//
// A goto from inside of other loops leaves these first, by flags that are tested behind each. A label that stands deeper than its
// goto is refused.
#include <algorithm>

#include "frontend/ast_visitor.hpp"
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;

namespace {

struct Gotos : AstVisitor {
  std::set<const LabelDecl*> labels;
  bool VisitGotoStmt(GotoStmt* s) override {
    labels.insert(s->getLabel());
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr*) override { return true; }
};
bool goesTo(const Stmt* s, const LabelDecl* label) {
  Gotos found;
  found.TraverseStmt(s);
  return found.labels.count(label) != 0;
}

std::vector<const LabelDecl*> labelsOf(const Stmt* s) {
  std::vector<const LabelDecl*> labels;
  for (const auto* label = dyn_cast<LabelStmt>(s); label; label = dyn_cast<LabelStmt>(label->getSubStmt())) labels.push_back(label->getDecl());
  return labels;
}

// Variables that the statements declare, but not in inner blocks.
std::set<const VarDecl*> declaredIn(const std::vector<const Stmt*>& statements) {
  std::set<const VarDecl*> found;
  for (const Stmt* s : statements) {
    while (const auto* label = dyn_cast<LabelStmt>(s)) s = label->getSubStmt();
    if (const auto* declaration = dyn_cast<DeclStmt>(s))
      for (const Decl* d : declaration->decls())
        if (const auto* var = dyn_cast<VarDecl>(d); var && !var->isStaticLocal()) found.insert(var);
  }
  return found;
}

struct Uses : AstVisitor {
  const std::set<const VarDecl*>& vars;
  bool found = false;
  explicit Uses(const std::set<const VarDecl*>& v) : vars(v) {}
  bool VisitDeclRefExpr(DeclRefExpr* e) override {
    const auto* var = dyn_cast<VarDecl>(e->getDecl());
    found = found || (var && vars.count(var));
    return true;
  }
};

}  // namespace

// The statements of a block, of which some may be labels.
void FunctionLowering::lowerSequence(const std::vector<const Stmt*>& statements) {
  const auto part = [&](std::size_t from, std::size_t to) {
    return std::vector<const Stmt*>(statements.begin() + static_cast<std::ptrdiff_t>(from), statements.begin() + static_cast<std::ptrdiff_t>(to));
  };
  const auto isActive = [&](const LabelDecl* label) {
    return std::any_of(labels_.begin(), labels_.end(), [&](const Label& l) { return l.decl == label && l.again.valid(); });
  };
  // The last label that something before it goes to: all before belongs to its block, from the first such goto on.
  for (std::size_t p = statements.size(); p-- > 1;)
    for (const LabelDecl* label : labelsOf(statements[p])) {
      std::size_t first = 0;
      while (first < p && !goesTo(statements[first], label)) ++first;
      if (first == p) continue;
      // Labels inside of the block that are gone to from before it.
      for (std::size_t q = p; q-- > first;)
        for (const LabelDecl* inner : labelsOf(statements[q]))
          for (std::size_t k = 0; k < first; ++k)
            if (goesTo(statements[k], inner)) first = k;
      const std::vector<const Stmt*> block = part(first, p), behind = part(p, statements.size());
      const std::set<const VarDecl*> declared = declaredIn(block);
      Uses uses(declared);
      for (const Stmt* s : behind) uses.TraverseStmt(s);
      if (uses.found) {
        reject(DiagId::UnsupportedStatement, statements[p]->getBeginLoc(),
               {"a 'goto' past the declaration of a variable that is used behind its label", "declare the variable before the first 'goto'"});
        return;
      }
      lowerSequence(part(0, first));
      lowerLabelBlock(label, block, false, statements[p]->getBeginLoc());
      lowerSequence(behind);
      return;
    }
  // The first label that something behind it goes back to: a loop to the end.
  for (std::size_t p = 0; p < statements.size(); ++p)
    for (const LabelDecl* label : labelsOf(statements[p])) {
      if (isActive(label) || std::none_of(statements.begin() + static_cast<std::ptrdiff_t>(p), statements.end(), [&](const Stmt* s) { return goesTo(s, label); })) continue;
      lowerSequence(part(0, p));
      lowerLabelBlock(label, part(p, statements.size()), true, statements[p]->getBeginLoc());
      return;
    }
  for (const Stmt* s : statements) {
    while (const auto* label = dyn_cast<LabelStmt>(s)) s = label->getSubStmt();
    lowerStmt(s);
  }
}

void FunctionLowering::lowerLabelBlock(const LabelDecl* label, const std::vector<const Stmt*>& statements, bool isLoop, SourceLocation at) {
  Label frame{label, 0, cleanups_.size(), {}};
  if (isLoop) frame.again = temporary("again", boolType(), at);
  lowerJumpTarget([&] {
    ir::While block;
    block.condition = isLoop ? varRef(frame.again, at) : literal("false", boolType(), at);
    block.testAtEnd = true;
    {
      InBlock in(*this, block.body);
      BindingScope bindings(*this);
      Loop loop;
      loop.isLabel = true;
      loop.cleanups = cleanups_.size();
      loops_.push_back(loop);
      frame.depth = loops_.size();
      labels_.push_back(frame);
      // The flag says how the block was left: by its end, or by a goto back to its beginning.
      if (isLoop) emit(ir::Assign{varRef(frame.again, at), literal("false", boolType(), at)}, at);
      const std::size_t outside = cleanups_.size();
      lowerSequence(statements);
      endScope(outside, at);
      labels_.pop_back();
      loops_.pop_back();
    }
    emit(std::move(block), at);
  }, at);
}

void FunctionLowering::lowerGoto(const LabelDecl* label, SourceLocation at) {
  const auto found = std::find_if(labels_.rbegin(), labels_.rend(), [&](const Label& l) { return l.decl == label; });
  const bool isOutside = found == labels_.rend() || (!inlined_.empty() && found->depth <= inlined_.back().loops);
  if (isOutside) {
    reject(DiagId::UnsupportedStatement, at, {"a 'goto' into a block", "use a loop with break or continue"});
    return;
  }
  const Label target = *found;
  // The variables of a loop end their lives before its next turn; destroyed once, where the goto stands.
  if (loops_.size() == target.depth) {
    destroyDownTo(target.cleanups, at);
    if (target.again.valid()) {
      emit(ir::Assign{varRef(target.again, at), literal("true", boolType(), at)}, at);
      emit(ir::Continue{}, at);
      return;
    }
  } else {
    destroyDownTo(loops_.back().cleanups, at);
    ir::VarId& flag = jumps_.labels[label];
    if (!flag.valid()) flag = addVariable("to_" + label->getNameAsString(), boolType(), at, true);
    emit(ir::Assign{varRef(flag, at), literal("true", boolType(), at)}, at);
  }
  emit(ir::Break{}, at);
}

void FunctionLowering::lowerBreak(SourceLocation at) {
  if (!loops_.empty()) destroyDownTo(loops_.back().cleanups, at);
  if (!loops_.empty() && loops_.back().isLabel) {
    if (!jumps_.broken.valid()) jumps_.broken = addVariable("broken", boolType(), at, true);
    emit(ir::Assign{varRef(jumps_.broken, at), literal("true", boolType(), at)}, at);
  }
  emit(ir::Break{}, at);
}

}  // namespace contraflow::frontend
