#include "ir/expr_printer.hpp"

#include <map>

#include "ir/match.hpp"
#include "ir/printer.hpp"

namespace contraflow::ir {
namespace {

constexpr int kUnary = 20, kPostfix = 30;

// How tightly C++ binds the operator; higher is tighter.
int precedence(BinaryOp op) {
  switch (op) {
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Rem: return 13;
    case BinaryOp::Add:
    case BinaryOp::Sub: return 12;
    case BinaryOp::Shl:
    case BinaryOp::Shr: return 11;
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: return 10;
    case BinaryOp::Eq:
    case BinaryOp::Ne: return 9;
    case BinaryOp::BitAnd: return 8;
    case BinaryOp::BitXor: return 7;
    case BinaryOp::BitOr: return 6;
    case BinaryOp::And: return 5;
    case BinaryOp::Or: return 4;
  }
  return 0;
}

std::string paren(const std::string& text, bool needed) { return needed ? "(" + text + ")" : text; }

}  // namespace

const char* spell(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return "+";
    case BinaryOp::Sub: return "-";
    case BinaryOp::Mul: return "*";
    case BinaryOp::Div: return "/";
    case BinaryOp::Rem: return "%";
    case BinaryOp::Shl: return "<<";
    case BinaryOp::Shr: return ">>";
    case BinaryOp::BitAnd: return "&";
    case BinaryOp::BitOr: return "|";
    case BinaryOp::BitXor: return "^";
    case BinaryOp::Lt: return "<";
    case BinaryOp::Le: return "<=";
    case BinaryOp::Gt: return ">";
    case BinaryOp::Ge: return ">=";
    case BinaryOp::Eq: return "==";
    case BinaryOp::Ne: return "!=";
    case BinaryOp::And: return "&&";
    case BinaryOp::Or: return "||";
  }
  return "?";
}

const char* spell(UnaryOp op) {
  switch (op) {
    case UnaryOp::Minus: return "-";
    case UnaryOp::Not: return "!";
    case UnaryOp::BitNot: return "~";
  }
  return "?";
}

ExprPrinter::ExprPrinter(const Module& module, const Function& function) : module_(module), function_(function) {
  std::map<std::string, unsigned> uses;
  for (const Var& var : function.vars) {
    const unsigned use = ++uses[var.name];
    names_.push_back(use == 1 ? var.name : var.name + "." + std::to_string(use));
  }
}

const std::string& ExprPrinter::name(VarId id) const {
  static const std::string kNone = "<no variable>";
  return id.valid() && id.index() < names_.size() ? names_[id.index()] : kNone;
}

std::string ExprPrinter::declaration(VarId id) const {
  if (!id.valid() || id.index() >= names_.size()) return name(id);
  const Var& var = function_[id];
  const std::string declared = (var.isRestrict ? "__restrict__ " : "") + name(id);
  return var.type.valid() ? spell(module_, var.type, declared) : "<no type> " + declared;
}

std::string ExprPrinter::list(const std::vector<ExprId>& ids) const {
  std::string out;
  for (ExprId id : ids) out += (out.empty() ? "" : ", ") + (*this)(id);
  return out;
}

// `outer`: how tightly the operator around binds; a looser one inside gets parentheses.
std::string ExprPrinter::expr(ExprId id, int outer) const {
  if (!id.valid()) return "<none>";
  if (id.index() >= function_.exprs.size()) return "<bad expression>";
  const Expr& e = function_[id];
  return match(
      e.node, [](const Literal& n) { return n.text; }, [&](const VarRef& n) { return name(n.var); },
      [&](const GlobalRef& n) {
        if (!n.global.valid() || n.global.index() >= module_.globals.size()) return std::string("<bad global>");
        return "@" + module_[n.global].name;
      },
      [&](const FieldRef& n) {
        const auto* pointer = n.base.valid() ? std::get_if<Deref>(&function_[n.base].node) : nullptr;
        const auto* record = n.base.valid() ? as<RecordType>(module_, function_[n.base].type) : nullptr;
        std::string field = "<field " + std::to_string(n.field) + ">";
        if (record && n.field < module_[record->record].fields.size()) {
          const Field& known = module_[record->record].fields[n.field];
          field = (known.owner.empty() ? "" : known.owner + "::") + known.name;
        }
        return pointer ? expr(pointer->pointer, kPostfix) + "->" + field : expr(n.base, kPostfix) + "." + field;
      },
      [&](const Subscript& n) {
        const std::string base = expr(n.base, kPostfix);
        return n.checked ? base + ".at(" + expr(n.index, 0) + ")" : base + "[" + expr(n.index, 0) + "]";
      },
      [&](const Deref& n) { return paren("*" + expr(n.pointer, kUnary), outer > kUnary); },
      [&](const AddressOf& n) { return paren("&" + expr(n.place, kUnary), outer > kUnary); },
      [&](const Decay& n) { return "decay(" + expr(n.array, 0) + ")"; },
      [&](const DataOf& n) { return expr(n.container, kPostfix) + ".data()"; },
      [&](const SizeOf& n) { return expr(n.container, kPostfix) + ".size()"; },
      [&](const Unary& n) { return paren(spell(n.op) + expr(n.operand, kUnary + 1), outer > kUnary); },
      [&](const Binary& n) {
        const int own = precedence(n.op);
        return paren(expr(n.lhs, own) + " " + spell(n.op) + " " + expr(n.rhs, own + 1), outer > own);
      },
      [&](const Cast& n) {
        const std::string type = e.type.valid() ? spell(module_, e.type) : "<no type>";
        return (n.isExplicit ? "cast<" : "implicit<") + type + ">(" + expr(n.operand, 0) + ")";
      },
      [&](const Conditional& n) {
        return paren(expr(n.condition, 4) + " ? " + expr(n.whenTrue, 3) + " : " + expr(n.whenFalse, 3), outer > 3);
      },
      [&](const MathCall& n) { return n.function + "(" + list(n.args) + ")"; },
      [&](const PureCall& n) { return n.callee + "(" + list(n.args) + ")"; },
      [&](const InitList& n) { return "{" + list(n.elements) + "}"; });
}

}  // namespace contraflow::ir
