#include "ir/verifier.hpp"

#include <set>
#include <string>
#include <type_traits>

#include "ir/mpi_signature.hpp"
#include "ir/printer.hpp"
#include "ir/verifier_ranges.hpp"
#include "ir/walk.hpp"

namespace contraflow::ir {
namespace {

class Verifier {
 public:
  Verifier(const Module& m, const Function& f, bool structured, const Report& report)
      : m_(m), f_(f), structured_(structured), report_(report) {}

  void run() {
    for (VarId p : f_.params) scope_.insert(p);
    for (std::size_t i = 0; i < f_.body.size(); ++i) {
      const bool last = i + 1 == f_.body.size();
      if (last && std::holds_alternative<Return>(f_[f_.body[i]].node)) mayReturn_ = true;
      stmt(f_.body[i]);
    }
  }

 private:
  // What is wrong may be a function that says so: to print an expression takes far longer than a check.
  template <class What>
  void require(bool good, const char* check, const What& what) {
    if (good) return;
    if constexpr (std::is_invocable_v<const What&>) report_(check, what() + where());
    else report_(check, what + where());
  }
  // The statement being checked, its first line.
  std::string where() const {
    if (!at_.valid()) return "";
    const std::string all = print(m_, f_, at_);
    return " in: " + all.substr(0, all.find('\n'));
  }
  std::string text(ExprId e) const { return "'" + print(m_, f_, e) + "'"; }
  TypeId type(ExprId e) const { return f_[e].type; }

  bool isPointer(TypeId t) const { return as<PointerType>(m_, t) != nullptr; }
  bool isArithmetic(TypeId t) const { return isReal(m_, t) || isIntegral(m_, t); }
  // The same type, const aside.
  bool agree(TypeId a, TypeId b) const {
    if (a == b) return true;
    if (isPointer(a) && isPointer(b)) return true;  // comparisons mix const and derived classes
    return m_[a].node.index() == m_[b].node.index() && spellPlain(a) == spellPlain(b);
  }
  std::string spellPlain(TypeId t) const {
    const std::string s = spell(m_, t);
    return s.compare(0, 6, "const ") == 0 ? s.substr(6) : s;
  }

  void place(ExprId e, const char* what) {
    require(isPlace(f_[e]), "place-required", [&] { return std::string(what) + " " + text(e) + " is no place"; });
  }
  void stores(TypeId target, ExprId value) {
    if (!isArithmetic(target) || !isArithmetic(type(value))) return;
    require(agree(target, type(value)), "assign-types",
            [&] { return text(value) + " has type " + spell(m_, type(value)) + ", not " + spell(m_, target); });
  }

  // --- expressions ---

  void expr(ExprId id, bool listAllowed = false) {
    if (!id.valid()) return;
    const auto needs = [&](bool good, ExprId base) {
      require(good, "base-type", [&] { return text(base) + " of type " + spell(m_, type(base)) + " as base of " + text(id); });
    };
    match(
        f_[id].node, [](const Literal&) {},
        [&](const VarRef& n) {
          require(scope_.count(n.var) != 0, "scope", [&] { return "'" + f_[n.var].name + "' is used outside its scope"; });
        },
        [](const GlobalRef&) {},
        [&](const FieldRef& n) {
          const auto* r = as<RecordType>(m_, type(n.base));
          needs(r && n.field < m_[r->record].fields.size(), n.base);
        },
        [&](const Subscript& n) {
          const TypeId t = type(n.base);
          needs(as<PointerType>(m_, t) || as<ArrayType>(m_, t) || as<ContainerType>(m_, t), n.base);
          require(isIntegral(m_, type(n.index)), "operand-types", [&] { return text(n.index) + " is no integer"; });
        },
        [&](const Deref& n) { needs(isPointer(type(n.pointer)), n.pointer); },
        [&](const AddressOf& n) { place(n.place, "the operand"); },
        [&](const Decay& n) { needs(as<ArrayType>(m_, type(n.array)) != nullptr, n.array); },
        [&](const DataOf& n) { needs(as<ContainerType>(m_, type(n.container)) != nullptr, n.container); },
        [&](const SizeOf& n) { needs(as<ContainerType>(m_, type(n.container)) != nullptr, n.container); }, [](const Unary&) {},
        [&](const Binary& n) { binary(n, id); }, [](const Cast&) {},
        [&](const Conditional& n) {
          require(agree(type(n.whenTrue), type(n.whenFalse)), "operand-types", [&] { return "the branches of " + text(id); });
        },
        [](const MathCall&) {}, [](const PureCall&) {},
        [&](const InitList&) { require(listAllowed, "init-list", [&] { return text(id) + " stands outside a declaration"; }); });
    const bool isList = std::holds_alternative<InitList>(f_[id].node);
    forEachChildExpr(f_[id], [&](ExprId child) { expr(child, isList); });
  }

