// Making nodes; temporaries; what keeps C++'s order of evaluation.
#include <functional>

#include "frontend/lowering.hpp"
#include "ir/match.hpp"
#include "ir/walk.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

ExprId FunctionLowering::expr(ir::ExprNode node, TypeId type, SourceLocation at) {
  const ir::SourceLoc where = loc(at);
  return function().addExpr(std::move(node), type, where);
}

ExprId FunctionLowering::literal(const std::string& text, TypeId type, SourceLocation at) {
  return expr(ir::Literal{text}, type, at);
}

ExprId FunctionLowering::varRef(ir::VarId var, SourceLocation at) {
  return expr(ir::VarRef{var}, ir::withoutReference(module(), function()[var].type), at);
}

ExprId FunctionLowering::convert(ExprId value, TypeId to, SourceLocation at, bool isExplicit) {
  to = ir::withoutConst(module(), to);
  if (ir::withoutConst(module(), typeOf(value)) == to) return value;
  return expr(ir::Cast{value, isExplicit}, to, at);
}

TypeId FunctionLowering::valueType(QualType type, SourceLocation at) {
  return lowerType(type.getNonReferenceType().getUnqualifiedType(), at);
}
TypeId FunctionLowering::intType() { return lowerType(ast().IntTy, {}); }
TypeId FunctionLowering::boolType() { return module().type(ir::BoolType{}); }
TypeId FunctionLowering::sizeType() { return lowerType(ast().getSizeType(), {}); }
TypeId FunctionLowering::pointerTo(TypeId pointee) { return module().type(ir::PointerType{pointee}); }

ir::StmtId FunctionLowering::emit(ir::StmtNode node, SourceLocation at) {
  const ir::SourceLoc where = loc(at);
  const ir::StmtId id = function().addStmt(std::move(node), where);
  block_->push_back(id);
  return id;
}

void FunctionLowering::append(const ir::Block& statements) { block_->insert(block_->end(), statements.begin(), statements.end()); }

ir::Block FunctionLowering::lowerBlock(const Stmt* s) {
  ir::Block block;
  InBlock in(*this, block);
  BindingScope scope(*this);
  const std::size_t outside = cleanups_.size();
  if (const auto* compound = dyn_cast_or_null<CompoundStmt>(s)) {
    lowerSequence({compound->body_begin(), compound->body_end()});
  } else if (s) {
    lowerStmt(s);
  }
  endScope(outside, s ? s->getEndLoc() : SourceLocation());
  return block;
}

std::optional<ir::VarId> FunctionLowering::variable(const VarDecl* decl) const {
  const auto it = variables_.find(decl->getCanonicalDecl());
  return it == variables_.end() ? std::nullopt : std::optional(it->second);
}

ir::VarId FunctionLowering::addVariable(const std::string& name, TypeId type, SourceLocation at, bool isTemporary) {
  const ir::SourceLoc where = loc(at);
  return function().addVar({name, type, ir::VarKind::Local, false, isTemporary, where});
}

ir::VarId FunctionLowering::temporary(const std::string& name, TypeId type, SourceLocation at) {
  const ir::VarId var = addVariable(name, ir::withoutConst(module(), type), at, true);
  emit(ir::Declare{var, ir::Init::None, {}, ir::Storage::Automatic, {}}, at);
  return var;
}

ExprId FunctionLowering::spill(ExprId value, const std::string& name, SourceLocation at) {
  const ir::VarId var = addVariable(name, ir::withoutConst(module(), typeOf(value)), at, true);
  emit(ir::Declare{var, ir::Init::Value, {value}, ir::Storage::Automatic, {}}, at);
  return varRef(var, at);
}

