#include "emit/expr_writer.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "ir/check.hpp"
#include "ir/match.hpp"
#include "emit/stmt_writer.hpp"
#include "ir/printer.hpp"
#include "rules/rules.hpp"

namespace contraflow::emit {

using namespace ir;

namespace {

// C++'s levels of precedence; higher binds tighter.
constexpr int kConditional = 1, kOr = 2, kAnd = 3, kBitOr = 4, kBitXor = 5, kBitAnd = 6, kEqual = 7, kLess = 8, kShift = 9,
              kSum = 10, kProduct = 11, kUnary = 12, kPostfix = 13;

int level(BinaryOp op) {
  switch (op) {
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Rem: return kProduct;
    case BinaryOp::Add:
    case BinaryOp::Sub: return kSum;
    case BinaryOp::Shl:
    case BinaryOp::Shr: return kShift;
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: return kLess;
    case BinaryOp::Eq:
    case BinaryOp::Ne: return kEqual;
    case BinaryOp::BitAnd: return kBitAnd;
    case BinaryOp::BitXor: return kBitXor;
    case BinaryOp::BitOr: return kBitOr;
    case BinaryOp::And: return kAnd;
    case BinaryOp::Or: return kOr;
  }
  return 0;
}

bool isComparison(int level) { return level == kEqual || level == kLess; }
bool isBitwise(int level) { return level == kBitAnd || level == kBitXor || level == kBitOr || level == kShift; }

// Where -Wall asks for parentheses that the grammar doesn't need.
bool wantsParentheses(int inner, int outer) {
  if (outer == kOr && inner == kAnd) return true;
  if (isComparison(outer) && isComparison(inner)) return true;
  const bool binary = inner >= kOr && inner <= kProduct;
  return binary && inner != outer && (isBitwise(outer) || (isBitwise(inner) && outer <= kProduct && outer > kAnd));
}

std::string inParentheses(const std::string& text) { return "(" + text + ")"; }

bool isNumber(const std::string& text) {
  const std::size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  if (at >= text.size()) return false;
  const auto digit = [&](std::size_t i) { return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); };
  return digit(at) || (text[at] == '.' && digit(at + 1));
}

// A single token, a call, or something in brackets: nothing that an operator around it could take apart.
bool isPrimary(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '<' || c == '[') ++depth;
    if (c == ')' || c == '>' || c == ']') --depth;
    if (depth == 0 && std::string(" +-*/%&|^?!~=,").find(c) != std::string::npos) return false;
  }
  return true;
}

// One word (with ::), so that `word(x)` is a conversion.
bool isOneWord(const std::string& type) { return type.find_first_of(" *&<[(") == std::string::npos; }

}  // namespace

ExprWriter::Text ExprWriter::literal(const Literal& n, TypeId type) const {
  Text out{n.text, kPostfix, printedAs(m_, type)};
  if (!isNumber(n.text)) {
    if (!isPrimary(n.text)) out.text = n.text[0] == '"' || n.text[0] == '\'' || n.text[0] == '(' ? n.text : inParentheses(n.text);
    return out;
  }
  const bool isHex = n.text.find_first_of("xX") != std::string::npos;
  if (n.text[0] == '-') out.level = kUnary;
  if (const auto* real = as<RealType>(m_, type)) {
    std::string digits = n.text;
    const char* suffixes = isHex ? "lL" : "fFlLuU";
    while (std::string(suffixes).find(digits.back()) != std::string::npos) digits.pop_back();
    if (!isHex && digits.find_first_of(".eE") == std::string::npos) digits += ".0";
    if (real->kind == RealKind::Float) digits += "f";
    if (real->kind == RealKind::LongDouble) digits += "L";
    out.text = digits;
  } else if (const auto* integer = as<IntType>(m_, type)) {
    const bool hasSuffix = n.text.find_first_of("uUlL") != std::string::npos;
    out.type.isLiteral = n.text[0] != '-';
    // Without a suffix it is an int where it fits into one.
    if (!hasSuffix && !isHex && n.text.size() <= 9) {
      out.type.bits = 32;
      out.type.isSigned = true;
    } else if (!hasSuffix && !isHex && integer->bits > 32) {
      out.type.bits = 64;
      out.type.isSigned = true;
    }
  }
  return out;
}

