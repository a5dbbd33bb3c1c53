#include "driver/emission.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "emit/emit.hpp"
#include "ir/check.hpp"
#include "ir/walk.hpp"
#include "llvm/Support/Path.h"

namespace contraflow::driver {
namespace {

// What a function names of others.
struct Mentions {
  std::set<ir::FuncId> functions;
  std::set<ir::GlobalId> globals;
  bool usesMpi = false, usesFiles = false, usesRestart = false;
};

Mentions mentionsOf(const ir::Function& f) {
  Mentions result;
  ir::walkStmts(f, f.body, [&](ir::StmtId id) {
    if (const auto* call = std::get_if<ir::Call>(&f[id].node)) result.functions.insert(call->callee);
    if (std::holds_alternative<ir::Mpi>(f[id].node)) result.usesMpi = true;
    if (const auto* r = std::get_if<ir::Runtime>(&f[id].node)) {
      result.usesFiles |= r->pieces.front() == "contraflow::keepInFiles(";
      result.usesRestart |= r->pieces.front() == "contraflow::goOnFrom(";
    }
    ir::forEachExprOfStmt(f[id], [&](ir::ExprId e) {
      ir::walkExpr(f, e, [&](ir::ExprId part) {
        if (const auto* global = std::get_if<ir::GlobalRef>(&f[part].node)) result.globals.insert(global->global);
      });
    });
  });
  return result;
}

std::uint32_t inputFile(const ir::Module& module, const std::string& path) {
  for (std::uint32_t k = 0; k < module.files.size(); ++k)
    if (module.files[k].isInput && module.files[k].path == path) return k;
  ir::internalError("emit", path, "the source isn't among the module's files");
}

// The file that a shadow is defined in: its primal's, or the first input that uses it where that is a header.
std::uint32_t homeOf(const ir::Module& module, ir::GlobalId shadow, const std::vector<ir::FuncId>& functions) {
  const std::uint32_t file = module[shadow].file;
  if (module.files[file].isInput) return file;
  for (ir::FuncId f : functions)
    if (mentionsOf(module[f]).globals.count(shadow)) return module[f].file;
  return file;
}

// A file's name without folders and ending, as part of an identifier.
std::string stemOf(const std::string& path) {
  std::string stem = path.substr(path.find_last_of('/') + 1);
  stem = stem.substr(0, stem.find('.'));
  for (char& c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return stem;
}

// Lets other files see a shadow of a static, or of what stands in an unnamed namespace, under a name of its own.
void expose(ir::Module& module, ir::GlobalId id, std::uint32_t home) {
  ir::Global& shadow = module[id];
  shadow.linkage = ir::Linkage::External;
  shadow.namespaces.erase(std::remove(shadow.namespaces.begin(), shadow.namespaces.end(), ""), shadow.namespaces.end());
  for (std::size_t k = 0; k < module.globals.size(); ++k)
    if (k != id.index() && module.globals[k].name == shadow.name) {
      shadow.name += "_" + stemOf(module.files[home].path);
      return;
    }
}

emit::EmitUnit unitOf(const ir::Module& module, const Derivatives& derivatives, std::uint32_t file, emit::EmitOptions& options) {
  emit::EmitUnit unit;
  unit.file = file;
  std::set<ir::FuncId> called;
  std::set<ir::GlobalId> used;
  for (ir::FuncId f : derivatives.functions) {
    if (module[f].file != file) continue;
    unit.functions.push_back(f);
    const Mentions mentions = mentionsOf(module[f]);
    called.insert(mentions.functions.begin(), mentions.functions.end());
    used.insert(mentions.globals.begin(), mentions.globals.end());
    options.usesMpi |= mentions.usesMpi;
    options.usesFiles |= mentions.usesFiles;
    options.usesRestart |= mentions.usesRestart;
  }
  for (ir::FuncId f : derivatives.functions)
    if (module[f].file != file && called.count(f)) unit.external.push_back(f);
  for (ir::FuncId f : derivatives.exported)
    if (module[f].file == file) unit.exported.push_back(f);
  for (ir::GlobalId g : derivatives.shadows) {
    if (homeOf(module, g, derivatives.functions) == file)
      unit.globals.push_back(g);
    else if (used.count(g))
      unit.externalGlobals.push_back(g);
  }
  return unit;
}

}  // namespace

void settleLinkage(ir::Module& module, const Derivatives& derivatives) {
  for (ir::FuncId f : derivatives.functions) {
    const Mentions mentions = mentionsOf(module[f]);
    for (ir::FuncId callee : mentions.functions)
      if (module[callee].kind != ir::FunctionKind::Primal && module[callee].file != module[f].file)
        module[callee].linkage = ir::Linkage::External;
    for (ir::GlobalId g : mentions.globals) {
      if (!module[g].isShadow || module[g].linkage != ir::Linkage::Internal) continue;
      const std::uint32_t home = homeOf(module, g, derivatives.functions);
      if (home != module[f].file) expose(module, g, home);
    }
  }
}

std::vector<TextFile> emitFiles(const ir::Module& module, const Derivatives& derivatives, const std::vector<std::string>& sources,
                                const std::vector<OutputPaths>& paths) {
  std::vector<TextFile> result;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    emit::EmitOptions options;
    const emit::EmitUnit unit = unitOf(module, derivatives, inputFile(module, sources[k]), options);
    options.audit = derivatives.audited;
    options.trace = derivatives.traced;
    options.headerName = llvm::sys::path::filename(paths[k].header).str();
    const std::string folder = llvm::sys::path::parent_path(sources[k]).str();
    options.sourceFolder = folder.empty() ? std::string(".") : folder;
    const emit::OutputText text = emit::emitUnit(module, unit, options);
    result.push_back({paths[k].source, text.source});
    result.push_back({paths[k].header, text.header});
  }
  return result;
}

}  // namespace contraflow::driver
