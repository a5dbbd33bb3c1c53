#include "ir/printer.hpp"

#include "ir/expr_printer.hpp"
#include "ir/match.hpp"
#include "ir/mpi_signature.hpp"
#include "ir/walk.hpp"

namespace contraflow::ir {
namespace {

const char* spell(MpiPart part) {
  switch (part) {
    case MpiPart::Primal: return "primal";
    case MpiPart::Tangent: return "tangent";
    case MpiPart::Forward: return "forward";
    case MpiPart::Reverse: return "reverse";
    case MpiPart::ForwardTangent: return "forward-tangent";
    case MpiPart::ReverseTangent: return "reverse-tangent";
  }
  return "?";
}

const char* spell(Allocator how) {
  switch (how) {
    case Allocator::New: return "new";
    case Allocator::NewArray: return "new[]";
    case Allocator::Malloc: return "malloc";
  }
  return "?";
}

const char* spell(Structure op) {
  switch (op) {
    case Structure::Resize: return "resize";
    case Structure::Reserve: return "reserve";
    case Structure::Swap: return "swap";
    case Structure::Follow: return "follow";
  }
  return "?";
}

const char* spell(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::Unspecified: return "unspecified";
    case ScheduleKind::Static: return "static";
    case ScheduleKind::Dynamic: return "dynamic";
    case ScheduleKind::Guided: return "guided";
    case ScheduleKind::Auto: return "auto";
    case ScheduleKind::Runtime: return "runtime";
  }
  return "?";
}

const char* spell(Linkage linkage) {
  switch (linkage) {
    case Linkage::External: return "external";
    case Linkage::Internal: return "internal";
    case Linkage::Inline: return "inline";
  }
  return "?";
}

const char* spell(FunctionKind kind) {
  switch (kind) {
    case FunctionKind::Primal: return "";
    case FunctionKind::Tangent: return " tangent";
    case FunctionKind::Forward: return " forward";
    case FunctionKind::Reverse: return " reverse";
    case FunctionKind::Adjoint: return " adjoint";
  }
  return "?";
}

class FunctionPrinter {
 public:
  FunctionPrinter(const Module& module, const Function& function)
      : module_(module), function_(function), expr_(module, function) {}

  std::string print() {
    std::string line = "function " + std::string(spell(function_.linkage)) + spell(function_.kind) + " ";
    std::string params;
    for (VarId p : function_.params) params += (params.empty() ? "" : ", ") + expr_.declaration(p);
    const std::string name = qualifiedName(function_) + "(" + params + ")";
    line += function_.result.valid() ? ir::spell(module_, function_.result, name) : "<no type> " + name;
    if (function_.isConstMethod) line += " const";
    if (!function_.hasBody) line += " = no body";
    out_ += line + "\n";
    block(function_.body);
    return std::move(out_);
  }
  std::string print(StmtId id) {
    depth_ = 0;
    stmt(id);
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += std::string(2 * depth_, ' ') + text + "\n"; }
  void block(const Block& body) {
    ++depth_;
    for (StmtId id : body) stmt(id);
    --depth_;
  }
  void nested(const std::string& head, const Block& body) {
    line(head);
    block(body);
  }
  std::string e(ExprId id) const { return expr_(id); }
  std::string optional(const char* word, ExprId id) const {
    return id.valid() ? " " + std::string(word) + "(" + e(id) + ")" : "";
  }
  std::string pieces(const std::vector<std::string>& texts, const std::vector<ExprId>& args) const {
    std::string out;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      out += texts[i];
      if (i < args.size()) out += e(args[i]);
    }
    return out;
  }

  // ` private(x.2: x) firstprivate(…)`: the copy, and the place outside that it stands for.
  std::string data(const DataSharing& d) const {
    std::string out;
    const auto copies = [&](const char* word, const std::vector<CopyOf>& list) {
      std::string items;
      for (const CopyOf& c : list)
        items += (items.empty() ? "" : ", ") + expr_.name(c.copy) + (c.original.valid() ? ": " + e(c.original) : "");
      if (!items.empty()) out += " " + std::string(word) + "(" + items + ")";
    };
    copies("private", d.privates);
    copies("firstprivate", d.firstprivates);
    copies("lastprivate", d.lastprivates);
    copies("reduction+", d.reductions);
    if (!d.shared.empty()) out += " shared(" + expr_.list(d.shared) + ")";
    if (d.defaultNone) out += " default(none)";
    return out;
  }

  void declare(const Declare& s) {
    std::string text = expr_.declaration(s.var);
    switch (s.init) {
      case Init::None: break;
      case Init::Zero: text += " = zero"; break;
      case Init::Value:
      case Init::List: text += " = " + expr_.list(s.args); break;
      case Init::Construct: text += "(" + expr_.list(s.args) + ")"; break;
      case Init::Bind: text += " binds " + expr_.list(s.args); break;
    }
    switch (s.storage) {
      case Storage::Automatic: break;
      case Storage::FrameCreate: text = "frame create(" + expr_.name(s.tape) + ") " + text; break;
      case Storage::FrameReopen: text = "frame reopen(" + expr_.name(s.tape) + ") " + text; break;
    }
    line(text);
  }

