// The adjoint of a loop that is reversed from snapshots (runtime/include/contraflow/checkpoint.hpp).
//
//     #pragma contraflow checkpoint(binomial, snapshots: 20)
//     for (int t = 0; t < nt; ++t) u = f(u);
//
//     forward:  checkpoint = tape.create<Checkpoint>(…); checkpoint.object(u);
//               for (int t = 0; t < nt; ++t) { checkpoint.step(); u = f(u); }
//     reverse:  checkpoint.atEnd(tape);
//               for (step = steps - 1; step >= 0; --step) {
//                 checkpoint.goBackTo(step);
//                 for (again = first; again < step; ++again) { checkpoint.step(); t = again; u = f(u); }
//                 t = step;  push(u); u = f(u);  …  pop(u); u_b = f'(u) * u_b;
//               }
//               checkpoint.atBegin(tape);
//
// Between snapshots the primal's own statements run, without anything recorded; shadows follow exchanged pointers and vectors
// afterwards. Output is left out where steps are run again.
#include "ir/walk.hpp"
#include "transform/adjoint_builder.hpp"
#include "transform/snapshot.hpp"

namespace contraflow::transform {

using namespace ir;

namespace {

void append(Block& to, const Block& what) { to.insert(to.end(), what.begin(), what.end()); }

bool isOutput(const Stmt& s) {
  const auto* o = std::get_if<Opaque>(&s.node);
  return o && o->writes.empty() && o->pieces.front().rfind("omp_set_", 0) != 0;
}

bool isConstant(const Function& f, ExprId e) {
  bool constant = true;
  walkExpr(f, e, [&](ExprId x) { constant = constant && (std::holds_alternative<Literal>(f[x].node) || std::holds_alternative<Cast>(f[x].node)); });
  return constant;
}

// As a string in C++.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

bool AdjointBuilder::isCheckpointed(StmtId loop) const {
  return options_.annotations && options_.annotations->checkpoint(f_[loop].loc);
}

// The statements once more, with those in them; without output if they are run again.
Block AdjointBuilder::copied(const Block& block, bool again) {
  Block out;
  for (StmtId s : block) {
    Stmt stmt = f_[s];
    if (again && isOutput(stmt)) continue;
    forEachBlockOfStmt(stmt, [&](Block& b) { b = copied(b, again); });
    if (auto* w = std::get_if<OmpFor>(&stmt.node)) w->loop = copied({w->loop}, again).front();
    if (auto* w = std::get_if<OmpSimd>(&stmt.node)) w->loop = copied({w->loop}, again).front();
    out.push_back(f_.addStmt(std::move(stmt.node), stmt.loc, stmt.origin.valid() ? stmt.origin : s));
  }
  return out;
}

// What a snapshot holds; `again`: only what may have another address in the reverse sweep.
Block AdjointBuilder::registerParts(VarId checkpoint, const Snapshot& snapshot, bool again) {
  Block out;
  const auto method = [&](const std::string& name, std::vector<ExprId> args, const std::string& last) {
    Runtime r{{"", "." + name + "("}, {var(checkpoint)}};
    for (ExprId a : args) {
      r.args.push_back(a);
      r.pieces.push_back(", ");
    }
    r.pieces.back() = last.empty() ? ");" : ", " + last + ");";
    out.push_back(add(std::move(r)));
  };
  const auto text = [](bool yes) { return yes ? "true" : "false"; };
  for (const Snapshot::Object& o : snapshot.objects)
    if (!again || !o.isVector) method("object", {o.place}, text(o.seen));
  for (const Snapshot::Pointer& p : snapshot.pointers) {
    const VarId shadow = shadows_.of(p.variable);
    if (shadow.valid()) method("pointer", {var(p.variable), var(shadow)}, text(p.hasMemory));
    else method("pointer", {var(p.variable)}, "");
  }
  if (again) return out;
  for (const Snapshot::Range& r : snapshot.ranges) method("range", {r.pointer, r.extent}, text(r.seen));
  for (const Snapshot::Object& v : snapshot.exchanged) {
    const ExprId shadow = shadows_.place(v.place);
    if (shadow.valid()) method("exchanged", {v.place, shadow}, text(v.seen));
    else method("exchanged", {v.place}, text(v.seen));
  }
  return out;
}

// The object lives on the tape from one sweep to the other.
// `counted`: null where only the loop itself finds out how often it runs.
VarId AdjointBuilder::declareCheckpoint(const For* counted, bool communicates, Parts& parts, const Context& ctx) {
  static const char* const kSchedules[] = {"contraflow::Schedule::Binomial", "contraflow::Schedule::Periodic",
                                           "contraflow::Schedule::Memory", "contraflow::Schedule::Binomial"};
  const Checkpoint& schedule = *options_.annotations->checkpoint(at_);
  const VarId tape = ctx.tapes[ctx.depth];
  const TypeId type = m_.type(OpaqueType{"contraflow::Checkpoint"});
  const VarId checkpoint = newVar("checkpoint", type);
  level_[checkpoint] = ctx.depth;
  std::vector<ExprId> args{literal(kSchedules[static_cast<int>(schedule.schedule)], int_),
                           literal(std::to_string(schedule.amount), long_),
                           counted ? tripCount(*counted) : literal("contraflow::kUnknownSteps", long_)};
  if (counted && !isConstant(f_, counted->init)) args.push_back(algebra_.cast(counted->init, long_));
  parts.fwd[ctx.depth].push_back(add(Declare{checkpoint, Init::Construct, std::move(args), Storage::FrameCreate, tape}));
  if (!schedule.folder.empty()) {
    const std::string region = m_[variant_.primal].name + ", line " + std::to_string(at_.line);
    std::string args = ", " + quoted(schedule.folder) + ", " + quoted(region) + ", " + std::to_string(schedule.inMemory) + ", " +
                       (schedule.inMemoryIsBytes ? "true" : "false");
    if (schedule.restart != 0) args += ", " + std::to_string(options_.program) + "u, " + std::to_string(schedule.restart);
    if (schedule.restart != 0 && communicates) args += ", contraflow::mpi::restartRanks()";
    parts.fwd[ctx.depth].push_back(
        add(Runtime{{schedule.restart != 0 ? "contraflow::goOnFrom(" : "contraflow::keepInFiles(", args + ");"}, {var(checkpoint)}}));
  }
  if (!ctx.joint) {
    const ExprId address = f_.addExpr(AddressOf{var(checkpoint)}, pointerTo(type));
    locals_->finals.push_back(add(Push{tape, address}));
    locals_->restores.insert(locals_->restores.begin(), add(Declare{checkpoint, Init::None, {}, Storage::FrameReopen, tape}));
  }
  return checkpoint;
}

// The loop's counter in the step of this number.
void AdjointBuilder::counterAt(const For* counted, VarId checkpoint, VarId number, Block& out) {
  if (!counted) return;
  For l = *counted;
  if (!isConstant(f_, l.init))
    l.init = f_.addExpr(Cast{pureCall("contraflow::firstCounter", {var(checkpoint)}, long_), true}, withoutConst(m_, f_[l.counter].type));
  out.push_back(declareCounter(l, number));
}

// The reverse of the steps, from the last to the first.
StmtId AdjointBuilder::reversedSteps(const For* counted, const Block& primal, VarId checkpoint, const Block& recorded) {
  const VarId step = newVar("step", long_), again = newVar("again", long_);
  Block rerun{add(Runtime{{"", ".step();"}, {var(checkpoint)}})};
  counterAt(counted, checkpoint, again, rerun);
  append(rerun, copied(primal, true));
  Block body{add(Runtime{{"", ".goBackTo(", ");"}, {var(checkpoint), var(step)}})};
  body.push_back(add(For{again, pureCall("contraflow::firstStep", {var(checkpoint)}, long_), BinaryOp::Lt, var(step),
                         literal("1", long_), std::move(rerun)}));
  body.push_back(add(Runtime{{"", ".follow();"}, {var(checkpoint)}}));
  counterAt(counted, checkpoint, step, body);
  append(body, recorded);
  const ExprId last =
      binary(BinaryOp::Sub, pureCall("contraflow::stepsOf", {var(checkpoint)}, long_), literal("1", long_), long_);
  return add(For{step, last, BinaryOp::Ge, literal("0", long_), literal("-1", long_), std::move(body)});
}

// A block is one step: nothing has to be run again in front of it.
StmtId AdjointBuilder::reversedBlock(VarId checkpoint, Block recorded) {
  Block body{add(Runtime{{"", ".goBackTo(0);"}, {var(checkpoint)}}), add(Runtime{{"", ".follow();"}, {var(checkpoint)}})};
  append(body, recorded);
  return add(Scope{std::move(body)});
}

void AdjointBuilder::checkpointedLoop(StmtId s, Parts& parts, const Context& ctx) {
  const Stmt loop = f_[s];  // a copy: the arena grows
  const auto* counted = std::get_if<For>(&loop.node);
  const Block& primal = counted ? counted->body : std::get<While>(loop.node).body;
  const bool isBlock = options_.annotations->checkpoint(at_)->schedule == Schedule::Block;
  const std::string line = (isBlock ? "block of line " : "loop of line ") + std::to_string(at_.line);
  if (ctx.parallel || variant_.parallel || ctx.depth != 0)
    return refuse("the " + line + " can't be checkpointed: it is run by the threads of a parallel region",
                  "put the parallel region into it");
  Snapshot snapshot;
  SnapshotRefusal refusal;
  if (!findSnapshot(m_, facts_, *options_.annotations, variant_.primal, f_, s, snapshot, refusal)) {
    at_ = refusal.at;
    return refuse("the " + line + " can't be checkpointed: " + refusal.what, refusal.wayOut);
  }
  if (snapshot.communicates && options_.annotations->checkpoint(at_)->schedule == Schedule::Memory)
    return refuse("the " + line + " can't be checkpointed: with MPI in it all ranks need one schedule, and how many snapshots fit differs",
                  "give a number, as in 'checkpoint(binomial, snapshots: 20)'");
  const bool goesOn = options_.annotations->checkpoint(at_)->restart != 0;
  Snapshot touched;
  if (goesOn && !findTouched(s, snapshot, touched)) return;
  const VarId checkpoint = declareCheckpoint(counted, snapshot.communicates, parts, ctx);
  Context inner = ctx;
  inner.joint = true;
  const Fence fence(serial_);
  Parts body = block(primal, inner);

  Block& forward = parts.fwd[ctx.depth];
  append(forward, registerParts(checkpoint, snapshot, false));
  if (goesOn) append(forward, restartInputs(checkpoint, touched));
  Stmt run = loop;
  Block& steps = counted ? std::get<For>(run.node).body : std::get<While>(run.node).body;
  steps = {add(Runtime{{"", ".step();"}, {var(checkpoint)}})};
  append(steps, copied(primal, false));
  forward.push_back(isBlock ? add(Scope{std::move(steps)}) : goesOn && counted ? resumedLoop(*counted, checkpoint, primal) : add(std::move(run.node)));
  if (goesOn) forward.push_back(add(Runtime{{"contraflow::sweepDone(", ");"}, {var(checkpoint)}}));
  forward.push_back(add(Runtime{{"", ".follow();"}, {var(checkpoint)}}));

  const VarId tape = ctx.tapes[ctx.depth];
  parts.rev.push_back(add(Runtime{{"", ".again();"}, {var(checkpoint)}}));
  append(parts.rev, registerParts(checkpoint, snapshot, true));
  if (goesOn) append(parts.rev, restartAdjoints(checkpoint, touched));
  parts.rev.push_back(add(Runtime{{"", ".atEnd(", ");"}, {var(checkpoint), var(tape)}}));
  if (!idle(body.rev)) {
    if (snapshot.unchecked.valid()) {
      at_ = snapshot.unchecked;
      return refuse("the " + line + " can't be checkpointed: a message without a derivative is sent or received in it, and nothing would notice if its partner isn't in the same step",
                    "send it in front of the loop, or use a collective routine");
    }
    Block recorded;
    if (snapshot.communicates) recorded.push_back(add(Runtime{{"contraflow::mpi::beginStep(", ");"}, {var(checkpoint)}}));
    append(recorded, copied(body.fwd[ctx.depth], true));
    if (snapshot.communicates) recorded.push_back(add(Runtime{{"contraflow::mpi::endStep();"}, {}}));
    append(recorded, body.rev);
    parts.rev.push_back(isBlock ? reversedBlock(checkpoint, std::move(recorded)) : reversedSteps(counted, primal, checkpoint, recorded));
  }
  parts.rev.push_back(add(Runtime{{"", ".atBegin(", ");"}, {var(checkpoint), var(tape)}}));
  parts.rev.push_back(add(TapeRelease{tape, checkpoint}));
}

// Where the annotation stands on a loop of another kind.
bool AdjointBuilder::refuseCheckpoint(StmtId loop, const std::string& why, const std::string& wayOut) {
  if (!isCheckpointed(loop)) return false;
  refuse("the loop of line " + std::to_string(f_[loop].loc.line) + " can't be checkpointed: " + why, wayOut);
  return true;
}

// The loops of worksharing and simd constructs, and what is in them.
bool AdjointBuilder::refuseCheckpointsIn(StmtId loop) {
  std::vector<StmtId> loops;
  walkStmt(f_, loop, [&](StmtId s) {
    if (std::holds_alternative<For>(f_[s].node) || std::holds_alternative<While>(f_[s].node)) loops.push_back(s);
  });
  for (StmtId s : loops)
    if (refuseCheckpoint(s, "its iterations, or those of a loop around it, are shared among threads or run together",
                         "put the annotation on a serial loop around it"))
      return true;
  return false;
}

}  // namespace contraflow::transform
