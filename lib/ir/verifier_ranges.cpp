#include "ir/verifier_ranges.hpp"

#include <set>

#include "ir/printer.hpp"
#include "ir/walk.hpp"

namespace contraflow::ir {
namespace {

template <class Tag, class Arena>
bool inRange(Id<Tag> id, const Arena& arena) {
  return id.valid() && id.index() < arena.size();
}
template <class Tag, class Arena>
bool noneOrInRange(Id<Tag> id, const Arena& arena) {
  return !id.valid() || id.index() < arena.size();
}

class Ranges {
 public:
  Ranges(const Module& m, const Function& f, const Report& report) : m_(m), f_(f), report_(report) {}

  bool run() {
    require(inRange(f_.result, m_.types), "type-valid", "the result");
    for (const Var& v : f_.vars) require(inRange(v.type, m_.types), "type-valid", "the variable '" + v.name + "'");
    for (VarId p : f_.params) require(inRange(p, f_.vars), "id-range", "a parameter");
    for (std::size_t i = 0; i < f_.exprs.size(); ++i) expr(i);
    block(f_.body, "the body");
    return ok_;
  }

 private:
  void require(bool good, const char* check, const std::string& what) {
    if (good) return;
    ok_ = false;
    report_(check, what);
  }

  void expr(std::size_t index) {
    const Expr& e = f_.exprs[index];
    const std::string what = "expression " + std::to_string(index);
    require(inRange(e.type, m_.types), "type-valid", what);
    const auto all = [&](std::initializer_list<ExprId> ids) {
      for (ExprId id : ids) require(inRange(id, f_.exprs) && id.index() != index, "id-range", what + ": an operand");
    };
    const auto list = [&](const std::vector<ExprId>& ids) {
      for (ExprId id : ids) all({id});
    };
    match(
        e.node, [](const Literal&) {}, [&](const VarRef& n) { require(inRange(n.var, f_.vars), "id-range", what + ": variable"); },
        [&](const GlobalRef& n) { require(inRange(n.global, m_.globals), "id-range", what + ": global"); },
        [&](const FieldRef& n) { all({n.base}); }, [&](const Subscript& n) { all({n.base, n.index}); },
        [&](const Deref& n) { all({n.pointer}); }, [&](const AddressOf& n) { all({n.place}); },
        [&](const Decay& n) { all({n.array}); }, [&](const DataOf& n) { all({n.container}); },
        [&](const SizeOf& n) { all({n.container}); }, [&](const Unary& n) { all({n.operand}); },
        [&](const Binary& n) { all({n.lhs, n.rhs}); }, [&](const Cast& n) { all({n.operand}); },
        [&](const Conditional& n) { all({n.condition, n.whenTrue, n.whenFalse}); }, [&](const MathCall& n) { list(n.args); },
        [&](const PureCall& n) { list(n.args); }, [&](const InitList& n) { list(n.elements); });
  }

  void block(const Block& body, const std::string& where) {
    for (StmtId id : body) stmt(id, where);
  }

  void stmt(StmtId id, const std::string& where) {
    require(inRange(id, f_.stmts), "id-range", "a statement in " + where);
    if (!inRange(id, f_.stmts)) return;
    const std::string what = std::string(nodeName(f_[id].node)) + " " + std::to_string(id.index());
    if (!open_.insert(id).second) return require(false, "id-range", what + " contains itself");
    forEachExprOfStmt(f_[id], [&](ExprId e) { require(inRange(e, f_.exprs), "id-range", what + ": an expression"); });
    forEachDeclaredVar(f_[id], [&](VarId v) { require(inRange(v, f_.vars), "id-range", what + ": a variable"); });
    operands(f_[id].node, what);
    forEachBlockOfStmt(f_[id], [&](const Block& body) { block(body, what); });
    if (const StmtId loop = loopOf(f_[id])) stmt(loop, what);
    open_.erase(id);
  }