ExprWriter::Text ExprWriter::atLevel(ExprId e, int level, Mode mode) const {
  Text t = write(e, mode);
  if (t.level < level) {
    t.text = inParentheses(t.text);
    t.level = kPostfix;
  }
  return t;
}

std::string ExprWriter::global(GlobalId id) const {
  const Global& g = m_[id];
  const bool hoisted = g.isLocalStatic && !g.hoistedName.empty();
  return qualified(g.namespaces, hoisted ? g.hoistedName : g.name, f_.namespaces);
}

// A part of a complex number is read by its accessor; as a place it is what our runtime gives.
bool ExprWriter::isComplexPart(ExprId e) const {
  const auto* field = std::get_if<FieldRef>(&f_[e].node);
  const auto* record = field ? as<RecordType>(m_, f_[field->base].type) : nullptr;
  return record && m_[record->record].isComplex;
}

std::string ExprWriter::place(ExprId e) const {
  if (!isComplexPart(e)) return exact(e);
  const auto& field = std::get<FieldRef>(f_[e].node);
  return (field.field == 0 ? "contraflow::real(" : "contraflow::imag(") + exact(field.base) + ")";
}

std::string ExprWriter::member(ExprId object) const {
  if (const auto* deref = std::get_if<Deref>(&f_[object].node)) {
    if (const auto* address = std::get_if<AddressOf>(&f_[deref->pointer].node)) return member(address->place);
    if (const std::string other = asOtherClass(deref->pointer); !other.empty()) return other + ".";
    return atLevel(deref->pointer, kPostfix, Mode::Exact).text + "->";
  }
  return atLevel(object, kPostfix, Mode::Exact).text + ".";
}

// `*static_cast<const Burgers*>(&law)` is written `static_cast<const Burgers&>(law)`. Empty where the pointer isn't that.
std::string ExprWriter::asOtherClass(ExprId pointer) const {
  const auto* cast = std::get_if<Cast>(&f_[pointer].node);
  const auto* to = cast && cast->isExplicit ? as<PointerType>(m_, f_[pointer].type) : nullptr;
  const auto* address = to ? std::get_if<AddressOf>(&f_[cast->operand].node) : nullptr;
  if (!address || !as<RecordType>(m_, to->pointee) || !as<RecordType>(m_, f_[address->place].type)) return "";
  return "static_cast<" + spell(m_, to->pointee) + "&>(" + exact(address->place) + ")";
}

