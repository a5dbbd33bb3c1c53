#include "driver/check_driver.hpp"

#include <algorithm>
#include <set>

#include "driver/check_arguments.hpp"
#include "driver/check_objects.hpp"
#include "emit/emit.hpp"
#include "emit/format.hpp"
#include "ir/check.hpp"
#include "llvm/Support/Path.h"

namespace contraflow::driver {

using namespace ir;

namespace {

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string qualified(const std::vector<std::string>& namespaces, const std::string& name) {
  std::string text = "::";
  for (const std::string& ns : namespaces)
    if (!ns.empty()) text += ns + "::";
  return text + name;
}

std::string inNamespaces(const std::vector<std::string>& namespaces, const std::string& text) {
  std::string open, close;
  for (const std::string& ns : namespaces) {
    open += "namespace " + ns + " {\n";
    close += "}\n";
  }
  return open + text + "\n" + close;
}

bool has(const std::vector<VarId>& list, VarId v) { return std::find(list.begin(), list.end(), v) != list.end(); }

// What a derivative takes: which parameters of the primal have a shadow, and whether the result has one.
struct Shadows {
  std::set<VarId> of;
  bool ofResult = false;
};
Shadows shadowsIn(const Function& derivative, const Function& primal, bool expectResult) {
  Shadows shadows;
  std::vector<VarId> params = derivative.params;
  if (expectResult && !params.empty()) params.pop_back(), shadows.ofResult = true;
  for (std::size_t k = 1; k < params.size(); ++k)
    if (!has(primal.params, params[k]) && has(primal.params, params[k - 1])) shadows.of.insert(params[k - 1]);
  return shadows;
}

// The struct of the driver for one head.
class ProblemWriter {
 public:
  ProblemWriter(Run& run, const Head& head, FuncId tangent, FuncId adjoint)
      : run_(run), m_(run.module), head_(head), primal_(m_[head.function]), tangent_(m_[tangent]), adjoint_(m_[adjoint]) {}

  bool write(const std::string& structName) {
    name_ = structName;
    result_ = resultType();
    findShadows();
    checkPrimal();
    makeObjects();
    checkNames();
    const bool ok = faults_.empty();
    report();
    if (ok) compose();
    return ok;
  }

  const std::string& text() const { return text_; }
  const std::string& declarations() const { return declarations_; }
  const std::vector<RecordId>& records() const { return records_; }
  const std::set<std::string>& used() const { return used_; }
  bool usesMpi() const { return usesMpi_; }

 private:
  struct Fault {
    CheckFault fault;
    SourceLoc at;
  };
  void fault(const std::string& why, const std::string& wayOut, SourceLoc at = {}) { faults_.push_back({{why, wayOut}, at}); }
  void take(std::vector<CheckFault>& found, SourceLoc at) {
    for (const CheckFault& f : found) faults_.push_back({f, at});
    found.clear();
  }
  void report() {
    for (const Fault& f : faults_) {
      run_.diags.report(DiagId::CommandLine, f.at.line ? f.at : primal_.loc,
                        {"'--emit-check': " + f.fault.why + ": " + f.fault.wayOut});
      if (!head_.text.empty()) run_.diags.note(head_.loc, "in the check of this head");
    }
  }

  // --- what there is ---

  // The type of the result that the check keeps; none where no real comes back by value.
  TypeId resultType() {
    const TypeId type = primal_.result;
    if (!isReference(m_, type) && holdsReal(m_, type)) return withoutConst(m_, type);
    return {};
  }
  bool namesResult() const {
    return std::any_of(head_.dependents.begin(), head_.dependents.end(), [](const HeadName& n) { return n.isReturn; });
  }
  void findShadows() {
    Function adjoint = adjoint_;
    adjoint.params.pop_back();  // the tape
    byAdjoint_ = shadowsIn(adjoint, primal_, namesResult() && result_.valid());
    byTangent_ = shadowsIn(tangent_, primal_, false);
    const std::size_t expected = primal_.params.size() + byAdjoint_.of.size();
    if (byTangent_.of != byAdjoint_.of || tangent_.params.size() > expected) byTangent_ = shadowsIn(tangent_, primal_, true);
    if (byTangent_.of != byAdjoint_.of) internalError("emit", primal_.name, "tangent and adjoint have different shadows");
  }
  bool isMethodObject(std::size_t k) const { return k == 0 && primal_.isMethod; }

