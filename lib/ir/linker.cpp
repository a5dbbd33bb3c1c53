#include "ir/linker.hpp"

#include <map>
#include <set>

#include "ir/printer.hpp"
#include "ir/walk.hpp"

namespace contraflow::ir {
namespace {


// What the ids of one part have become in the linked module.
struct Renaming {
  std::vector<std::uint32_t> files;
  std::vector<TypeId> types;
  std::vector<RecordId> records;
  std::vector<GlobalId> globals;
  std::vector<FuncId> functions;

  template <class Tag>
  static Id<Tag> in(const std::vector<Id<Tag>>& map, Id<Tag> id) {
    return id.valid() ? map[id.index()] : id;
  }
  TypeId operator()(TypeId id) const { return in(types, id); }
  RecordId operator()(RecordId id) const { return in(records, id); }
  GlobalId operator()(GlobalId id) const { return in(globals, id); }
  FuncId operator()(FuncId id) const { return in(functions, id); }
  std::uint32_t file(std::uint32_t index) const { return index < files.size() ? files[index] : index; }
  SourceLoc operator()(SourceLoc loc) const {
    if (loc.valid()) loc.file = file(loc.file);
    return loc;
  }
};

void rename(Function& f, const Renaming& to) {
  f.primal = to(f.primal);
  f.file = to.file(f.file);
  f.loc = to(f.loc);
  f.result = to(f.result);
  for (Var& v : f.vars) {
    v.type = to(v.type);
    v.loc = to(v.loc);
  }
  for (Expr& e : f.exprs) {
    e.type = to(e.type);
    e.loc = to(e.loc);
    if (auto* global = std::get_if<GlobalRef>(&e.node)) global->global = to(global->global);
  }
  for (Stmt& s : f.stmts) {
    s.loc = to(s.loc);
    if (auto* call = std::get_if<Call>(&s.node)) call->callee = to(call->callee);
  }
}

class Linker {
 public:
  Linker(Module& out, std::vector<std::string>& errors) : out_(out), errors_(errors) {}

  // Each step goes over all parts before the next begins, so that ids of functions exist before bodies name them.
  bool run(std::vector<Module>& parts) {
    const std::size_t before = errors_.size();
    std::vector<Renaming> renamings(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      files(parts[i], renamings[i]);
      recordNames(parts[i], renamings[i]);
      types(parts[i], renamings[i]);
      recordFields(parts[i], renamings[i]);
      globals(parts[i], renamings[i]);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) functionNames(parts[i], renamings[i]);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      functionBodies(parts[i], renamings[i]);
      heads(parts[i], renamings[i]);
      for (std::string& file : parts[i].dependencies)
        if (dependencies_.insert(file).second) out_.dependencies.push_back(std::move(file));
    }
    return errors_.size() == before;
  }

 private:
  std::string pathOf(std::uint32_t file) const { return file < out_.files.size() ? out_.files[file].path : "?"; }

  void files(Module& part, Renaming& to) {
    for (SourceFile& file : part.files) {
      const auto [at, fresh] = files_.try_emplace(file.path, static_cast<std::uint32_t>(out_.files.size()));
      to.files.push_back(at->second);
      if (fresh)
        out_.files.push_back(std::move(file));
      else if (file.isInput && !out_.files[at->second].isInput)
        out_.files[at->second] = std::move(file);
      else if (out_.files[at->second].text.empty())
        out_.files[at->second].text = std::move(file.text);
    }
  }

  void recordNames(const Module& part, Renaming& to) {
    for (const Record& r : part.records) {
      const auto [at, fresh] = records_.try_emplace({r.name, r.inMainFile ? r.file : ""}, out_.records.size());
      to.records.push_back(RecordId(static_cast<std::uint32_t>(at->second)));
      if (fresh) {
        out_.records.emplace_back();
        out_.records.back().name = r.name;
      }
    }
  }

  void types(const Module& part, Renaming& to) {
    to.types.assign(part.types.size(), TypeId());
    for (std::uint32_t i = 0; i < part.types.size(); ++i) type(part, TypeId(i), to);
  }
  TypeId type(const Module& part, TypeId id, Renaming& to) {
    if (!id.valid() || to.types[id.index()].valid()) return to(id);
    const auto inner = [&](TypeId t) { return type(part, t, to); };
    TypeNode node = match(
        part[id].node, [](const VoidType& t) -> TypeNode { return t; }, [](const BoolType& t) -> TypeNode { return t; },
        [](const IntType& t) -> TypeNode { return t; }, [](const RealType& t) -> TypeNode { return t; },
        [&](const EnumType& t) -> TypeNode { return EnumType{t.spelling, inner(t.underlying)}; },
        [&](const PointerType& t) -> TypeNode { return PointerType{inner(t.pointee)}; },
        [&](const ReferenceType& t) -> TypeNode { return ReferenceType{inner(t.pointee), t.isRvalue}; },
        [&](const ArrayType& t) -> TypeNode { return ArrayType{inner(t.element), t.extent}; },
        [&](const RecordType& t) -> TypeNode { return RecordType{to(t.record)}; },
        [&](const ContainerType& t) -> TypeNode { return ContainerType{t.kind, inner(t.element), t.extent}; },
        [](const SelectorType& t) -> TypeNode { return t; },
        [](const MpiHandleType& t) -> TypeNode { return t; }, [](const TapeType& t) -> TypeNode { return t; },
        [](const OpaqueType& t) -> TypeNode { return t; });
    return to.types[id.index()] = out_.type(std::move(node), part[id].isConst);
  }