ExprWriter::Text ExprWriter::write(ExprId id, Mode mode) const {
  const Expr& e = f_[id];
  const Printed own = printedAs(m_, e.type);
  return match(
      e.node, [&](const Literal& n) { return literal(n, e.type); },
      [&](const VarRef& n) { return Text{names_[n.var], kPostfix, own}; },
      [&](const GlobalRef& n) { return Text{global(n.global), kPostfix, own}; },
      [&](const FieldRef& n) {
        const auto* record = as<RecordType>(m_, f_[n.base].type);
        if (!record || n.field >= m_[record->record].fields.size())
          internalError("emit", qualifiedName(f_), "no such field: " + print(m_, f_, id));
        const Field& field = m_[record->record].fields[n.field];
        if (field.isPrivate) return Text{accessName(m_, record->record, n.field) + "(" + exact(n.base) + ")", kPostfix, own};
        if (m_[record->record].isComplex) return Text{member(n.base) + field.name + "()", kPostfix, own};
        if (isTupleElement(field)) return Text{"std::" + field.name + "(" + exact(n.base) + ")", kPostfix, own};
        if (isBaseClass(field)) return Text{asBase(field, exact(n.base)), kPostfix, own};
        // A member of a base class is named without it where the object has no other one of that name.
        const auto* base = std::get_if<FieldRef>(&f_[n.base].node);
        const auto* derived = base ? as<RecordType>(m_, f_[base->base].type) : nullptr;
        if (derived && isBaseClass(m_[derived->record].fields[base->field]) && isOnly(m_, derived->record, field.name))
          return Text{member(base->base) + field.name, kPostfix, own};
        return Text{member(n.base) + memberName(m_[record->record], n.field), kPostfix, own};
      },
      [&](const Subscript& n) { return subscript(n.base, n.index, n.checked, e.type); },
      [&](const Deref& n) {
        const ExprNode& pointer = f_[n.pointer].node;
        if (const auto* address = std::get_if<AddressOf>(&pointer)) return write(address->place, mode);
        if (const std::string other = asOtherClass(n.pointer); !other.empty()) return Text{other, kPostfix, own};
        const auto* sum = std::get_if<Binary>(&pointer);
        if (sum && sum->op == BinaryOp::Add && as<PointerType>(m_, f_[sum->lhs].type))
          return subscript(sum->lhs, sum->rhs, false, e.type);
        return Text{"*" + atLevel(n.pointer, kUnary, Mode::Exact).text, kUnary, own};
      },
      [&](const AddressOf& n) {
        if (const auto* deref = std::get_if<Deref>(&f_[n.place].node)) return write(deref->pointer, mode);
        if (isComplexPart(n.place)) return Text{"&" + place(n.place), kUnary, own};
        return Text{"&" + atLevel(n.place, kUnary, Mode::Exact).text, kUnary, own};
      },
      [&](const Decay& n) {
        Text t = write(n.array, Mode::Exact);
        return t;
      },
      [&](const DataOf& n) { return Text{member(n.container) + "data()", kPostfix, own}; },
      [&](const SizeOf& n) {
        Printed size;
        size.kind = Printed::Int;
        size.bits = 64;
        size.isSigned = false;
        return Text{member(n.container) + "size()", kPostfix, size};
      },
      [&](const Unary& n) { return unary(n, e.type); }, [&](const Binary& n) { return binary(n, e.type); },
      [&](const Cast& n) { return n.isExplicit ? cast(n.operand, e.type) : implicit(n, e.type, mode); },
      [&](const Conditional& n) { return conditional(n, e.type); }, [&](const MathCall& n) { return mathCall(n, e.type); },
      [&](const PureCall& n) { return Text{qualifiedCallee(n.callee, f_.namespaces) + "(" + arguments(n.args) + ")", kPostfix, own}; },
      [&](const InitList& n) {
        std::string out;
        for (ExprId element : n.elements) out += (out.empty() ? "" : ", ") + exact(element);
        // A std::array is an object around an array, whose braces may be left out unless an element has some.
        const auto isList = [&](ExprId element) { return std::holds_alternative<InitList>(f_[element].node); };
        const bool whole = as<ContainerType>(m_, e.type) && std::any_of(n.elements.begin(), n.elements.end(), isList);
        return Text{whole ? "{{" + out + "}}" : "{" + out + "}", kPostfix, own};
      });
}

ExprWriter::Text ExprWriter::subscript(ExprId base, ExprId at, bool checked, TypeId type) const {
  const bool ofContainer = as<ContainerType>(m_, f_[base].type) != nullptr;
  const std::string i = index(at, ofContainer);
  if (checked) return {member(base) + "at(" + i + ")", kPostfix, printedAs(m_, type)};
  if (const auto* data = std::get_if<DataOf>(&f_[base].node)) base = data->container;
  // Clang takes `(&v.x)[i]` for an access to the member x, which no write to v.y changes, but not what has an operator in between.
  const auto* address = std::get_if<AddressOf>(&f_[base].node);
  if (address && std::holds_alternative<FieldRef>(f_[address->place].node))
    return {"*(" + exact(base) + " + " + (isPrimary(i) ? i : inParentheses(i)) + ")", kUnary, printedAs(m_, type)};
  return {atLevel(base, kPostfix, Mode::Exact).text + "[" + i + "]", kPostfix, printedAs(m_, type)};
}

ExprWriter::Text ExprWriter::valueText(ExprId e) const {
  const auto* c = std::get_if<Cast>(&f_[e].node);
  if (c && !c->isExplicit) {
    const Text t = valueText(c->operand);
    if (lossless(t.type, printedAs(m_, f_[e].type))) return t;
  }
  return write(e, Mode::Exact);
}