  // That the driver can call the function.
  void checkPrimal() {
    const bool inSource = m_.files[primal_.loc.file].isInput;
    const std::string wayOut = "let a function with external linkage call it, and name that in the head";
    if (primal_.linkage == Linkage::Internal) fault("the function has internal linkage", wayOut);
    if (inSource && primal_.linkage == Linkage::Inline && !primal_.isMethod) fault("the function is inline or a template, and defined in the source", wayOut);
    if (namesResult() && !result_.valid()) fault("the result is a pointer or a reference", wayOut);
    std::vector<CheckFault> found;
    if (result_.valid()) {
      checkVisible(m_, result_, "return", found);
      checkReach(m_, result_, "return", records_, found);
    }
    take(found, primal_.loc);
    if (inSource && !primal_.isMethod && primal_.linkage == Linkage::External) {
      const bool isC = primal_.key == primal_.name;
      declarations_ = inNamespaces(primal_.namespaces, (isC ? "extern \"C\" " : "") + emit::declarationText(m_, head_.function, false));
    }
  }

  std::string fresh(const std::string& wish) {
    std::string name = wish;
    for (int k = 2; !taken_.insert(name).second; ++k) name = wish + "_" + std::to_string(k);
    return name;
  }

  void makeObjects() {
    for (std::size_t k = 0; k < primal_.params.size(); ++k) {
      const Var& var = primal_[primal_.params[k]];
      usesMpi_ |= as<MpiHandleType>(m_, withoutReference(m_, var.type)) != nullptr;
      const std::string spelling = isMethodObject(k) ? "this" : var.name;
      const CheckArgument* argument = argumentOf(spelling);
      const std::string name = fresh(spelling == "this" ? "self" : spelling.empty() ? "argument" + std::to_string(k + 1) : spelling);
      std::vector<CheckFault> found;
      CheckObject object = checkObject(m_, var.type, name, argument, found);
      checkVisible(m_, var.type, spelling, found);
      if (byAdjoint_.of.count(primal_.params[k])) {
        const TypeId type = withoutReference(m_, var.type);
        const auto* pointer = as<PointerType>(m_, type);
        if (pointer && !object.isPointer && found.empty()) found.push_back({"it isn't known how many elements '" + spelling + "' has", "say it with --check-arg '" + spelling + "[…] = …'"});
        checkReach(m_, pointer ? pointer->pointee : type, spelling, records_, found);
      }
      take(found, var.loc);
      place_.push_back(argument ? 1 + static_cast<std::size_t>(argument - run_.options.checkArguments.data()) : 0);
      objects_.push_back(std::move(object));
    }
    resultName_ = fresh("result");
    for (const auto* names : {&head_.independents, &head_.dependents})
      for (const HeadName& name : *names)
        if (name.global.valid() && !globals_.count(name.global)) makeGlobal(name.global);
  }
  const CheckArgument* argumentOf(const std::string& name) {
    for (const CheckArgument& argument : run_.options.checkArguments)
      if (argument.name == name) {
        used_.insert(name);
        return &argument;
      }
    return nullptr;
  }

  struct GlobalObject {
    std::string name, primal, tangent, adjoint;
  };
  void makeGlobal(GlobalId id) {
    const Global& g = m_[id];
    const auto shadow = [&](const std::string& suffix) -> std::string {
      for (const Global& other : m_.globals)
        if (other.isShadow && other.key == g.key + suffix) return qualified(other.namespaces, other.name);
      return "";
    };
    GlobalObject object{fresh(g.name), qualified(g.namespaces, g.name), shadow("_d"), shadow("_b")};
    std::vector<CheckFault> found;
    if (g.linkage != Linkage::External || object.tangent.empty() || object.adjoint.empty())
      found.push_back({"the global '" + g.name + "' has internal linkage or no shadow", "let it have external linkage"});
    checkVisible(m_, g.type, g.name, found);
    checkReach(m_, g.type, g.name, records_, found);
    take(found, g.loc);
    if (m_.files[g.loc.file].isInput) declarations_ += inNamespaces(g.namespaces, "extern " + spell(m_, g.type, g.name) + ";");
    globals_.emplace(id, object);
  }

  // A path of members passes no pointer.
  void checkNames() {
    for (const auto* names : {&head_.independents, &head_.dependents})
      for (const HeadName& name : *names) {
        if (name.fields.empty()) continue;
        TypeId type = primal_[primal_.params[static_cast<std::size_t>(name.param)]].type;
        for (std::size_t k = 0; k < name.fields.size(); ++k) {
          type = withoutReference(m_, type);
          if (const auto* p = as<PointerType>(m_, type); p && k == 0) type = p->pointee;
          const auto* record = as<RecordType>(m_, type);
          if (!record) {
            fault("'" + name.spelling + "' lies behind a pointer", "call the function from one with plain parameters, and name that in the head");
            break;
          }
          type = m_[record->record].fields[name.fields[k]].type;
        }
      }
  }