// A copy of the tree: no node has two parents.
ExprId FunctionLowering::clone(ExprId e) {
  ir::Expr copy = function()[e];
  const auto all = [&](std::vector<ExprId>& list) {
    for (ExprId& x : list) x = clone(x);
  };
  ir::match(
      copy.node, [](ir::Literal&) {}, [](ir::VarRef&) {}, [](ir::GlobalRef&) {}, [&](ir::FieldRef& n) { n.base = clone(n.base); },
      [&](ir::Subscript& n) {
        n.base = clone(n.base);
        n.index = clone(n.index);
      },
      [&](ir::Deref& n) { n.pointer = clone(n.pointer); }, [&](ir::AddressOf& n) { n.place = clone(n.place); },
      [&](ir::Decay& n) { n.array = clone(n.array); }, [&](ir::DataOf& n) { n.container = clone(n.container); },
      [&](ir::SizeOf& n) { n.container = clone(n.container); }, [&](ir::Unary& n) { n.operand = clone(n.operand); },
      [&](ir::Binary& n) {
        n.lhs = clone(n.lhs);
        n.rhs = clone(n.rhs);
      },
      [&](ir::Cast& n) { n.operand = clone(n.operand); },
      [&](ir::Conditional& n) {
        n.condition = clone(n.condition);
        n.whenTrue = clone(n.whenTrue);
        n.whenFalse = clone(n.whenFalse);
      },
      [&](ir::MathCall& n) { all(n.args); }, [&](ir::PureCall& n) { all(n.args); }, [&](ir::InitList& n) { all(n.elements); });
  return function().addExpr(std::move(copy.node), copy.type, copy.loc);
}

ExprId FunctionLowering::errorValue(QualType type, SourceLocation at) {
  // The type may itself be one that isn't supported; it has been reported as an expression already.
  const QualType t = type.getNonReferenceType().getUnqualifiedType();
  const TypeId id = t->isScalarType() && !t->isAnyComplexType()
                        ? lowerType(t, at)
                        : module().type(ir::OpaqueType{"unsupported"});
  return literal("0", id, at);
}

ExprId FunctionLowering::unsupported(const Expr* e, const std::string& what, const std::string& wayOut) {
  reject(DiagId::UnsupportedExpression, e->getExprLoc(), {what, wayOut});
  return errorValue(e->getType(), e->getExprLoc());
}

ExprId FunctionLowering::binary(ir::BinaryOp op, ExprId lhs, ExprId rhs, TypeId type, SourceLocation at) {
  return expr(ir::Binary{op, lhs, rhs}, type, at);
}

ExprId FunctionLowering::deref(ExprId pointer, SourceLocation at) {
  if (const auto* a = std::get_if<ir::AddressOf>(&function()[pointer].node)) return a->place;
  const auto* p = ir::as<ir::PointerType>(module(), typeOf(pointer));
  if (const auto* sum = std::get_if<ir::Binary>(&function()[pointer].node); sum && sum->op == ir::BinaryOp::Add) {
    const ir::ExprNode& base = function()[sum->lhs].node;
    if (std::holds_alternative<ir::DataOf>(base) || std::holds_alternative<ir::Decay>(base))
      return elementAt(pointer, convert(literal("0", intType(), at), sizeType(), at), at);
  }
  // `&object` as a pointer to const, or to its base class: the object, whose fields have the same indices in both.
  ExprId operand = pointer;
  while (const auto* cast = std::get_if<ir::Cast>(&function()[operand].node)) {
    if (cast->isExplicit) break;
    operand = cast->operand;
  }
  if (const auto* a = std::get_if<ir::AddressOf>(&function()[operand].node); a && p) {
    const TypeId object = typeOf(a->place);
    const bool records = ir::as<ir::RecordType>(module(), object) && ir::as<ir::RecordType>(module(), p->pointee);
    if (records || ir::withoutConst(module(), object) == ir::withoutConst(module(), p->pointee)) return std::get<ir::AddressOf>(function()[operand].node).place;
  }
  return expr(ir::Deref{pointer}, p ? p->pointee : typeOf(pointer), at);
}