// Widening conversions of an index go without saying; a container's index is converted to std::size_t anyway.
std::string ExprWriter::index(ExprId e, bool ofContainer) const {
  const auto* c = std::get_if<Cast>(&f_[e].node);
  if (c && !c->isExplicit) {
    const Text t = write(c->operand, Mode::Exact);
    const Printed to = printedAs(m_, f_[e].type);
    const bool toSize = ofContainer && to.kind == Printed::Int && to.bits == 64 && t.type.kind == Printed::Int;
    if (lossless(t.type, to) || toSize) return t.text;
  }
  return exact(e);
}

ExprWriter::Text ExprWriter::cast(ExprId operand, TypeId type) const {
  const std::string to = spell(m_, type), from = value(operand);
  Text out{"", kPostfix, printedAs(m_, type)};
  const auto pointee = [&](TypeId t) {
    const auto* p = as<PointerType>(m_, t);
    return p ? as<RecordType>(m_, p->pointee) : nullptr;
  };
  const bool alongClasses = pointee(type) && pointee(f_[operand].type);
  const auto isVoidPointer = [&](TypeId t) {
    const auto* p = as<PointerType>(m_, t);
    return p && as<VoidType>(m_, p->pointee);
  };
  if (!alongClasses && as<PointerType>(m_, type) && !isVoidPointer(type) && !isVoidPointer(f_[operand].type)) {
    out.text = inParentheses(to) + atLevel(operand, kUnary, Mode::Exact).text;
    out.level = kUnary;
  } else {
    out.text = (isOneWord(to) ? to : "static_cast<" + to + ">") + inParentheses(from);
  }
  return out;
}

// An implicit conversion is left away where the context makes it (Converted), or where it changes nothing that C++ sees: const,
// pointers to more const, a literal that gets the right type at once.
ExprWriter::Text ExprWriter::implicit(const Cast& n, TypeId type, Mode mode) const {
  const Printed to = printedAs(m_, type);
  const Text inner = mode == Mode::Converted ? valueText(n.operand) : write(n.operand, Mode::Exact);
  if (to.kind == Printed::Other && (inner.type.kind == Printed::Other || as<PointerType>(m_, type))) return inner;
  if (to.kind == Printed::Other) return mode == Mode::Converted && !as<EnumType>(m_, type) ? inner : cast(n.operand, type);
  if (same(m_, inner.type, to)) return inner;
  if (mode == Mode::Converted) return inner;
  const auto* number = std::get_if<Literal>(&f_[n.operand].node);
  if (number && isNumber(number->text) && to.kind == Printed::Real && !as<RealType>(m_, f_[n.operand].type))
    return literal(*number, type);
  return cast(n.operand, type);
}

ExprWriter::Text ExprWriter::unary(const Unary& n, TypeId type) const {
  const char* op = ir::spell(n.op);
  if (n.op == UnaryOp::Not) {
    Text t = atLevel(n.operand, kUnary, Mode::Converted);
    return {op + t.text, kUnary, printedAs(m_, type)};
  }
  Text t = atLevel(n.operand, kUnary, Mode::Converted);
  if (!same(m_, promoted(t.type), promoted(printedAs(m_, type)))) t = atLevel(n.operand, kUnary, Mode::Exact);
  // `- -x` isn't `--x`.
  const bool glued = t.text[0] == '-';
  return {op + (glued ? inParentheses(t.text) : t.text), kUnary, promoted(t.type.isLiteral ? printedAs(m_, type) : t.type)};
}

