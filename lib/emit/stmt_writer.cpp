#include "emit/stmt_writer.hpp"

#include <algorithm>
#include <map>

#include "ir/equal.hpp"
#include "ir/printer.hpp"
#include "ir/walk.hpp"

namespace contraflow::emit {

using namespace ir;

namespace {

// Types whose unused variables compilers warn of: those without constructors and destructors.
bool warnsIfUnused(const Module& m, TypeId t) {
  const auto* record = as<RecordType>(m, t);
  return !as<ContainerType>(m, t) && !as<OpaqueType>(m, t) && !as<TapeType>(m, t) &&
         (!record || m[record->record].isTriviallyCopyable);
}

std::string anyArguments(const Module& m, TypeId t) {
  const auto* record = as<RecordType>(m, t);
  return record && !m[record->record].isDefaultConstructible ? m[record->record].anyArguments : "";
}

bool isScalar(const Module& m, TypeId t) { return isReal(m, t) || isIntegral(m, t); }

}  // namespace

// The record that a place is, or that a pointer or reference leads to.
static RecordId classOf(const Module& m, TypeId t) {
  if (!t.valid()) return {};
  t = withoutReference(m, t);
  if (const auto* p = as<PointerType>(m, t)) t = p->pointee;
  const auto* record = as<RecordType>(m, t);
  return record ? record->record : RecordId();
}

std::string memberName(const Record& record, unsigned field) {
  const Field& f = record.fields[field];
  const auto same = std::count_if(record.fields.begin(), record.fields.end(), [&](const Field& other) { return other.name == f.name; });
  return same > 1 && !f.owner.empty() ? f.owner + "::" + f.name : f.name;
}

bool isBaseClass(const Field& field) { return !field.name.empty() && field.name.front() == '('; }

std::string asBase(const Field& field, const std::string& object) {
  return "contraflow::base<" + field.name.substr(1, field.name.size() - 2) + ">(" + object + ")";
}

namespace {
std::size_t countMembers(const Module& m, RecordId record, const std::string& name) {
  std::size_t count = 0;
  for (const Field& f : m[record].fields) {
    count += f.name == name;
    if (isBaseClass(f)) count += countMembers(m, as<RecordType>(m, f.type)->record, name);
  }
  return count;
}
}  // namespace

bool isOnly(const Module& m, RecordId record, const std::string& name) { return countMembers(m, record, name) == 1; }

bool isTupleElement(const Field& field) { return field.name.compare(0, 4, "get<") == 0; }

StmtWriter::StmtWriter(const Module& module, const Function& function)
    : m_(module), f_(function), names_(module, function), expr_(module, function, names_), usage_(usage(module, function)) {}

void StmtWriter::line(const std::string& text) { out_ += std::string(2 * depth_, ' ') + text + "\n"; }

// (A derivative may restore through other names what a local `__restrict__` pointer leads to.)
std::string StmtWriter::declarator(VarId v) const {
  return (f_[v].isRestrict && f_[v].kind == VarKind::Parameter ? "__restrict__ " : "") + name(v);
}

std::string StmtWriter::signature(bool withLinkage, bool definition) {
  std::string params;
  for (VarId p : f_.params) {
    // A definition leaves the name of an unused parameter out, so that no compiler warns.
    const bool unused = definition && !usage_[p.index()].mentioned;
    const std::string name = unused ? (f_[p].name.empty() ? "" : " /*" + f_[p].name + "*/")
                                    : (f_[p].name.empty() && !definition ? "" : declarator(p));
    params += (params.empty() ? "" : ", ") + spell(m_, f_[p].type, name);
  }
  const char* linkage = !withLinkage                    ? ""
                        : f_.linkage == Linkage::Internal ? "static "
                        : f_.linkage == Linkage::Inline   ? "inline "
                                                          : "";
  return linkage + spell(m_, f_.result, f_.name + "(" + params + ")");
}

std::string StmtWriter::definition() {
  out_.clear();
  depth_ = 0;
  braces(signature(true, true), f_.body);
  return std::move(out_);
}

void StmtWriter::braces(const std::string& head, const Block& body) {
  line(head.empty() ? "{" : head + " {");
  block(body);
  line("}");
}

// True if anything behind the statement at `at` does more with v than to give it a value. What a function leaves on the tape may be
// all that is wanted of its call.
bool StmtWriter::readBehind(const Block& body, std::size_t at, VarId v) const {
  bool read = false;
  walkStmts(f_, Block(body.begin() + static_cast<std::ptrdiff_t>(at) + 1, body.end()), [&](StmtId s) {
    const auto* assign = std::get_if<Assign>(&f_[s].node);
    const auto* call = std::get_if<Call>(&f_[s].node);
    const ExprId given = assign ? assign->target : call ? call->result : ExprId();
    forEachExprOfStmt(f_[s], [&](ExprId e) {
      if (e == given && std::holds_alternative<VarRef>(f_[e].node)) return;
      walkExpr(f_, e, [&](ExprId x) {
        const auto* var = std::get_if<VarRef>(&f_[x].node);
        read = read || (var && var->var == v);
      });
    });
  });
  return read;
}

void StmtWriter::block(const Block& body) {
  ++depth_;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (const Call* call = initialiser(body, i)) {
      const auto& d = std::get<Declare>(f_[body[i]].node);
      declare(d, call, readBehind(body, i + 1, d.var));
      ++i;
    } else if (const auto* d = std::get_if<Declare>(&f_[body[i]].node); d && d->init == Init::None && isScalar(m_, f_[d->var].type)) {
      declare(*d, nullptr, readBehind(body, i, d->var));
    } else {
      stmt(body[i]);
    }
  }
  --depth_;
}