  // --- the text ---

  // `visit(0, a.k);` for each name.
  std::string visits(const std::vector<HeadName>& names) const {
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k) text += visit(names[k], std::to_string(k));
    return text;
  }
  std::string visit(const HeadName& name, const std::string& number) const {
    const std::string call = "visit(" + number + ", ";
    if (name.isReturn) return call + "a." + resultName_ + ");\n";
    if (name.global.valid()) return call + "a." + globals_.at(name.global).name + ");\n";
    const CheckObject& object = objects_[static_cast<std::size_t>(name.param)];
    const std::size_t dot = name.spelling.find('.');
    if (dot == std::string::npos) return call + "a." + object.name + ");\n";
    const std::string path = name.spelling.substr(dot);
    if (!object.isPointer) return call + "a." + object.name + path + ");\n";
    return "for (auto &element : a." + object.name + ") " + call + "element" + path + ");\n";
  }
  std::string shadowVisits() const {
    std::string text;
    for (std::size_t k = 0; k < objects_.size(); ++k)
      if (byAdjoint_.of.count(primal_.params[k])) text += "visit(a." + objects_[k].name + ");\n";
    if (result_.valid()) text += "visit(a." + resultName_ + ");\n";
    for (const auto& [id, object] : globals_) text += "visit(a." + object.name + ");\n";
    return text;
  }

  // `a.k.data(), d.k.data(), a.n`
  std::string arguments(const Shadows& shadows, const std::string& shadow) const {
    std::vector<std::string> list;
    for (std::size_t k = 0; k < objects_.size(); ++k) {
      const std::string data = objects_[k].isPointer ? ".data()" : "";
      if (!isMethodObject(k) || !shadow.empty()) list.push_back("a." + objects_[k].name + data);
      if (!shadow.empty() && shadows.of.count(primal_.params[k])) list.push_back(shadow + "." + objects_[k].name + data);
    }
    if (!shadow.empty() && shadows.ofResult) list.push_back(shadow + "." + resultName_);
    return joined(list, ", ");
  }
  std::string setGlobals(const std::string& shadow, std::string GlobalObject::*shadowName) const {
    std::string text;
    for (const auto& [id, g] : globals_) {
      text += "contraflow::check::copy(" + g.primal + ", a." + g.name + ");\n";
      if (!shadow.empty()) text += "contraflow::check::copy(" + g.*shadowName + ", " + shadow + "." + g.name + ");\n";
    }
    return text;
  }
  std::string readGlobals(const std::string& shadow, std::string GlobalObject::*shadowName) const {
    std::string text;
    for (const auto& [id, g] : globals_) {
      text += "contraflow::check::copy(a." + g.name + ", " + g.primal + ");\n";
      if (!shadow.empty()) text += "contraflow::check::copy(" + shadow + "." + g.name + ", " + g.*shadowName + ");\n";
    }
    return text;
  }