  void mpi(const Mpi& s) {
    const MpiSignature* routine = mpiSignature(s.op);
    std::string text = "mpi " + std::string(spell(s.part)) + " " + (routine ? routine->name : "<bad op>");
    if (s.result.valid()) text = e(s.result) + " = " + text;
    text += "(" + expr_.list(s.args) + ")";
    if (!s.shadows.empty()) text += " shadows(" + expr_.list(s.shadows) + ")";
    if (s.tape.valid()) text += " tape(" + expr_.name(s.tape) + ")";
    line(text);
  }

  void whileLoop(const While& s) {
    if (s.testAtEnd) nested("do", s.body);
    if (!s.test.empty()) nested(s.testAtEnd ? "then" : "loop", s.test);
    line("while (" + e(s.condition) + ")");
    if (!s.testAtEnd) block(s.body);
  }

  void stmt(StmtId id) {
    if (!id.valid() || id.index() >= function_.stmts.size()) return line("<bad statement>");
    const auto update = [&](ExprId target, bool subtract, ExprId value) {
      return e(target) + (subtract ? " -= " : " += ") + e(value);
    };
    match(
        function_[id].node, [&](const Declare& s) { declare(s); },
        [&](const Assign& s) { line(e(s.target) + " = " + e(s.value)); },
        [&](const Increment& s) { line(update(s.target, s.subtract, s.value)); },
        [&](const Call& s) {
          const bool known = s.callee.valid() && s.callee.index() < module_.functions.size();
          const std::string name = known ? qualifiedName(module_[s.callee]) : "<bad function>";
          line((s.result.valid() ? e(s.result) + " = " : "") + "call " + name + "(" + expr_.list(s.args) + ")");
        },
        [&](const Opaque& s) {
          line("opaque " + pieces(s.pieces, s.args) + (s.writes.empty() ? "" : " writes(" + expr_.list(s.writes) + ")"));
        },
        [&](const Restructure& s) {
          line(std::string(spell(s.op)) + (s.tape.valid() ? "(" + expr_.name(s.tape) + ")" : "") + " " + e(s.container) + ", " +
               e(s.operand) + (s.tape.valid() && !s.keep ? " forgets" : "") + (s.afterImage ? " with after-image" : ""));
        },
        [&](const Allocate& s) {
          line(e(s.target) + " = " + spell(s.how) + (s.zero ? " zero" : "") + (s.count.valid() ? "[" + e(s.count) + "]" : ""));
        },
        [&](const Free& s) { line("free " + std::string(spell(s.how)) + " " + e(s.pointer)); },
        [&](const If& s) {
          nested("if (" + e(s.condition) + ")", s.then);
          if (!s.otherwise.empty()) nested("else", s.otherwise);
        },
        [&](const For& s) {
          const std::string& i = expr_.name(s.counter);
          nested("for (" + expr_.declaration(s.counter) + " = " + e(s.init) + "; " + i + " " + ir::spell(s.compare) + " " +
                     e(s.bound) + "; " + i + " += " + e(s.step) + ")",
                 s.body);
        },
        [&](const While& s) { whileLoop(s); }, [&](const Scope& s) { nested("scope", s.body); },
        [&](const Break&) { line("break"); }, [&](const Continue&) { line("continue"); },
        [&](const Return& s) { line(s.value.valid() ? "return " + e(s.value) : "return"); },
        [&](const OmpParallel& s) {
          nested("omp parallel" + optional("num_threads", s.numThreads) + optional("if", s.ifCondition) + data(s.data), s.body);
        },
        [&](const OmpFor& s) {
          std::string text = s.simd ? "omp for simd" : "omp for";
          if (s.schedule != ScheduleKind::Unspecified)
            text += std::string(" schedule(") + spell(s.schedule) + (s.chunk.valid() ? ", " + e(s.chunk) : "") + ")";
          if (s.collapse != 1) text += " collapse(" + std::to_string(s.collapse) + ")";
          line(text + (s.nowait ? " nowait" : "") + data(s.data));
          block({s.loop});
        },
        [&](const OmpSimd& s) {
          line("omp simd" + (s.collapse != 1 ? " collapse(" + std::to_string(s.collapse) + ")" : "") + data(s.data));
          block({s.loop});
        },
        [&](const OmpSingle& s) { nested("omp single" + std::string(s.nowait ? " nowait" : "") + data(s.data), s.body); },
        [&](const OmpMaster& s) { nested("omp master", s.body); }, [&](const OmpBarrier&) { line("omp barrier"); },
        [&](const OmpAtomic& s) { line("omp atomic " + update(s.target, s.subtract, s.value)); },
        [&](const Mpi& s) { mpi(s); },
        [&](const Push& s) { line("push(" + expr_.name(s.tape) + ") " + e(s.value)); },
        [&](const Pop& s) {
          line("pop(" + expr_.name(s.tape) + ") " + e(s.place) + (s.afterImage ? " with after-image" : ""));
        },
        [&](const TapeBlock& s) {
          line("block(" + expr_.name(s.tape) + ") " + expr_.declaration(s.pointer) + "[" + e(s.count) + "]");
        },
        [&](const TapeRelease& s) {
          line("release(" + expr_.name(s.tape) + ") " + (s.frame.valid() ? expr_.name(s.frame) : "block"));
        },
        [&](const Revert& s) {
          line("revert(" + expr_.name(s.tape) + ") " + e(s.container) + (s.afterImage ? " with after-image" : ""));
        },
        [&](const SharedIncrement& s) {
          const char* strategy = s.strategy == Strategy::Atomic ? "shared atomic " : "shared banded ";
          line(strategy + update(s.target, s.subtract, s.value));
        },
        [&](const SetZero& s) { line("zero " + e(s.place)); },
        [&](const Runtime& s) { line("runtime " + pieces(s.pieces, s.args)); },
        [&](const Comment& s) { line("// " + s.text); });
  }

