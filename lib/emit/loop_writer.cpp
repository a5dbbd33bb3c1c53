// Loops as C++.
#include "emit/stmt_writer.hpp"
#include "ir/printer.hpp"
#include "ir/walk.hpp"

namespace contraflow::emit {

using namespace ir;

std::string StmtWriter::forHead(const For& s) const {
  const std::string i = name(s.counter);
  const auto* literal = std::get_if<Literal>(&f_[withoutCasts(f_, s.step)].node);
  const auto* minus = std::get_if<Unary>(&f_[s.step].node);
  const auto* size = minus && minus->op == UnaryOp::Minus ? std::get_if<Literal>(&f_[minus->operand].node) : nullptr;
  std::string step;
  if (literal && literal->text == "1")
    step = "++" + i;
  else if ((literal && literal->text == "-1") || (size && size->text == "1"))
    step = "--" + i;
  else if (literal && literal->text[0] == '-')
    step = i + " -= " + literal->text.substr(1);
  else if (minus && minus->op == UnaryOp::Minus)
    step = i + " -= " + expr_.value(minus->operand);
  else
    step = i + " += " + expr_.value(s.step);
  // The comparison converts as any other; a bound of another type than the counter's is the lowering's business.
  return "for (" + spell(m_, f_[s.counter].type, i) + " = " + expr_.converted(s.init) + "; " + i + " " + ir::spell(s.compare) + " " +
         expr_.bound(s.bound, f_[s.counter].type) + "; " + step + ")";
}

// A loop over the numbers of iterations, backwards, whose body begins with the counter that this is the number of.
//     for (long iteration = contraflow::tripCount(0, contraflow::Compare::Less, n, 1) - 1; iteration >= 0; --iteration) {
//       unsigned long i = static_cast<unsigned long>(iteration); …       →       for (unsigned long i = n; i-- > 0;) { …
void StmtWriter::forLoop(const For& s) {
  const auto* counter = s.body.empty() ? nullptr : std::get_if<Declare>(&f_[s.body[0]].node);
  const std::string bound = counter ? boundOfBackwards(s, *counter) : "";
  if (bound.empty()) return braces(forHead(s), s.body);
  const std::string i = name(counter->var);
  braces("for (" + spell(m_, f_[counter->var].type, i) + " = " + bound + "; " + i + "-- > 0;)", Block(s.body.begin() + 1, s.body.end()));
}

// Of such a loop, how many iterations there are; empty where it is another one.
std::string StmtWriter::boundOfBackwards(const For& s, const Declare& counter) const {
  const auto isLiteral = [&](ExprId e, const char* text) {
    const auto* literal = std::get_if<Literal>(&f_[withoutCasts(f_, e)].node);
    return literal && literal->text == text;
  };
  const TypeId type = f_[counter.var].type;
  const auto* integer = as<IntType>(m_, type);
  const auto* number = counter.init == Init::Value && !counter.args.empty() ? std::get_if<Cast>(&f_[counter.args[0]].node) : nullptr;
  const auto* ref = number ? std::get_if<VarRef>(&f_[number->operand].node) : nullptr;
  if (!integer || integer->isSigned || m_[type].isConst || !ref || ref->var != s.counter) return "";
  if (s.compare != BinaryOp::Ge || !isLiteral(s.bound, "0") || !isLiteral(s.step, "-1")) return "";
  unsigned uses = 0;
  walkExprs(f_, s.body, [&](ExprId e) {
    const auto* other = std::get_if<VarRef>(&f_[e].node);
    uses += other && other->var == s.counter;
  });
  if (uses != 1) return "";
  if (const auto* last = std::get_if<Literal>(&f_[s.init].node); last && last->text.find_first_not_of("0123456789") == std::string::npos)
    return std::to_string(std::stol(last->text) + 1);
  const auto* minus = std::get_if<Binary>(&f_[s.init].node);
  const auto* trips = minus && minus->op == BinaryOp::Sub && isLiteral(minus->rhs, "1") ? std::get_if<PureCall>(&f_[minus->lhs].node) : nullptr;
  if (!trips || trips->callee != "contraflow::tripCount" || !isLiteral(trips->args[0], "0") || !isLiteral(trips->args[1], "contraflow::Compare::Less") ||
      !isLiteral(trips->args[3], "1"))
    return "";
  const auto* bound = as<IntType>(m_, f_[trips->args[2]].type);
  return bound && !bound->isSigned && bound->bits == integer->bits ? expr_.converted(trips->args[2]) : "";
}

bool StmtWriter::hasContinue(const Block& body) const {
  bool found = false;
  walkStmts(f_, body, [&](StmtId id) {
    found = found || std::holds_alternative<Continue>(f_[id].node);
    const bool isLoop = std::holds_alternative<For>(f_[id].node) || std::holds_alternative<While>(f_[id].node);
    return !isLoop;  // a continue in there belongs to that loop
  });
  return found;
}

void StmtWriter::whileLoop(const While& s) {
  const auto test = [&] {
    block(s.test);
    ++depth_;
    line("if (" + expr_.negated(s.condition) + ") {");
    ++depth_;
    line("break;");
    --depth_;
    line("}");
    --depth_;
  };
  if (s.test.empty() && !s.testAtEnd) return braces("while (" + expr_.condition(s.condition) + ")", s.body);
  if (s.test.empty()) {
    line("do {");
    block(s.body);
    return line("} while (" + expr_.condition(s.condition) + ");");
  }
  if (s.testAtEnd && hasContinue(s.body)) {
    // A continue has to reach the test.
    const std::string first = names_.fresh("first");
    line("for (bool " + first + " = true;; " + first + " = false) {");
    ++depth_;
    line("if (!" + first + ") {");
    test();
    line("}");
    --depth_;
    block(s.body);
    return line("}");
  }
  line("while (true) {");
  if (!s.testAtEnd) test();
  block(s.body);
  if (s.testAtEnd) test();
  line("}");
}

}  // namespace contraflow::emit