ExprWriter::Text ExprWriter::binary(const Binary& n, TypeId type) const {
  const int own = level(n.op);
  const auto operand = [&](ExprId e, Mode mode, bool right) {
    Text t = atLevel(e, right ? own + 1 : own, mode);
    const auto* inner = std::get_if<Unary>(&f_[e].node);
    const bool notInComparison = inner && inner->op == UnaryOp::Not && isComparison(own);
    if (t.level != kPostfix && (wantsParentheses(t.level, own) || notInComparison)) t.text = inParentheses(t.text);
    return t;
  };
  Text lhs = operand(n.lhs, Mode::Converted, false), rhs = operand(n.rhs, Mode::Converted, true);
  Printed result = printedAs(m_, type);
  const bool logical = own == kAnd || own == kOr, shift = own == kShift;
  const Printed left = printedAs(m_, f_[n.lhs].type), right = printedAs(m_, f_[n.rhs].type);
  if (logical) {
    // Operands are converted to bool.
  } else if (shift) {
    if (!same(m_, promoted(lhs.type), promoted(left))) lhs = operand(n.lhs, Mode::Exact, false);
    result = promoted(left);
  } else if (left.kind != Printed::Other && right.kind != Printed::Other) {
    // Both operands have one type in the IR. C++ has to find the same one for what is printed.
    const Printed wanted = promoted(left);
    const auto good = [&] {
      const bool signs = isComparison(own) && signsDiffer(lhs.type, rhs.type);
      return same(m_, common(lhs.type, rhs.type), wanted) && !signs;
    };
    const auto literalIn = [&](ExprId e) { return std::holds_alternative<Literal>(f_[e].node); };
    if (!good()) {
      const Text other = lhs;
      lhs = operand(n.lhs, Mode::Exact, false);
      // Two literals, or one whose suffix is missing: spell the type out.
      if (!good() && literalIn(n.lhs) && !literalIn(n.rhs)) lhs = other;
      if (!good()) rhs = operand(n.rhs, Mode::Exact, true);
      if (!good() && literalIn(n.lhs)) lhs = cast(n.lhs, f_[n.lhs].type);
      if (!good() && literalIn(n.rhs)) rhs = cast(n.rhs, f_[n.rhs].type);
    }
    if (!isComparison(own)) result = common(lhs.type, rhs.type);
  } else {
    // Pointers: an index beside them keeps its value.
    if (right.kind == Printed::Int) rhs.text = lossless(rhs.type, right) ? rhs.text : operand(n.rhs, Mode::Exact, true).text;
    if (left.kind == Printed::Int) lhs.text = lossless(lhs.type, left) ? lhs.text : operand(n.lhs, Mode::Exact, false).text;
  }
  return {lhs.text + " " + ir::spell(n.op) + " " + rhs.text, own, result};
}

ExprWriter::Text ExprWriter::conditional(const Conditional& n, TypeId type) const {
  const std::string test = atLevel(n.condition, kOr, Mode::Converted).text;
  Text yes = atLevel(n.whenTrue, kConditional, Mode::Converted), no = atLevel(n.whenFalse, kConditional, Mode::Converted);
  const Printed wanted = printedAs(m_, type);
  if (wanted.kind == Printed::Other) {
    // nullptr beside a pointer is fine as it is, not a pointer to another class.
    const auto classOf = [&](ExprId e) {
      const auto* p = as<PointerType>(m_, f_[e].type);
      const auto* record = p ? as<RecordType>(m_, p->pointee) : nullptr;
      return record ? record->record : RecordId();
    };
    const auto ofAnother = [&](ExprId e) {
      const auto* c = std::get_if<Cast>(&f_[e].node);
      return c && !c->isExplicit && classOf(e).valid() && classOf(c->operand).valid() && classOf(e) != classOf(c->operand);
    };
    if (ofAnother(n.whenTrue)) yes = cast(std::get<Cast>(f_[n.whenTrue].node).operand, type);
    if (ofAnother(n.whenFalse)) no = cast(std::get<Cast>(f_[n.whenFalse].node).operand, type);
  } else if (!same(m_, yes.type, no.type) || !same(m_, yes.type, wanted)) {
    if (!same(m_, common(yes.type, no.type), promoted(wanted)) || signsDiffer(yes.type, no.type)) {
      yes = atLevel(n.whenTrue, kConditional, Mode::Exact);
      no = atLevel(n.whenFalse, kConditional, Mode::Exact);
    }
  }
  const Printed result = same(m_, yes.type, no.type) ? yes.type : common(yes.type, no.type);
  // A conditional inside a conditional is easier to read in parentheses, but a chain of them without.
  const bool nested = yes.level == kConditional;
  return {test + " ? " + (nested ? inParentheses(yes.text) : yes.text) + " : " + no.text, kConditional, result};
}