// --- declarations -------------------------------------------------------------------------------------------------------

// `double t; t = f(x);` is written `double t = f(x);`: the call that stands behind a declaration, a bare one or of a zero, and gives it
// its value.
const Call* StmtWriter::initialiser(const Block& body, std::size_t at) const {
  const auto* d = std::get_if<Declare>(&f_[body[at]].node);
  if (!d || d->storage != Storage::Automatic || at + 1 == body.size()) return nullptr;
  if (d->init != Init::None && !(d->init == Init::Zero && isScalar(m_, f_[d->var].type))) return nullptr;
  const auto* c = std::get_if<Call>(&f_[body[at + 1]].node);
  if (!c || !c->result.valid()) return nullptr;
  const auto* result = std::get_if<VarRef>(&f_[c->result].node);
  const TypeId type = f_[d->var].type;
  if (!result || result->var != d->var || !(isScalar(m_, type) || (as<RecordType>(m_, type) && isTriviallyCopyable(m_, type)))) return nullptr;
  bool usesItself = false;
  for (ExprId a : c->args)
    walkExpr(f_, a, [&](ExprId e) {
      const auto* var = std::get_if<VarRef>(&f_[e].node);
      usesItself = usesItself || (var && var->var == d->var);
    });
  return usesItself ? nullptr : c;
}

void StmtWriter::frame(const Declare& s) {
  const TypeId type = withoutReference(m_, f_[s.var].type);
  const bool isArray = as<ArrayType>(m_, type) != nullptr;
  const char* unused = usage_[s.var.index()].read ? "" : "[[maybe_unused]] ";
  if (s.storage == Storage::FrameCreate)
    line(unused + ("auto &" + name(s.var)) + " = " + name(s.tape) + ".create<" + spell(m_, type) + ">(" +
         (s.args.empty() ? anyArguments(m_, type) : expr_.arguments(s.args)) + ");");
  else
    // The forward part may be all that reads the variable.
    line("[[maybe_unused]] auto &" + name(s.var) + " = *" + name(s.tape) + ".pop<" + spell(m_, type, isArray ? "(*)" : "*") + ">();");
}

void StmtWriter::declare(const Declare& s, const Call* call, bool readBehind) {
  if (s.storage != Storage::Automatic) return frame(s);
  const TypeId type = f_[s.var].type;
  const VarUsage& use = usage_[s.var.index()];
  std::string text = spell(m_, type, declarator(s.var));
  std::string value;
  switch (s.init) {
    case Init::None:
      if (const std::string any = anyArguments(m_, type); !any.empty()) value = "(" + any + ")";
      break;
    case Init::Zero:
      if (const auto* real = as<RealType>(m_, type))
        value = real->kind == RealKind::Float ? " = 0.0f" : real->kind == RealKind::Double ? " = 0.0" : " = 0.0L";
      else if (as<IntType>(m_, type))
        value = " = 0";
      else if (as<BoolType>(m_, type))
        value = " = false";
      else if (as<PointerType>(m_, type))
        value = " = nullptr";
      else
        value = as<ArrayType>(m_, type) ? " = {}" : !anyArguments(m_, type).empty() ? "(" + anyArguments(m_, type) + ")" : "{}";
      break;
    case Init::Value: value = " = " + expr_.converted(s.args[0]); break;
    case Init::List: value = as<ArrayType>(m_, type) ? " = " + expr_.exact(s.args[0]) : expr_.exact(s.args[0]); break;
    case Init::Construct: value = s.args.empty() ? "" : "(" + expr_.arguments(s.args) + ")"; break;
    case Init::Bind: value = " = " + expr_.place(s.args[0]); break;
  }
  if (call) value = " = " + callText(*call);
  // A scalar that keeps its first value says so. A call's result counts as one write.
  const bool onlyFirst = s.init == Init::Value && !use.written;
  if (onlyFirst && isScalar(m_, type) && !m_[type].isConst) text = "const " + text;
  const bool unused = (!use.read || !readBehind) && warnsIfUnused(m_, withoutReference(m_, type));
  line((unused ? "[[maybe_unused]] " : "") + text + value + ";");
}