ExprId FunctionLowering::addressOf(ExprId place, SourceLocation at) {
  if (const auto* d = std::get_if<ir::Deref>(&function()[place].node)) return d->pointer;
  return expr(ir::AddressOf{place}, pointerTo(typeOf(place)), at);
}

ExprId FunctionLowering::one(TypeId type, SourceLocation at) {
  const auto* real = ir::as<ir::RealType>(module(), type);
  const char* text = !real                                    ? "1"
                     : real->kind == ir::RealKind::Float      ? "1.0f"
                     : real->kind == ir::RealKind::LongDouble ? "1.0L"
                                                              : "1.0";
  return literal(text, ir::withoutConst(module(), type), at);
}

namespace {

// True if the canonical Clang type is the scalar type of ours.
bool isType(const ir::Module& m, TypeId id, const clang::Type* type) {
  if (const auto* real = ir::as<ir::RealType>(m, id)) {
    const auto* b = type->getAs<BuiltinType>();
    if (!b) return false;
    return b->getKind() == (real->kind == ir::RealKind::Float        ? BuiltinType::Float
                            : real->kind == ir::RealKind::LongDouble ? BuiltinType::LongDouble
                                                                     : BuiltinType::Double);
  }
  if (ir::as<ir::PointerType>(m, id)) return type->isPointerType();
  if (ir::isIntegral(m, id)) return type->isIntegralOrEnumerationType();
  return true;
}

bool writesType(const ir::Module& m, TypeId id, const Effects::Types& types) {
  for (const clang::Type* t : types)
    if (isType(m, id, t) || t->isCharType()) return true;
  return false;
}

}  // namespace

// True if the value (or, as a place, what it denotes) may be another one after code with these effects.
bool FunctionLowering::mayChange(ExprId id, const Effects& effects, bool asPlace) {
  const ir::Expr e = function()[id];
  const auto memory = [&] { return !asPlace && (effects.unknown || writesType(module(), e.type, effects.memory)); };
  // A local written by name that a pointer or reference may reach.
  const auto escaped = [&] {
    if (asPlace) return false;
    for (const auto& [decl, types] : effects.written)
      if (effects_.escapes(decl) && (types.empty() || writesType(module(), e.type, types))) return true;
    return false;
  };
  const auto value = [&](ExprId x) { return mayChange(x, effects, false); };
  const auto any = [&](const std::vector<ExprId>& list) {
    for (ExprId x : list)
      if (value(x)) return true;
    return false;
  };
  // A part of an object is read: it changes if the object is written by name or, if it has been let out, through memory.
  const auto part = [&](ExprId base) {
    if (mayChange(base, effects, true)) return true;
    if (asPlace) return false;
    ExprId root = base;
    while (true) {
      const ir::ExprNode& n = function()[root].node;
      if (const auto* f = std::get_if<ir::FieldRef>(&n)) root = f->base;
      else if (const auto* s = std::get_if<ir::Subscript>(&n); s && !ir::as<ir::PointerType>(module(), typeOf(s->base))) root = s->base;
      else break;
    }
    const auto* ref = std::get_if<ir::VarRef>(&function()[root].node);
    if (!ref || ir::isReference(module(), function()[ref->var].type)) {
      const auto* global = std::get_if<ir::GlobalRef>(&function()[root].node);
      return !(global && module()[global->global].isConstant) && (memory() || (!global && escaped()));
    }
    if (partVariables_.count(ref->var)) return effects.any();
    const auto decl = declarations_.find(ref->var);
    if (decl == declarations_.end()) return false;
    if (effects.writes(decl->second)) return true;
    return effects_.escapes(decl->second) && memory();
  };
  return ir::match(
      e.node, [](const ir::Literal&) { return false; },
      [&](const ir::VarRef& n) {
        if (asPlace) return false;
        if (ir::isReference(module(), function()[n.var].type)) return memory() || escaped();
        if (partVariables_.count(n.var)) return effects.any();  // written as a member: under whatever name
        const auto decl = declarations_.find(n.var);
        if (decl == declarations_.end()) return false;  // our temporaries are written once
        return effects.writes(decl->second) || (effects_.escapes(decl->second) && memory());
      },
      [&](const ir::GlobalRef& n) { return !asPlace && !module()[n.global].isConstant && memory(); },
      [&](const ir::FieldRef& n) { return part(n.base); },
      [&](const ir::Subscript& n) {
        if (value(n.index)) return true;
        if (ir::as<ir::PointerType>(module(), typeOf(n.base)))
          return value(n.base) || memory() || escaped();
        return part(n.base);
      },
      [&](const ir::Deref& n) {
        return value(n.pointer) || memory() || escaped();
      },
      [&](const ir::AddressOf& n) { return mayChange(n.place, effects, true); },
      [&](const ir::Decay& n) { return mayChange(n.array, effects, true); },
      [&](const ir::DataOf& n) { return mayChange(n.container, effects, true) || structureMayChange(n.container, effects); },
      [&](const ir::SizeOf& n) { return mayChange(n.container, effects, true) || structureMayChange(n.container, effects); }, [&](const ir::Unary& n) { return value(n.operand); },
      [&](const ir::Binary& n) { return value(n.lhs) || value(n.rhs); }, [&](const ir::Cast& n) { return value(n.operand); },
      [&](const ir::Conditional& n) { return value(n.condition) || value(n.whenTrue) || value(n.whenFalse); },
      [&](const ir::MathCall& n) { return any(n.args); }, [&](const ir::PureCall& n) { return any(n.args); },
      [&](const ir::InitList& n) { return any(n.elements); });
}

