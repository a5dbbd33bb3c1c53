#include "emit/usage.hpp"

#include "ir/walk.hpp"

namespace contraflow::emit {

using namespace ir;

namespace {

class Scan {
 public:
  Scan(const Module& m, const Function& f) : m_(m), f_(f), of_(f.vars.size()) {}

  std::vector<VarUsage> run() {
    walkStmts(f_, f_.body, [&](StmtId id) { stmt(f_[id]); });
    return std::move(of_);
  }

 private:
  // A variable whose own storage the place is part of: through fields and elements, not through pointers.
  const VarRef* storage(ExprId place) const {
    const ExprNode& node = f_[place].node;
    if (const auto* var = std::get_if<VarRef>(&node)) return var;
    if (const auto* field = std::get_if<FieldRef>(&node)) return storage(field->base);
    if (const auto* element = std::get_if<Subscript>(&node))
      return as<PointerType>(m_, f_[element->base].type) ? nullptr : storage(element->base);
    return nullptr;
  }
  void mark(VarId v, bool read, bool written) {
    VarUsage& u = of_[v.index()];
    u.mentioned = true;
    u.read = u.read || read;
    u.written = u.written || written;
  }

  void read(ExprId id) {
    if (!id.valid()) return;
    const ExprNode& node = f_[id].node;
    if (const auto* var = std::get_if<VarRef>(&node)) return mark(var->var, true, false);
    if (const auto* address = std::get_if<AddressOf>(&node)) return escape(address->place);
    if (const auto* array = std::get_if<Decay>(&node)) return escape(array->array);
    if (const auto* data = std::get_if<DataOf>(&node)) return escape(data->container);
    forEachChildExpr(f_[id], [&](ExprId child) { read(child); });
  }
  void escape(ExprId place) {
    if (const VarRef* var = storage(place)) mark(var->var, true, true);
    read(place);
  }
  void write(ExprId place) {
    if (!place.valid()) return;
    const VarRef* var = storage(place);
    if (!var) return read(place);
    mark(var->var, isReference(m_, f_[var->var].type), true);
    // Indices on the way are read; the variable itself isn't.
    for (ExprId at = place; !std::holds_alternative<VarRef>(f_[at].node);) {
      if (const auto* element = std::get_if<Subscript>(&f_[at].node)) {
        read(element->index);
        at = element->base;
      } else {
        at = std::get<FieldRef>(f_[at].node).base;
      }
    }
  }
  void all(const std::vector<ExprId>& ids, bool escapes = false) {
    for (ExprId id : ids) {
      if (!id.valid()) continue;
      if (escapes)
        escape(id);
      else
        read(id);
    }
  }
  void update(ExprId target, ExprId value) {
    write(target);
    read(value);
  }
  void data(const DataSharing& d) {
    ir::detail::copyLists(d, [&](const std::vector<CopyOf>& list) {
      for (const CopyOf& c : list) write(c.original);  // to a compiler, what lists alone name is unused
    });
    all(d.shared, true);
  }
  void tape(VarId v) {
    if (v.valid()) mark(v, true, true);
  }

  void stmt(const Stmt& statement) {
    match(
        statement.node,
        [&](const Declare& s) {
          all(s.args, s.init == Init::Bind);
          if (s.storage != Storage::Automatic) tape(s.tape);
        },
        [&](const Assign& s) { update(s.target, s.value); }, [&](const Increment& s) { update(s.target, s.value); },
        [&](const Call& s) {
          const Function& callee = m_[s.callee];
          for (std::size_t i = 0; i < s.args.size(); ++i) {
            const bool reference = i < callee.params.size() && isReference(m_, callee[callee.params[i]].type) &&
                                   !m_[withoutReference(m_, callee[callee.params[i]].type)].isConst;
            if (reference)
              escape(s.args[i]);
            else
              read(s.args[i]);
          }
          write(s.result);
        },
        [&](const Opaque& s) {
          all(s.args, !s.writes.empty());
          all(s.writes, true);
        },
        [&](const Restructure& s) {
          escape(s.container);
          escape(s.operand);
          tape(s.tape);
        },
        [&](const Allocate& s) {
          write(s.target);
          read(s.count);
        },
        [&](const Free& s) { read(s.pointer); },
        [&](const Revert& s) {
          escape(s.container);
          tape(s.tape);
        },
        [&](const If& s) { read(s.condition); },
        [&](const For& s) {
          mark(s.counter, true, true);
          all({s.init, s.bound, s.step});
        },
        [&](const While& s) { read(s.condition); }, [](const Scope&) {}, [](const Break&) {}, [](const Continue&) {},
        [&](const Return& s) { read(s.value); },
        [&](const OmpParallel& s) {
          data(s.data);
          all({s.numThreads, s.ifCondition});
        },
        [&](const OmpFor& s) {
          data(s.data);
          read(s.chunk);
        },
        [&](const OmpSimd& s) { data(s.data); }, [&](const OmpSingle& s) { data(s.data); }, [](const OmpMaster&) {},
        [](const OmpBarrier&) {}, [&](const OmpAtomic& s) { update(s.target, s.value); },
        [&](const Mpi& s) {
          all(s.args);  // buffers, statuses and requests are addresses, which get around
          all(s.shadows);
          write(s.result);
          tape(s.tape);
        },
        [&](const Push& s) {
          tape(s.tape);
          read(s.value);
        },
        [&](const Pop& s) {
          tape(s.tape);
          escape(s.place);
        },
        [&](const TapeBlock& s) {
          tape(s.tape);
          read(s.count);
        },
        [&](const TapeRelease& s) { tape(s.tape); }, [&](const SharedIncrement& s) {
          update(s.target, s.value);
          read(s.alone);
        },
        [&](const SetZero& s) {
          if (isReal(m_, f_[s.place].type))
            write(s.place);
          else
            escape(s.place);
        },
        [&](const Runtime& s) { all(s.args, true); }, [](const Comment&) {});
  }

  const Module& m_;
  const Function& f_;
  std::vector<VarUsage> of_;
};

}  // namespace

std::vector<VarUsage> usage(const Module& module, const Function& function) { return Scan(module, function).run(); }

}  // namespace contraflow::emit