// --- calls and updates --------------------------------------------------------------------------------------------------

// What C++ sees: an implicit conversion to a base class isn't printed.
TypeId StmtWriter::printedType(ExprId e) const {
  if (const auto* deref = std::get_if<Deref>(&f_[e].node)) {
    const auto* p = as<PointerType>(m_, printedType(deref->pointer));
    return p ? p->pointee : f_[e].type;
  }
  const auto* cast = std::get_if<Cast>(&f_[e].node);
  return cast && !cast->isExplicit && classOf(m_, f_[cast->operand].type).valid() ? printedType(cast->operand) : f_[e].type;
}

std::string StmtWriter::callText(const Call& s) const {
  const Function& callee = m_[s.callee];
  std::string args;
  const auto add = [&](std::size_t i) {
    const bool reference = i < callee.params.size() && isReference(m_, callee[callee.params[i]].type);
    std::string text = reference ? expr_.place(s.args[i]) : expr_.converted(s.args[i]);
    // Of a derived class: another overload may take that.
    if (i < callee.params.size() && classOf(m_, callee[callee.params[i]].type) != classOf(m_, printedType(s.args[i])))
      text = "static_cast<" + spell(m_, callee[callee.params[i]].type) + ">(" + text + ")";
    args += (args.empty() ? "" : ", ") + text;
  };
  const bool method = callee.isMethod && callee.kind == FunctionKind::Primal;
  for (std::size_t i = method ? 1 : 0; i < s.args.size(); ++i) add(i);
  const bool isInherited = method && classOf(m_, callee[callee.params[0]].type) != classOf(m_, printedType(s.args[0]));
  const std::string ofClass = callee.isVirtual || isInherited ? qualified(callee.namespaces, callee.recordName, f_.namespaces) + "::" : "";
  if (method) return expr_.member(s.args[0]) + ofClass + callee.name + "(" + args + ")";
  const bool isStatic = !callee.recordName.empty() && callee.kind == FunctionKind::Primal;
  const std::string own = isStatic ? callee.recordName + "::" + callee.name : callee.name;
  // An operator is found by its operands; one that a class defines as a friend in no other way.
  if (callee.kind == FunctionKind::Primal && !callee.isMethod && callee.name.compare(0, 8, "operator") == 0) return own + "(" + args + ")";
  return qualified(callee.namespaces, own, f_.namespaces) + "(" + args + ")";
}

void StmtWriter::call(const Call& s) {
  // On purpose: a primal function may be declared [[nodiscard]], a derivative by the type of its result.
  const Function& callee = m_[s.callee];
  const bool hasOwnType = as<RecordType>(m_, callee.result) || as<EnumType>(m_, callee.result);
  const bool hasResult = callee.kind == FunctionKind::Primal ? !as<VoidType>(m_, callee.result) : hasOwnType;
  line((s.result.valid() ? expr_.place(s.result) + " = " : hasResult ? "(void)" : "") + callText(s) + ";");
}

void StmtWriter::update(ExprId target, ExprId value, bool subtract) {
  if (const auto* minus = std::get_if<Unary>(&f_[value].node); minus && minus->op == UnaryOp::Minus) {
    value = minus->operand;
    subtract = !subtract;
  }
  const auto* literal = std::get_if<Literal>(&f_[withoutCasts(f_, value)].node);
  if (literal && literal->text == "1" && as<IntType>(m_, f_[target].type)) return line((subtract ? "--" : "++") + expr_.place(target) + ";");
  line(expr_.place(target) + (subtract ? " -= " : " += ") + expr_.value(value) + ";");
}

