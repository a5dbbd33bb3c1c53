// Checkpointed loops that go on after the program was killed (runtime/include/contraflow/restart.hpp).
//
//     forward:  goOnFrom(checkpoint, …); …  restartInput(checkpoint, k); …  resume(checkpoint);
//               for (again = first; again < steps; ++again) { checkpoint.step(); t = again; body }
//               sweepDone(checkpoint);
//     reverse:  restartAdjoint(checkpoint, k_b); …  checkpoint.atEnd(tape);  …
//
// What a state must have beside snapshots is the shadows of all memory that a step reads or overwrites: no reverse part of a step changes
// any other. So that memory must be known whole; and none of it may hold addresses, which are others in the process that goes on.
#include <algorithm>

#include "ir/match.hpp"
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"
#include "transform/snapshot.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

// True if a value of the type may have an address in it, or something else that means nothing to another process.
bool holdsAddresses(const Module& m, TypeId id) {
  return match(
      m[id].node, [](const VoidType&) { return true; }, [](const BoolType&) { return false; }, [](const IntType&) { return false; },
      [](const RealType&) { return false; }, [](const EnumType&) { return false; }, [](const PointerType&) { return true; },
      [](const ReferenceType&) { return true; }, [&](const ArrayType& a) { return holdsAddresses(m, a.element); },
      [&](const RecordType& r) {
        const Record& record = m[r.record];
        for (const Field& field : record.fields)
          if (holdsAddresses(m, field.type)) return true;
        return false;
      },
      [&](const ContainerType& c) { return holdsAddresses(m, c.element); }, [](const SelectorType&) { return true; },
      [](const MpiHandleType& h) { return h.kind != MpiHandle::Status; }, [](const TapeType&) { return true; }, [](const OpaqueType&) { return true; });
}

bool isMpiHandle(const Module& m, TypeId id) {
  while (const auto* a = as<ArrayType>(m, id)) id = a->element;
  const auto* c = as<ContainerType>(m, id);
  return as<MpiHandleType>(m, c ? c->element : id) != nullptr;
}

}  // namespace

// Why the loop can't go on, though it can be run again; or nothing.
std::string AdjointBuilder::whyItCantGoOn(StmtId loop, const Snapshot& written) const {
  if (const auto* w = std::get_if<While>(&f_[loop].node); w && (w->testAtEnd || !w->test.empty()))
    return "its condition does more than to compare, and would do it twice";
  const auto check = [&](ExprId place, TypeId type) {
    return holdsAddresses(m_, type) ? "it overwrites memory of type '" + spell(m_, f_[place].type) + "', which means nothing to another process" : "";
  };
  for (const auto* objects : {&written.objects, &written.exchanged})
    for (const Snapshot::Object& o : *objects)
      if (const std::string why = check(o.place, withoutReference(m_, f_[o.place].type)); !why.empty()) return why;
  for (const Snapshot::Range& r : written.ranges)
    if (const std::string why = check(r.pointer, as<PointerType>(m_, f_[r.pointer].type)->pointee); !why.empty()) return why;
  return "";
}

// All that the loop reads or overwrites, but for handles of MPI. False: refused.
bool AdjointBuilder::findTouched(StmtId loop, const Snapshot& written, Snapshot& touched) {
  const std::string begin = "the loop of line " + std::to_string(at_.line) + " can't go on after a kill: ";
  const std::string wayOut = "take 'restart' out of the annotation: its snapshots are in files then, but it begins anew";
  if (const std::string why = whyItCantGoOn(loop, written); !why.empty()) {
    refuse(begin + why, wayOut);
    return false;
  }
  SnapshotRefusal refusal;
  if (!findSnapshot(m_, facts_, *options_.annotations, variant_.primal, f_, loop, touched, refusal, true)) {
    at_ = refusal.at;
    refuse(begin + refusal.what, refusal.wayOut);
    return false;
  }
  const auto isHandle = [&](const Snapshot::Object& o) { return isMpiHandle(m_, withoutReference(m_, f_[o.place].type)); };
  touched.objects.erase(std::remove_if(touched.objects.begin(), touched.objects.end(), isHandle), touched.objects.end());
  if (const std::string why = whyItCantGoOn(loop, touched); !why.empty()) {
    refuse(begin + why, wayOut);
    return false;
  }
  return true;
}

// In front of the loop; and where it begins.
Block AdjointBuilder::restartInputs(VarId checkpoint, const Snapshot& touched) {
  Block out;
  for (const auto* objects : {&touched.objects, &touched.exchanged})
    for (const Snapshot::Object& o : *objects)
      out.push_back(add(Runtime{{"contraflow::restartInput(", ", ", ");"}, {var(checkpoint), o.place}}));
  for (const Snapshot::Range& r : touched.ranges)
    out.push_back(add(Runtime{{"contraflow::restartInputRange(", ", ", ", ", ");"}, {var(checkpoint), r.pointer, r.extent}}));
  out.push_back(add(Runtime{{"contraflow::resume(", ");"}, {var(checkpoint)}}));
  return out;
}

// In front of its reversal. What has no shadow has no adjoint.
Block AdjointBuilder::restartAdjoints(VarId checkpoint, const Snapshot& touched) {
  Block out;
  for (const auto* objects : {&touched.objects, &touched.exchanged})
    for (const Snapshot::Object& o : *objects) {
      ExprId base;
      const bool guarded = shadows_.mayBeNull(o.place, base);
      const ExprId shadow = shadows_.place(o.place);
      if (!shadow.valid()) continue;
      const StmtId one = add(Runtime{{"contraflow::restartAdjoint(", ", ", ");"}, {var(checkpoint), shadow}});
      out.push_back(guarded ? add(If{binary(BinaryOp::Ne, base, literal("nullptr", f_[base].type), bool_), {one}, {}}) : one);
    }
  for (std::size_t k = 0; k < touched.ranges.size(); ++k) {
    const ExprId shadow = shadows_.pointer(touched.ranges[k].pointer);
    if (std::holds_alternative<Literal>(f_[shadow].node)) continue;
    out.push_back(add(Runtime{{"contraflow::restartAdjointRange(", ", " + std::to_string(k) + ", ", ");"}, {var(checkpoint), shadow}}));
  }
  return out;
}

// The forward sweep, from where it goes on.
StmtId AdjointBuilder::resumedLoop(const For& counted, VarId checkpoint, const Block& primal) {
  const VarId number = newVar("step", long_);
  Block body{add(Runtime{{"", ".step();"}, {var(checkpoint)}})};
  counterAt(&counted, checkpoint, number, body);
  const Block steps = copied(primal, false);
  body.insert(body.end(), steps.begin(), steps.end());
  return add(For{number, pureCall("contraflow::firstStep", {var(checkpoint)}, long_), BinaryOp::Lt,
                 pureCall("contraflow::stepsOf", {var(checkpoint)}, long_), literal("1", long_), std::move(body)});
}

}  // namespace contraflow::transform