bool FunctionLowering::structureMayChange(ExprId container, const Effects& effects) {
  if (const auto* c = ir::as<ir::ContainerType>(module(), typeOf(container)); c && c->kind != ir::ContainerKind::Vector) return false;
  if (!effects.restructuresMemory && effects.restructured.empty()) return false;
  ExprId root = container;
  while (true) {
    const ir::ExprNode& n = function()[root].node;
    if (const auto* f = std::get_if<ir::FieldRef>(&n)) root = f->base;
    else if (const auto* s = std::get_if<ir::Subscript>(&n); s && !ir::as<ir::PointerType>(module(), typeOf(s->base))) root = s->base;
    else break;
  }
  const auto* ref = std::get_if<ir::VarRef>(&function()[root].node);
  if (!ref || ir::isReference(module(), function()[ref->var].type) || partVariables_.count(ref->var)) return true;
  const auto decl = declarations_.find(ref->var);
  if (decl == declarations_.end()) return false;
  const auto* own = decl->second->getCanonicalDecl();
  return effects.restructured.count(own) != 0 || (effects.restructuresMemory && (effects_.takesAddress(own) || effects.takesAddress(own)));
}

// Whatever may change without being named.
static Effects sharedMemory() {
  Effects all;
  all.unknown = true;
  all.restructuresMemory = true;
  return all;
}

bool FunctionLowering::readsSharedMemory(ExprId id, bool asPlace) { return mayChange(id, sharedMemory(), asPlace); }

ExprId FunctionLowering::stableValue(ExprId value, const std::string& name) { return stableValue(value, name, sharedMemory()); }

ExprId FunctionLowering::stableValue(ExprId value, const std::string& name, const Effects& changes) {
  if (!mayChange(value, changes)) return value;
  ExprId temp = spill(value, name, {});
  function()[temp].loc = function()[value].loc;
  return temp;
}

ExprId FunctionLowering::stablePlace(ExprId id) { return stablePlace(id, sharedMemory()); }