  void recordFields(Module& part, const Renaming& to) {
    for (std::size_t i = 0; i < part.records.size(); ++i) {
      Record& mine = part.records[i];
      for (Field& f : mine.fields) f.type = to(f.type);
      if (mine.base.valid()) mine.base = to(mine.base);
      Record& linked = out_[to.records[i]];
      // An incomplete type has no fields yet; the first complete declaration fills it in.
      if (linked.fields.empty())
        linked = std::move(mine);
      else if (!mine.fields.empty() && !sameFields(linked, mine))
        errors_.push_back("the type '" + linked.name + "' has other members in '" + mine.file + "' than in '" + linked.file + "'");
    }
  }
  static bool sameFields(const Record& a, const Record& b) {
    if (a.fields.size() != b.fields.size()) return false;
    for (std::size_t i = 0; i < a.fields.size(); ++i)
      if (a.fields[i].name != b.fields[i].name || a.fields[i].type != b.fields[i].type) return false;
    return true;
  }

  bool definedInInput(const Global& g) const {
    return g.loc.valid() && g.loc.file < out_.files.size() && out_.files[g.loc.file].isInput;
  }

  void globals(Module& part, Renaming& to) {
    for (Global& g : part.globals) {
      g.type = to(g.type);
      g.file = to.file(g.file);
      g.loc = to(g.loc);
      const auto known = g.key.empty() ? globals_.end() : globals_.find(g.key);
      if (known == globals_.end()) {
        const std::string key = g.key;
        to.globals.push_back(out_.addGlobal(std::move(g)));
        if (!key.empty()) globals_[key] = to.globals.back();
        continue;
      }
      to.globals.push_back(known->second);
      Global& linked = out_[known->second];
      const bool constant = linked.isConstant || g.isConstant;
      if (!definedInInput(linked) && definedInInput(g)) linked = std::move(g);
      linked.isConstant = constant;
    }
  }

  // Gives each function its id; which body wins is decided by functionBodies.
  void functionNames(const Module& part, Renaming& to) {
    for (const Function& f : part.functions) {
      if (!f.key.empty()) {
        const auto known = functions_.find(f.key);
        if (known != functions_.end()) {
          to.functions.push_back(known->second);
          continue;
        }
      }
      to.functions.push_back(FuncId(static_cast<std::uint32_t>(out_.functions.size())));
      out_.functions.emplace_back();
      filled_.push_back(false);
      if (!f.key.empty()) functions_[f.key] = to.functions.back();
    }
  }

  void functionBodies(Module& part, const Renaming& to) {
    for (std::size_t i = 0; i < part.functions.size(); ++i) {
      Function& mine = part.functions[i];
      rename(mine, to);
      const std::uint32_t at = to.functions[i].index();
      Function& linked = out_.functions[at];
      if (!filled_[at] || (mine.hasBody && !linked.hasBody)) {
        linked = std::move(mine);
        filled_[at] = true;
      } else if (mine.hasBody && mine.linkage == Linkage::External && mine.loc.file != linked.loc.file) {
        errors_.push_back("'" + qualifiedName(mine) + "' is defined in '" + pathOf(linked.loc.file) + "' and in '" +
                          pathOf(mine.loc.file) + "'");
      }
    }
  }

  void heads(Module& part, const Renaming& to) {
    for (Head& h : part.heads) {
      h.function = to(h.function);
      h.loc = to(h.loc);
      for (auto* names : {&h.independents, &h.dependents})
        for (HeadName& n : *names) n.global = to(n.global);
      bool known = false;
      for (const Head& other : out_.heads)
        known = known || (other.mode == h.mode && other.function == h.function && other.ofDerivative == h.ofDerivative &&
                          print(out_, other) == print(out_, h));
      if (!known) out_.heads.push_back(std::move(h));
    }
  }

  Module& out_;
  std::vector<std::string>& errors_;
  std::map<std::string, std::uint32_t> files_;
  std::map<std::pair<std::string, std::string>, std::size_t> records_;
  std::map<std::string, GlobalId> globals_;
  std::map<std::string, FuncId> functions_;
  std::vector<bool> filled_;
  std::set<std::string> dependencies_;
};

}  // namespace

bool link(std::vector<Module>&& parts, Module& out, std::vector<std::string>& errors) { return Linker(out, errors).run(parts); }

}  // namespace contraflow::ir