  void binary(const Binary& n, ExprId id) {
    const TypeId a = type(n.lhs), b = type(n.rhs);
    switch (n.op) {
      case BinaryOp::Shl:
      case BinaryOp::Shr:
      case BinaryOp::And:
      case BinaryOp::Or: return;
      case BinaryOp::Add:
      case BinaryOp::Sub:
        if (isPointer(a) && isIntegral(m_, b)) return;
        if (n.op == BinaryOp::Add && isIntegral(m_, a) && isPointer(b)) return;
        break;
      case BinaryOp::Eq:
      case BinaryOp::Ne:
        if (isPointer(a) || isPointer(b)) return;  // nullptr, 0
        break;
      case BinaryOp::Mul:
      case BinaryOp::Div:
      case BinaryOp::Rem:
      case BinaryOp::BitAnd:
      case BinaryOp::BitOr:
      case BinaryOp::BitXor:
      case BinaryOp::Lt:
      case BinaryOp::Le:
      case BinaryOp::Gt:
      case BinaryOp::Ge: break;
    }
    require(agree(a, b), "operand-types", [&] { return text(id) + " mixes " + spell(m_, a) + " and " + spell(m_, b); });
  }

  // --- statements ---

  void block(const Block& body) {
    const std::set<VarId> outside = scope_;
    for (StmtId id : body) stmt(id);
    scope_ = outside;
  }
  void declare(VarId v) {
    require(scope_.insert(v).second, "declared-twice", [&] { return "'" + f_[v].name + "' is declared inside its scope"; });
  }
  void isTape(VarId v) {
    require(as<TapeType>(m_, withoutReference(m_, f_[v].type)) != nullptr, "tape-type",
            [&] { return "'" + f_[v].name + "' is no tape"; });
    require(scope_.count(v) != 0, "scope", [&] { return "'" + f_[v].name + "' is used outside its scope"; });
  }
  template <class F>
  void inLoop(bool loop, F&& f) {
    const bool outer = inLoop_;
    const bool outerReturn = mayReturn_;
    inLoop_ = loop;
    mayReturn_ = false;
    f();
    inLoop_ = outer;
    mayReturn_ = outerReturn;
  }
  // Declares the copies of a construct; they hide nothing but their originals.
  void data(const DataSharing& d) {
    std::set<VarId> own;  // one variable may be firstprivate and lastprivate
    detail::copyLists(d, [&](const std::vector<CopyOf>& copies) {
      for (const CopyOf& c : copies) {
        place(c.original, "the original");
        if (own.insert(c.copy).second) declare(c.copy);
      }
    });
  }
  void ompLoop(StmtId loop, unsigned collapse) {
    StmtId at = loop;
    for (unsigned level = 0; level < collapse; ++level) {
      const auto* s = at.valid() ? std::get_if<For>(&f_[at].node) : nullptr;
      require(s != nullptr, "omp-loop", level == 0 ? "the loop is no For" : "fewer perfectly nested loops than collapse says");
      if (!s) return;
      at = s->body.size() == 1 ? s->body[0] : StmtId();
    }
  }

  void stmt(StmtId id) {
    const StmtId outer = at_;
    at_ = id;
    const bool returns = std::holds_alternative<Return>(f_[id].node);
    forEachExprOfStmt(f_[id], [&](ExprId e) {
      // A condition may use what the test block declares; see While below.
      if (!std::holds_alternative<While>(f_[id].node))
        expr(e, returns || std::holds_alternative<Declare>(f_[id].node));
    });
    node(id);
    at_ = outer;
  }