  const Module& module_;
  const Function& function_;
  ExprPrinter expr_;
  unsigned depth_ = 0;
  std::string out_;
};

std::string print(const Module& m, const Record& r) {
  std::string out = "record " + r.name + (r.isTriviallyCopyable ? " trivial" : "") + (r.inMainFile ? " main-file" : "") + "\n";
  for (const Field& f : r.fields) out += "  " + std::string(f.isPrivate ? "private " : "") + spell(m, f.type, f.name) + "\n";
  return out;
}

std::string print(const Module& m, const Global& g) {
  std::string out = "global " + std::string(spell(g.linkage)) + " " + ir::spell(m, g.type, g.name);
  if (g.isConstant) out += " constant";
  if (g.isLocalStatic) out += " local-static " + g.hoistedName;
  return out + "\n";
}

}  // namespace

std::string qualifiedName(const Function& f) {
  std::string out;
  for (const std::string& ns : f.namespaces) out += (ns.empty() ? "(anonymous)" : ns) + "::";
  if (!f.recordName.empty()) out += f.recordName + "::";
  return out + f.name;
}

const char* nodeName(const StmtNode& node) {
  return match(
      node, [](const Declare&) { return "Declare"; }, [](const Assign&) { return "Assign"; },
      [](const Increment&) { return "Increment"; }, [](const Call&) { return "Call"; }, [](const Opaque&) { return "Opaque"; },
      [](const Restructure&) { return "Restructure"; }, [](const Allocate&) { return "Allocate"; },
      [](const Free&) { return "Free"; }, [](const If&) { return "If"; }, [](const For&) { return "For"; }, [](const While&) { return "While"; },
      [](const Scope&) { return "Scope"; }, [](const Break&) { return "Break"; }, [](const Continue&) { return "Continue"; },
      [](const Return&) { return "Return"; }, [](const OmpParallel&) { return "OmpParallel"; },
      [](const OmpFor&) { return "OmpFor"; }, [](const OmpSimd&) { return "OmpSimd"; },
      [](const OmpSingle&) { return "OmpSingle"; }, [](const OmpMaster&) { return "OmpMaster"; },
      [](const OmpBarrier&) { return "OmpBarrier"; }, [](const OmpAtomic&) { return "OmpAtomic"; },
      [](const Mpi&) { return "Mpi"; }, [](const Push&) { return "Push"; }, [](const Pop&) { return "Pop"; },
      [](const TapeBlock&) { return "TapeBlock"; }, [](const TapeRelease&) { return "TapeRelease"; },
      [](const Revert&) { return "Revert"; },
      [](const SharedIncrement&) { return "SharedIncrement"; }, [](const SetZero&) { return "SetZero"; },
      [](const Runtime&) { return "Runtime"; }, [](const Comment&) { return "Comment"; });
}

std::string print(const Module& module, const Function& function) { return FunctionPrinter(module, function).print(); }
std::string print(const Module& module, const Function& function, StmtId stmt) {
  return FunctionPrinter(module, function).print(stmt);
}
std::string print(const Module& module, const Function& function, ExprId expr) { return ExprPrinter(module, function)(expr); }

std::string print(const Module& m, const Head& head) {
  std::string out = head.mode == HeadMode::Tangent ? "head tangent " : "head adjoint ";
  out += head.ofDerivative.empty() ? (head.function.valid() ? qualifiedName(m[head.function]) : "<bad function>")
                                   : head.ofDerivative;
  const auto names = [](const std::vector<HeadName>& list) {
    std::string text;
    for (const HeadName& n : list) text += (text.empty() ? "" : ", ") + n.spelling;
    return text;
  };
  return out + (head.all ? "(all)" : "(" + names(head.independents) + " -> " + names(head.dependents) + ")") + "\n";
}

std::string print(const Module& module) {
  std::string out;
  for (const Record& r : module.records) out += print(module, r);
  for (const Global& g : module.globals) out += print(module, g);
  for (const Head& h : module.heads) out += print(module, h);
  for (const Function& f : module.functions) out += (out.empty() ? "" : "\n") + print(module, f);
  return out;
}

}  // namespace contraflow::ir