// `x = x * y` as `x *= y`.
void StmtWriter::assign(const Assign& s) {
  const auto* binary = std::get_if<Binary>(&f_[s.value].node);
  static const std::map<BinaryOp, const char*> kCompound = {{BinaryOp::Mul, " *= "}, {BinaryOp::Div, " /= "}};
  const auto op = binary ? kCompound.find(binary->op) : kCompound.end();
  const auto isOfItsType = [&](ExprId e) {
    const auto *real = as<RealType>(m_, f_[e].type), *own = as<RealType>(m_, f_[s.target].type);
    return real && own && real->kind == own->kind;
  };
  if (op != kCompound.end() && isOfItsType(s.value) && isOfItsType(binary->rhs) && equal(f_, binary->lhs, s.target))
    return line(expr_.place(s.target) + op->second + expr_.value(binary->rhs) + ";");
  line(expr_.place(s.target) + " = " + expr_.converted(s.value) + ";");
}

void StmtWriter::setZero(ExprId place) { line(zeroStatement(m_, f_[place].type, expr_.place(place))); }

void StmtWriter::pieces(const std::vector<std::string>& pieces, const std::vector<ExprId>& args) {
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    text += pieces[i];
    if (i >= args.size()) continue;
    const std::string arg = expr_.place(args[i]);
    const bool undone = arg[0] == '&' && !text.empty() && text.back() == '*';  // typeid(*&law)
    if (undone) text.pop_back();
    text += arg.substr(undone ? 1 : 0);
  }
  const char last = text.empty() ? '}' : text.back();
  line(text + (last == ';' || last == '}' || text[0] == '#' ? "" : ";"));
}

// --- control flow -------------------------------------------------------------------------------------------------------

void StmtWriter::ifElse(const If& s, const std::string& before) {
  if (s.then.empty() && !s.otherwise.empty()) return braces(before + "if (" + expr_.negated(s.condition) + ")", s.otherwise);
  line(before + "if (" + expr_.condition(s.condition) + ") {");
  block(s.then);
  if (s.otherwise.empty()) return line("}");
  if (s.otherwise.size() == 1) {
    if (const auto* next = std::get_if<If>(&f_[s.otherwise[0]].node)) return ifElse(*next, "} else ");
  }
  braces("} else", s.otherwise);
}

// --- the tape -------------------------------------------------------------------------------------------------------------

void StmtWriter::push(const Push& s) {
  // The type decides how many bytes go on the tape: it is spelled out where C++ would deduce another.
  if (expr_.deducible(s.value))
    line(name(s.tape) + ".push(" + expr_.exact(s.value) + ");");
  else
    line(name(s.tape) + ".push<" + spell(m_, f_[s.value].type) + ">(" + expr_.converted(s.value) + ");");
}

void StmtWriter::tapeBlock(const TapeBlock& s) {
  const auto* pointer = as<PointerType>(m_, f_[s.pointer].type);
  const char* unused = usage_[s.pointer.index()].read ? "" : "[[maybe_unused]] ";
  line(unused + spell(m_, f_[s.pointer].type, declarator(s.pointer)) + " = " + name(s.tape) + ".block<" +
       spell(m_, pointer->pointee) + ">(" + expr_.converted(s.count) + ");");
}

void StmtWriter::allocate(const Allocate& s) {
  const TypeId element = as<PointerType>(m_, f_[s.target].type)->pointee;
  std::string type = spell(m_, element);
  if (type.compare(0, 6, "const ") == 0) type = type.substr(6);
  const std::string count = s.count.valid() ? expr_.value(s.count) : "1";
  const std::string target = expr_.place(s.target) + " = ";
  switch (s.how) {
    case Allocator::New: return line(target + "new " + type + (s.zero ? "();" : ";"));
    case Allocator::NewArray: return line(target + "new " + type + "[" + count + "]" + (s.zero ? "();" : ";"));
    case Allocator::Malloc:
      return line(target + "static_cast<" + type + " *>(" +
                  (s.zero ? "std::calloc(" + count + ", sizeof(" + type + "))" : "std::malloc((" + count + ") * sizeof(" + type + "))") + ");");
  }
}

void StmtWriter::release(const Free& s) {
  const std::string pointer = expr_.value(s.pointer);
  switch (s.how) {
    case Allocator::New: return line("delete " + pointer + ";");
    case Allocator::NewArray: return line("delete[] " + pointer + ";");
    case Allocator::Malloc: return line("std::free(" + pointer + ");");
  }
}