  void node(StmtId id) {
    const auto scoped = [&](bool loop, const auto& f) {
      const std::set<VarId> outside = scope_;
      inLoop(loop, f);
      scope_ = outside;
    };
    const auto update = [&](ExprId target, ExprId value) {
      place(target, "the target");
      stores(type(target), value);
    };
    match(
        f_[id].node, [&](const Declare& s) { declaration(s); }, [&](const Assign& s) { update(s.target, s.value); },
        [&](const Increment& s) { update(s.target, s.value); }, [&](const Call& s) { call(s); },
        [&](const Opaque& s) {
          for (ExprId w : s.writes) place(w, "what is written,");
        },
        [&](const Restructure& s) { restructure(s); },
        [&](const Allocate& s) {
          place(s.target, "the target");
          require(isPointer(type(s.target)), "base-type", [&] { return text(s.target) + " is no pointer"; });
          if (s.count.valid())
            require(isIntegral(m_, type(s.count)), "operand-types", [&] { return text(s.count) + " is no integer"; });
        },
        [&](const Free& s) {
          require(isPointer(type(s.pointer)), "base-type", [&] { return text(s.pointer) + " is no pointer"; });
        },
        [&](const If& s) {
          scoped(inLoop_, [&] { block(s.then); });
          scoped(inLoop_, [&] { block(s.otherwise); });
        },
        [&](const For& s) {
          scoped(true, [&] {
            declare(s.counter);
            block(s.body);
          });
        },
        [&](const While& s) {
          scoped(true, [&] {
            if (s.testAtEnd) block(s.body);
            for (StmtId t : s.test) stmt(t);
            expr(s.condition);
            if (!s.testAtEnd) block(s.body);
          });
        },
        [&](const Scope& s) { scoped(inLoop_, [&] { block(s.body); }); },
        [&](const Break&) { require(inLoop_ && !structured_, "jump", "a break that may not be here"); },
        [&](const Continue&) { require(inLoop_ && !structured_, "jump", "a continue that may not be here"); },
        [&](const Return& s) {
          require(!structured_ || mayReturn_, "return-last", "a return before the end");
          if (s.value.valid()) stores(withoutReference(m_, f_.result), s.value);
        },
        [&](const OmpParallel& s) {
          scoped(false, [&] {
            data(s.data);
            block(s.body);
          });
        },
        [&](const OmpFor& s) {
          ompLoop(s.loop, s.collapse);
          scoped(false, [&] {
            data(s.data);
            stmt(s.loop);
          });
        },
        [&](const OmpSimd& s) {
          ompLoop(s.loop, s.collapse);
          scoped(false, [&] {
            data(s.data);
            stmt(s.loop);
          });
        },
        [&](const OmpSingle& s) {
          scoped(false, [&] {
            data(s.data);
            block(s.body);
          });
        },
        [&](const OmpMaster& s) { scoped(false, [&] { block(s.body); }); }, [](const OmpBarrier&) {},
        [&](const OmpAtomic& s) { update(s.target, s.value); }, [&](const Mpi& s) { mpi(s); },
        [&](const Push& s) { isTape(s.tape); },
        [&](const Pop& s) {
          isTape(s.tape);
          place(s.place, "the target");
        },
        [&](const TapeBlock& s) {
          isTape(s.tape);
          require(isPointer(f_[s.pointer].type), "base-type", [&] { return "'" + f_[s.pointer].name + "' is no pointer"; });
          declare(s.pointer);
        },
        [&](const Revert& s) {
          isTape(s.tape);
          vector(s.container);
        },
        [&](const TapeRelease& s) {
          isTape(s.tape);
          if (s.frame.valid())
            require(scope_.count(s.frame) != 0, "scope", [&] { return "'" + f_[s.frame].name + "' is used outside its scope"; });
        },
        [&](const SharedIncrement& s) { update(s.target, s.value); }, [&](const SetZero& s) { place(s.place, "the target"); },
        [](const Runtime&) {}, [](const Comment&) {});
  }

  void vector(ExprId e) {
    const auto* c = as<ContainerType>(m_, type(e));
    require(c && c->kind == ContainerKind::Vector, "base-type", [&] { return text(e) + " is no vector"; });
  }

  void restructure(const Restructure& s) {
    vector(s.container);
    if (s.op == Structure::Swap || s.op == Structure::Follow) vector(s.operand);
    else require(isIntegral(m_, type(s.operand)), "operand-types", [&] { return text(s.operand) + " is no integer"; });
    if (s.tape.valid()) isTape(s.tape);
  }