// Only what selects the place is copied, not what it holds.
ExprId FunctionLowering::stablePlace(ExprId id, const Effects& changes) {
  if (!mayChange(id, changes, true)) return id;
  const ir::ExprNode node = function()[id].node;
  if (const auto* n = std::get_if<ir::FieldRef>(&node)) {
    const ExprId base = stablePlace(n->base, changes);
    std::get<ir::FieldRef>(function()[id].node).base = base;
  } else if (const auto* n = std::get_if<ir::Subscript>(&node)) {
    const bool pointer = ir::as<ir::PointerType>(module(), typeOf(n->base)) != nullptr;
    const ExprId base = pointer ? stableValue(n->base, "base", changes) : stablePlace(n->base, changes);
    const ExprId index = stableValue(n->index, "index", changes);
    std::get<ir::Subscript>(function()[id].node).base = base;
    std::get<ir::Subscript>(function()[id].node).index = index;
  } else if (const auto* n = std::get_if<ir::Deref>(&node)) {
    const ExprId pointer = stableValue(n->pointer, "pointer", changes);
    std::get<ir::Deref>(function()[id].node).pointer = pointer;
  }
  return id;
}

// `std::max(a, b)` or `std::min(a, b)` of at least one variable, whose result is that variable; null if e is something else.
static const CallExpr* choosesVariable(const Expr* e) {
  const auto* call = dyn_cast<CallExpr>(e->IgnoreParenImpCasts());
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier() || call->getNumArgs() != 2) return nullptr;
  if (callee->getName() != "max" && callee->getName() != "min") return nullptr;
  for (const Expr* arg : call->arguments())
    if (!isa<MaterializeTemporaryExpr>(arg->IgnoreParens())) return call;
  return nullptr;
}

std::vector<ExprId> FunctionLowering::inOrder(const std::vector<const Expr*>& operands, const std::vector<bool>& asPlace) {
  const auto isPlace = [&](std::size_t i) { return i < asPlace.size() && asPlace[i]; };
  // What a reference is bound to. Some references of C++ are values to us: these get memory of their own, but a variable that is
  // chosen stays the variable, as the callee may change it by another name.
  const std::function<ExprId(const Expr*)> bound = [&](const Expr* e) {
    const SourceLocation at = e->getExprLoc();
    if (const CallExpr* call = choosesVariable(e)) {
      const ExprId a = bound(call->getArg(0)), b = bound(call->getArg(1));
      const bool isMax = call->getDirectCallee()->getName() == "max";
      const ExprId takesSecond = binary(ir::BinaryOp::Lt, clone(isMax ? a : b), clone(isMax ? b : a), boolType(), at);
      const ExprId first = addressOf(a, at), second = convert(addressOf(b, at), typeOf(first), at);
      const ExprId pointer = expr(ir::Conditional{takesSecond, second, first}, typeOf(first), at);
      return deref(spill(pointer, "chosen", at), at);
    }
    const ExprId place = lowerPlace(e);
    const bool number = ir::isReal(module(), typeOf(place)) || ir::isIntegral(module(), typeOf(place));
    return number && !ir::isPlace(function()[place]) ? spill(place, "value", at) : place;
  };
  std::vector<ExprId> values(operands.size());
  std::vector<ir::Block> blocks(operands.size());
  std::size_t last = 0;  // behind the last operand with statements
  for (std::size_t i = 0; i < operands.size(); ++i) {
    InBlock in(*this, blocks[i]);
    values[i] = isPlace(i) ? bound(operands[i]) : lowerExpr(operands[i]);
    if (!blocks[i].empty()) last = i;
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    append(blocks[i]);
    if (i >= last) continue;
    Effects later;
    for (std::size_t k = i + 1; k <= last; ++k)
      if (!blocks[k].empty()) later.merge(effectsOf(operands[k], ast()));
    if (!mayChange(values[i], later, isPlace(i))) continue;
    values[i] = isPlace(i) ? stablePlace(values[i]) : spill(values[i], "operand", operands[i]->getExprLoc());
  }
  return values;
}

}  // namespace contraflow::frontend