  std::string primalText() const {
    const std::string callee = primal_.isMethod ? "a." + objects_[0].name + "." + primal_.name : qualified(primal_.namespaces, primal_.name);
    return "static void primal(Arguments &a) {\n" + setGlobals("", nullptr) + (result_.valid() ? "a." + resultName_ + " = " : "") + callee + "(" +
           arguments({}, "") + ");\n" + readGlobals("", nullptr) + "}\n";
  }
  std::string tangentText() const {
    const std::string call = qualified(tangent_.namespaces, tangent_.name) + "(" + arguments(byTangent_, "d") + ");\n";
    const bool isPair = result_.valid() && isReal(m_, result_);
    std::string text = result_.valid() && !isPair ? "a." + resultName_ + " = " + call : isPair ? "const auto pair = " + call : call;
    if (isPair) text += "a." + resultName_ + " = pair.value;\nd." + resultName_ + " = pair.derivative;\n";
    return "static void tangent(Arguments &a, Arguments &d) {\n" + setGlobals("d", &GlobalObject::tangent) + text +
           readGlobals("d", &GlobalObject::tangent) + "}\n";
  }
  std::string adjointText() const {
    return "static void adjoint(Arguments &a, Arguments &b) {\n" + setGlobals("b", &GlobalObject::adjoint) +
           (result_.valid() ? "a." + resultName_ + " = " : "") + qualified(adjoint_.namespaces, adjoint_.name) + "(" + arguments(byAdjoint_, "b") +
           ");\n" + readGlobals("b", &GlobalObject::adjoint) + "}\n";
  }
  // A vector of the outputs' may have another size after the call.
  std::string shapesText() const {
    std::string text;
    for (const HeadName& name : head_.dependents) {
      if (name.isReturn && !isReal(m_, result_)) text += "b." + resultName_ + " = after." + resultName_ + ";\n";
      if (name.param < 0 || !name.fields.empty()) continue;
      const TypeId type = withoutReference(m_, primal_[primal_.params[static_cast<std::size_t>(name.param)]].type);
      const std::string& object = objects_[static_cast<std::size_t>(name.param)].name;
      if (as<ContainerType>(m_, type)) text += "b." + object + " = after." + object + ";\n";
    }
    return "static void takeShapes([[maybe_unused]] Arguments &b, [[maybe_unused]] const Arguments &after) {\n" + text + "}\n";
  }
  // In the order of the --check-args, since the size or value of one may be computed from those before.
  std::string membersText() const {
    std::string text;
    for (std::size_t place = 0; place <= run_.options.checkArguments.size(); ++place)
      for (std::size_t k = 0; k < objects_.size(); ++k)
        if (place_[k] == place) text += objects_[k].declaration + "\n";
    if (result_.valid()) text += spell(m_, result_, resultName_) + "{};\n";
    for (const auto& [id, g] : globals_) {
      TypeId type = withoutConst(m_, m_[id].type);
      text += spell(m_, type, g.name) + (as<ArrayType>(m_, type) ? "{};\n" : " = " + g.primal + ";\n");
    }
    return text;
  }
  std::string fillText() const {
    std::string text;
    for (const CheckObject& object : objects_)
      if (object.isFilled) text += "contraflow::check::fill(\"" + object.name + "\", a." + object.name + ");\n";
    for (const auto& [id, g] : globals_)
      if (as<ArrayType>(m_, m_[id].type)) text += "contraflow::check::copy(a." + g.name + ", " + g.primal + ");\n";
    return "static void fill([[maybe_unused]] Arguments &a) {\n" + text + "}\n";
  }
  static std::string namesText(const char* what, const std::vector<HeadName>& names) {
    std::vector<std::string> quoted;
    for (const HeadName& name : names) quoted.push_back("\"" + name.spelling + "\"");
    return "static constexpr const char *" + std::string(what) + "[] = {" + joined(quoted, ", ") + "};\n";
  }
  std::string headText() const {
    std::vector<std::string> in, out;
    for (const HeadName& n : head_.independents) in.push_back(n.spelling);
    for (const HeadName& n : head_.dependents) out.push_back(n.spelling);
    return (primal_.recordName.empty() ? "" : primal_.recordName + "::") + primal_.name + "(" + joined(in, ", ") + " -> " + joined(out, ", ") + ")";
  }

  void compose() {
    const auto each = [](const char* name, const std::string& body) {
      return "template <class A, class Visit>\nstatic void " + std::string(name) + "(A &a, Visit visit) {\n" + body + "}\n";
    };
    text_ = "// " + headText() + "\nstruct " + name_ + " {\nstatic constexpr const char *head = \"" + headText() + "\";\n" +
            namesText("inputs", head_.independents) + namesText("outputs", head_.dependents) + "\nstruct Arguments {\n" + membersText() +
            "};\n" + fillText() + "\n" + primalText() + tangentText() + adjointText() + "\n" + each("forEachInput", visits(head_.independents)) +
            each("forEachOutput", visits(head_.dependents)) + each("forEachShadow", shadowVisits()) + shapesText() + "};\n\n";
  }