  // The operands that may not be none, and ids of other kinds.
  void operands(const StmtNode& node, const std::string& what) {
    const auto needs = [&](std::initializer_list<ExprId> ids) {
      for (ExprId id : ids) require(id.valid(), "id-range", what + ": an operand is missing");
    };
    const auto needsAll = [&](const std::vector<ExprId>& ids) {
      for (ExprId id : ids) needs({id});
    };
    const auto tape = [&](VarId v) { require(inRange(v, f_.vars), "id-range", what + ": the tape"); };
    const auto data = [&](const DataSharing& d) {
      detail::copyLists(d, [&](const std::vector<CopyOf>& copies) {
        for (const CopyOf& c : copies) needs({c.original});
      });
      needsAll(d.shared);
    };
    match(
        node,
        [&](const Declare& s) {
          needsAll(s.args);
          if (s.storage != Storage::Automatic) tape(s.tape);
        },
        [&](const Assign& s) { needs({s.target, s.value}); }, [&](const Increment& s) { needs({s.target, s.value}); },
        [&](const Call& s) {
          needsAll(s.args);
          require(inRange(s.callee, m_.functions), "id-range", what + ": the callee");
        },
        [&](const Opaque& s) {
          needsAll(s.args);
          needsAll(s.writes);
        },
        [&](const Restructure& s) {
          needs({s.container, s.operand});
          require(noneOrInRange(s.tape, f_.vars), "id-range", what + ": the tape");
        },
        [&](const Allocate& s) { needs({s.target}); }, [&](const Free& s) { needs({s.pointer}); },
        [&](const If& s) { needs({s.condition}); }, [&](const For& s) { needs({s.init, s.bound, s.step}); },
        [&](const While& s) { needs({s.condition}); }, [](const Scope&) {}, [](const Break&) {}, [](const Continue&) {},
        [](const Return&) {}, [&](const OmpParallel& s) { data(s.data); },
        [&](const OmpFor& s) {
          data(s.data);
          require(s.loop.valid(), "id-range", what + ": the loop is missing");
        },
        [&](const OmpSimd& s) {
          data(s.data);
          require(s.loop.valid(), "id-range", what + ": the loop is missing");
        },
        [&](const OmpSingle& s) { data(s.data); }, [](const OmpMaster&) {}, [](const OmpBarrier&) {},
        [&](const OmpAtomic& s) { needs({s.target, s.value}); },
        [&](const Mpi& s) {
          needsAll(s.args);
          require(noneOrInRange(s.tape, f_.vars), "id-range", what + ": the tape");
        },
        [&](const Push& s) {
          needs({s.value});
          tape(s.tape);
        },
        [&](const Pop& s) {
          needs({s.place});
          tape(s.tape);
        },
        [&](const TapeBlock& s) {
          needs({s.count});
          tape(s.tape);
        },
        [&](const TapeRelease& s) {
          tape(s.tape);
          require(noneOrInRange(s.frame, f_.vars), "id-range", what + ": the frame");
        },
        [&](const Revert& s) {
          needs({s.container});
          tape(s.tape);
        },
        [&](const SharedIncrement& s) { needs({s.target, s.value}); }, [&](const SetZero& s) { needs({s.place}); },
        [&](const Runtime& s) { needsAll(s.args); }, [](const Comment&) {});
  }

  const Module& m_;
  const Function& f_;
  const Report& report_;
  std::set<StmtId> open_;
  bool ok_ = true;
};

// The types that a type is made of.
void parts(const TypeNode& node, const std::function<void(TypeId)>& f) {
  match(
      node, [](const VoidType&) {}, [](const BoolType&) {}, [](const IntType&) {}, [](const RealType&) {},
      [](const EnumType&) {}, [](const SelectorType&) {}, [&](const PointerType& t) { f(t.pointee); }, [&](const ReferenceType& t) { f(t.pointee); },
      [&](const ArrayType& t) { f(t.element); }, [](const RecordType&) {}, [&](const ContainerType& t) { f(t.element); },
      [](const MpiHandleType&) {}, [](const TapeType&) {}, [](const OpaqueType&) {});
}

}  // namespace

bool verifyRanges(const Module& m, const Function& f, const Report& report) { return Ranges(m, f, report).run(); }

bool verifyRanges(const Module& m, const Report& report) {
  bool ok = true;
  const auto require = [&](bool good, const std::string& what) {
    if (!good) report("id-range", what);
    ok = ok && good;
  };
  for (std::size_t i = 0; i < m.types.size(); ++i) {
    const std::string what = "type " + std::to_string(i);
    parts(m.types[i].node, [&](TypeId part) { require(inRange(part, m.types) && part.index() != i, what); });
    if (const auto* r = std::get_if<RecordType>(&m.types[i].node)) require(inRange(r->record, m.records), what);
  }
  for (const Record& r : m.records)
    for (const Field& f : r.fields) require(inRange(f.type, m.types), "the type of " + r.name + "::" + f.name);
  for (const Global& g : m.globals) require(inRange(g.type, m.types), "the type of the global " + g.name);
  for (const Head& h : m.heads) {
    require(h.function.valid() ? inRange(h.function, m.functions) : !h.ofDerivative.empty(), "the head " + h.text);
    for (const auto* names : {&h.independents, &h.dependents})
      for (const HeadName& n : *names) {
        require(noneOrInRange(n.global, m.globals), n.spelling + " of the head " + h.text);
        if (inRange(h.function, m.functions))
          require(n.param < static_cast<int>(m[h.function].params.size()), n.spelling + " of the head " + h.text);
      }
  }
  return ok;
}

}  // namespace contraflow::ir