ExprWriter::Text ExprWriter::mathCall(const MathCall& n, TypeId type) const {
  const rules::MathRow* row = rules::findMath(n.function);
  if (!row) internalError("emit", qualifiedName(f_), "no rule is named '" + n.function + "'");
  const Printed wanted = printedAs(m_, type);
  std::string args;
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    Text t = write(n.args[i], Mode::Converted);
    const Printed own = printedAs(m_, f_[n.args[i]].type);
    // The library's functions of reals come in three types; an integer would be taken for a double. Templates and our own take
    // what they get.
    const bool isTemplate = n.function == "min" || n.function == "max" || n.function == "clamp" || n.function == "abs" ||
                            row->cppName.compare(0, 5, "std::") != 0;
    const bool integerIsFine = !isTemplate && n.args.size() > 1 && i > 0 && t.type.kind == Printed::Int &&
                               wanted.kind == Printed::Real && wanted.real == RealKind::Double;
    if (!same(m_, t.type, own) && !integerIsFine) t = write(n.args[i], Mode::Exact);
    args += (i ? ", " : "") + t.text;
  }
  return {row->cppName + "(" + args + ")", kPostfix, wanted};
}

std::string ExprWriter::bound(ExprId e, TypeId counter) const {
  const Printed i = printedAs(m_, counter);
  const auto text = [&](Mode mode) { return atLevel(e, kLess + 1, mode); };
  Text t = text(Mode::Converted);
  if (t.type.kind != Printed::Int || i.kind != Printed::Int) return t.text;
  const Printed own = printedAs(m_, f_[e].type);
  if (!same(m_, common(i, t.type), common(i, own)) || signsDiffer(i, t.type)) t = text(Mode::Exact);
  if (signsDiffer(i, t.type)) return cast(e, counter).text;
  return t.text;
}

std::string ExprWriter::condition(ExprId e) const {
  const auto* c = std::get_if<Cast>(&f_[e].node);
  return c && !c->isExplicit ? exact(c->operand) : exact(e);
}

std::string ExprWriter::negated(ExprId e) const {
  if (const auto* n = std::get_if<Unary>(&f_[e].node); n && n->op == UnaryOp::Not) return condition(n->operand);
  if (const auto* b = std::get_if<Binary>(&f_[e].node); b && !isReal(m_, f_[b->lhs].type)) {
    // Not for reals: neither x < y nor x >= y holds for NaN.
    static const std::map<BinaryOp, BinaryOp> kOpposite = {{BinaryOp::Lt, BinaryOp::Ge}, {BinaryOp::Ge, BinaryOp::Lt}, {BinaryOp::Gt, BinaryOp::Le},
                                                           {BinaryOp::Le, BinaryOp::Gt}, {BinaryOp::Eq, BinaryOp::Ne}, {BinaryOp::Ne, BinaryOp::Eq}};
    if (const auto it = kOpposite.find(b->op); it != kOpposite.end()) return binary(Binary{it->second, b->lhs, b->rhs}, f_[e].type).text;
  }
  const Text t = write(e, Mode::Converted);
  return "!" + (t.level < kUnary ? inParentheses(t.text) : t.text);
}

bool ExprWriter::deducible(ExprId e) const {
  const ExprNode& node = f_[e].node;
  if (std::holds_alternative<Decay>(node) || std::holds_alternative<PureCall>(node)) return false;
  if (const auto* literal = std::get_if<Literal>(&node); literal && !isNumber(literal->text)) return false;
  return same(m_, write(e, Mode::Exact).type, printedAs(m_, f_[e].type));
}

std::string ExprWriter::arguments(const std::vector<ExprId>& args) const {
  std::string out;
  for (ExprId a : args) out += (out.empty() ? "" : ", ") + converted(a);
  return out;
}

}  // namespace contraflow::emit