  void declaration(const Declare& s) {
    const bool reference = isReference(m_, f_[s.var].type);
    std::size_t count = s.args.size();
    switch (s.init) {
      case Init::None:
      case Init::Zero: count = 0; break;
      case Init::Value: count = 1; break;
      case Init::List:
        count = 1;
        if (s.args.size() == 1)
          require(std::holds_alternative<InitList>(f_[s.args[0]].node), "init-args",
                  [&] { return text(s.args[0]) + " is no list"; });
        break;
      case Init::Construct: break;
      case Init::Bind:
        count = 1;
        // A tape comes from a call of our runtime.
        if (s.args.size() == 1 && !as<TapeType>(m_, f_[s.args[0]].type)) place(s.args[0], "what is bound,");
        break;
    }
    require(s.args.size() == count, "init-args", [&] { return "the number of initialisers of '" + f_[s.var].name + "'"; });
    if (s.storage == Storage::Automatic)
      require(reference == (s.init == Init::Bind), "init-args",
              [&] { return "references are bound, others are not: '" + f_[s.var].name + "'"; });
    else
      isTape(s.tape);
    if (s.init == Init::Value && s.args.size() == 1) stores(f_[s.var].type, s.args[0]);
    declare(s.var);
  }

  void call(const Call& s) {
    const Function& callee = m_[s.callee];
    require(s.args.size() == callee.params.size(), "call-args",
            [&] {
              return std::to_string(s.args.size()) + " arguments for " + std::to_string(callee.params.size()) + " parameters";
            });
    for (std::size_t i = 0; i < s.args.size() && i < callee.params.size(); ++i) {
      const TypeId param = callee[callee.params[i]].type;
      if (isReference(m_, param))
        require(isPlace(f_[s.args[i]]), "call-args", [&] { return text(s.args[i]) + " for a reference is no place"; });
      else
        stores(param, s.args[i]);
    }
    if (s.result.valid()) place(s.result, "the result");
  }

  void mpi(const Mpi& s) {
    if (s.result.valid()) place(s.result, "the result");
    if (s.tape.valid()) isTape(s.tape);
    const MpiSignature* routine = mpiSignature(s.op);
    require(routine != nullptr, "mpi-args", "no such routine");
    if (!routine) return;
    std::size_t args = routine->roles.size(), shadows = 0;
    bool tape = false;
    switch (s.part) {
      case MpiPart::Primal: break;
      case MpiPart::Tangent: shadows = routine->buffers(); break;
      case MpiPart::Forward:
        shadows = routine->buffers();
        tape = true;
        break;
      case MpiPart::ForwardTangent:
        shadows = 3 * routine->buffers();
        tape = true;
        break;
      case MpiPart::Reverse:
      case MpiPart::ReverseTangent:
        args = 0;
        tape = true;
        break;
    }
    require(s.args.size() == args, "mpi-args",
            [&] { return std::to_string(s.args.size()) + " arguments, not " + std::to_string(args); });
    require(s.shadows.size() == shadows, "mpi-args",
            [&] { return std::to_string(s.shadows.size()) + " shadows, not " + std::to_string(shadows); });
    require(s.tape.valid() == tape, "mpi-args", tape ? "the tape is missing" : "a tape that isn't used");
  }

  const Module& m_;
  const Function& f_;
  bool structured_;
  const Report& report_;
  std::set<VarId> scope_;
  StmtId at_;  // the statement being checked
  bool inLoop_ = false;
  bool mayReturn_ = false;
};

}  // namespace

std::vector<std::string> verify(const Module& module, const Function& function, bool jumpsAreStructured) {
  std::vector<std::string> found;
  const Report report = [&](const char* check, const std::string& what) {
    found.push_back("function " + qualifiedName(function) + ": [" + check + "] " + what);
  };
  if (verifyRanges(module, function, report)) Verifier(module, function, jumpsAreStructured, report).run();
  return found;
}

std::vector<std::string> verify(const Module& module, bool jumpsAreStructured) {
  std::vector<std::string> found;
  const Report report = [&](const char* check, const std::string& what) {
    found.push_back(std::string("module: [") + check + "] " + what);
  };
  if (!verifyRanges(module, report)) return found;
  for (const Function& f : module.functions)
    for (std::string& line : verify(module, f, jumpsAreStructured)) found.push_back(std::move(line));
  return found;
}

}  // namespace contraflow::ir