void StmtWriter::restructure(const Restructure& s) {
  const bool recorded = s.tape.valid();
  const std::string vector = expr_.place(s.container), operand = s.op == Structure::Swap || s.op == Structure::Follow
                                                                    ? expr_.place(s.operand)
                                                                    : expr_.converted(s.operand);
  const auto method = [&](const char* called) { line(expr_.member(s.container) + called + "(" + operand + ");"); };
  const auto routine = [&](const char* called, const std::string& more) {
    line("contraflow::" + std::string(called) + "(" + vector + ", " + operand + more + ");");
  };
  const std::string tape = recorded ? ", " + name(s.tape) + (s.keep ? "" : ", contraflow::Dropped::Zero") : "";
  switch (s.op) {
    case Structure::Resize: return recorded ? routine("resize", tape) : method("resize");
    case Structure::Reserve: return recorded ? routine("reserve", ", " + name(s.tape)) : method("reserve");
    case Structure::Swap: return s.afterImage ? routine("restoreSwap", ", " + name(s.tape)) : method("swap");
    case Structure::Follow: return routine("follow", tape);
  }
}

void StmtWriter::stmt(StmtId id) {
  match(
      f_[id].node, [&](const Declare& s) { declare(s, nullptr); },
      [&](const Assign& s) { assign(s); },
      [&](const Increment& s) { update(s.target, s.value, s.subtract); }, [&](const Call& s) { call(s); },
      [&](const Opaque& s) { pieces(s.pieces, s.args); }, [&](const Restructure& s) { restructure(s); },
      [&](const Allocate& s) { allocate(s); }, [&](const Free& s) { release(s); },
      [&](const Revert& s) {
        line((s.afterImage ? "contraflow::restore(" : "contraflow::revert(") + expr_.place(s.container) + ", " + name(s.tape) + ");");
      },
      [&](const If& s) { ifElse(s, ""); },
      [&](const For& s) { forLoop(s); }, [&](const While& s) { whileLoop(s); },
      [&](const Scope& s) { braces("", s.body); }, [&](const Break&) { line("break;"); },
      [&](const Continue&) { line("continue;"); },
      [&](const Return& s) { line(s.value.valid() ? "return " + expr_.converted(s.value) + ";" : "return;"); },
      [&](const OmpParallel& s) { parallel(s); },
      [&](const OmpFor& s) {
        worksharing("for" + std::string(s.simd ? " simd" : "") + loopClauses(s) + (s.nowait ? " nowait" : ""), s.loop);
      },
      [&](const OmpSimd& s) {
        worksharing("simd" + (s.collapse > 1 ? " collapse(" + std::to_string(s.collapse) + ")" : "") + clauses(s.data), s.loop);
      },
      [&](const OmpSingle& s) {
        line("#pragma omp single" + clauses(s.data) + (s.nowait ? " nowait" : ""));
        braces("", s.body);
      },
      [&](const OmpMaster& s) {
        line("#pragma omp master");
        braces("", s.body);
      },
      [&](const OmpBarrier&) { line("#pragma omp barrier"); },
      [&](const OmpAtomic& s) {
        line("#pragma omp atomic");
        update(s.target, s.value, s.subtract);
      },
      [&](const Mpi& s) { mpi(s); }, [&](const Push& s) { push(s); },
      [&](const Pop& s) {
        line(name(s.tape) + (s.afterImage ? ".restore(" : ".pop(") + expr_.place(s.place) + ");");
      },
      [&](const TapeBlock& s) { tapeBlock(s); },
      [&](const TapeRelease& s) {
        line(name(s.tape) + (s.frame.valid() ? ".destroy<" + spell(m_, withoutReference(m_, f_[s.frame].type)) + ">();"
                                             : ".releaseBlock();"));
      },
      [&](const SharedIncrement& s) {
        if (s.strategy == Strategy::Atomic && s.alone.valid()) {
          const auto* minus = std::get_if<Unary>(&f_[s.value].node);
          const bool negative = minus && minus->op == UnaryOp::Minus;
          const std::string call = s.subtract != negative ? "contraflow::omp::subtract(" : "contraflow::omp::add(";
          line(call + expr_.place(s.target) + ", " + expr_.value(negative ? minus->operand : s.value) + ", " +
               expr_.value(s.alone) + ");");
          return;
        }
        if (s.strategy == Strategy::Atomic) line("#pragma omp atomic");
        update(s.target, s.value, s.subtract);
      },
      [&](const SetZero& s) { setZero(s.place); }, [&](const Runtime& s) { pieces(s.pieces, s.args); },
      [&](const Comment& s) {
        std::size_t begin = 0;
        for (std::size_t end; begin <= s.text.size(); begin = end + 1) {
          end = std::min(s.text.find('\n', begin), s.text.size());
          line("// " + s.text.substr(begin, end - begin));
        }
      });
}

}  // namespace contraflow::emit