  Run& run_;
  Module& m_;
  const Head& head_;
  const Function primal_, tangent_, adjoint_;
  std::string name_;
  TypeId result_;
  Shadows byTangent_, byAdjoint_;
  std::vector<CheckObject> objects_;
  std::vector<std::size_t> place_;  // among the --check-args; 0: it needs none
  std::map<GlobalId, GlobalObject> globals_;
  std::string resultName_;
  std::set<std::string> taken_ = {"contraflow"}, used_;
  std::vector<Fault> faults_;
  std::vector<RecordId> records_;
  std::string text_, declarations_;
  bool usesMpi_ = false;
};

bool communicates(const Module& module) {
  for (const Function& f : module.functions)
    for (const Stmt& s : f.stmts)
      if (std::holds_alternative<Mpi>(s.node)) return true;
  return false;
}

std::string includes(const Run& run, bool usesMpi) {
  std::string text;
  for (const OutputPaths& paths : run.outputPaths) text += "#include \"" + llvm::sys::path::filename(paths.header).str() + "\"\n";
  for (const std::string& file : run.options.checkIncludes)
    text += file.front() == '<' ? "#include " + file + "\n" : "#include \"" + file + "\"\n";
  return text + "\n#include <contraflow/" + (usesMpi ? "check_mpi.hpp" : "check.hpp") + ">\n\n#include <vector>\n\n";
}

bool reportUnused(Run& run, const std::set<std::string>& used) {
  bool ok = true;
  for (const CheckArgument& argument : run.options.checkArguments) {
    if (used.count(argument.name)) continue;
    run.diags.report(DiagId::CommandLine, {}, {"'--check-arg': no function that is checked has a parameter '" + argument.name + "'"});
    ok = false;
  }
  return ok;
}

}  // namespace

bool addTangentsToCheck(Module& module, Diagnostics& diags) {
  std::vector<Head> missing;
  for (const Head& head : module.heads) {
    if (head.mode != HeadMode::Adjoint || !head.ofDerivative.empty()) continue;
    const auto isTangent = [&](const Head& other) {
      return other.mode == HeadMode::Tangent && other.function == head.function && other.ofDerivative.empty();
    };
    const auto sameNames = [](const std::vector<HeadName>& a, const std::vector<HeadName>& b) {
      return std::is_permutation(a.begin(), a.end(), b.begin(), b.end(),
                                 [](const HeadName& x, const HeadName& y) { return x.spelling == y.spelling; });
    };
    const auto found = std::find_if(module.heads.begin(), module.heads.end(), isTangent);
    if (found == module.heads.end()) {
      missing.push_back(head);
      missing.back().mode = HeadMode::Tangent;
    } else if (!sameNames(found->independents, head.independents) || !sameNames(found->dependents, head.dependents)) {
      diags.report(DiagId::CommandLine, head.loc, {"'--emit-check': the tangent of the same function is asked for with other names"});
      diags.note(found->loc, "which are here");
    }
  }
  module.heads.insert(module.heads.end(), missing.begin(), missing.end());
  return diags.errors() == 0;
}

bool emitCheck(Run& run) {
  const Module& m = run.module;
  std::string problems, declarations, calls;
  std::vector<RecordId> records;
  std::set<std::string> used;
  bool ok = true, usesMpi = communicates(m);
  unsigned number = 0;
  for (const transform::AdjointResult& adjoint : run.derivatives.adjointHeads) {
    const auto tangent = std::find_if(run.derivatives.tangentHeads.begin(), run.derivatives.tangentHeads.end(), [&](const auto& t) {
      return t.head.function == adjoint.head.function;
    });
    if (tangent == run.derivatives.tangentHeads.end()) internalError("emit", adjoint.head.text, "no tangent to check it against");
    const std::string name = "Check" + std::to_string(++number);
    ProblemWriter writer(run, adjoint.head, tangent->function, adjoint.function);
    ok &= writer.write(name);
    problems += writer.text();
    declarations += writer.declarations();
    calls += "session.check<" + name + ">();\n";
    usesMpi |= writer.usesMpi();
    used.insert(writer.used().begin(), writer.used().end());
    for (const RecordId record : writer.records())
      if (std::find(records.begin(), records.end(), record) == records.end()) records.push_back(record);
  }
  if (number == 0) {
    run.diags.report(DiagId::CommandLine, {}, {"'--emit-check': no adjoint is asked for, so there is nothing to check"});
    return false;
  }
  ok &= reportUnused(run, used);
  if (!ok) return false;

  std::string text = "// Checks gradients; written by contraflow --emit-check.\n" + includes(run, usesMpi) + declarations + "\n";
  if (!records.empty()) {
    text += "namespace contraflow::check {\n";
    for (const RecordId record : records) text += realsOf(m, record);
    text += "}  // namespace contraflow::check\n\n";
  }
  text += "namespace {\n\nusing contraflow::check::rank;\nusing contraflow::check::ranks;\n\n" + problems + "}  // namespace\n\n";
  text += "int main(int argc, char **argv) {\ncontraflow::check::Session" +
          std::string(usesMpi ? "<contraflow::mpi::CheckRanks>" : "<>") + " session(argc, argv);\n" + calls + "return session.finish();\n}\n";
  run.outputs.push_back({run.options.checkFile, emit::formatCode(text, run.options.checkFile)});
  return true;
}

}  // namespace contraflow::driver
