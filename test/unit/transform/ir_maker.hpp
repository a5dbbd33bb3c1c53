// Writes IR by hand, for tests of passes that need no parser.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/module.hpp"
#include "ir/printer.hpp"
#include "ir/verifier.hpp"

namespace contraflow::test {

struct IrMaker {
  ir::Module m;
  ir::Function f;
  ir::TypeId real, integer, boolean, pointer, constPointer, reference, none;

  IrMaker() {
    real = m.type(ir::RealType{ir::RealKind::Double});
    integer = m.type(ir::IntType{32, true, "int"});
    boolean = m.type(ir::BoolType{});
    none = m.type(ir::VoidType{});
    pointer = m.type(ir::PointerType{real});
    constPointer = m.type(ir::PointerType{m.type(ir::RealType{ir::RealKind::Double}, true)});
    reference = m.type(ir::ReferenceType{real});
    begin("f", real);
  }
  void begin(const std::string& name, ir::TypeId result) {
    f = {};
    f.name = f.key = name;
    f.hasBody = true;
    f.result = result;
  }
  ir::FuncId end(ir::Block body) {
    f.body = std::move(body);
    return m.addFunction(f);
  }
  ir::VarId param(const std::string& name, ir::TypeId t) {
    f.params.push_back(f.addVar({name, t, ir::VarKind::Parameter, false, false, {}}));
    return f.params.back();
  }
  ir::VarId local(const std::string& name, ir::TypeId t) { return f.addVar({name, t, ir::VarKind::Local, false, false, {}}); }

  ir::ExprId operator()(ir::VarId v) { return f.addExpr(ir::VarRef{v}, ir::withoutReference(m, f[v].type)); }
  ir::ExprId literal(const std::string& text, ir::TypeId t) { return f.addExpr(ir::Literal{text}, t); }
  ir::ExprId number(const std::string& text) { return literal(text, real); }
  ir::ExprId count(const std::string& text) { return literal(text, integer); }
  ir::ExprId op(ir::BinaryOp o, ir::ExprId a, ir::ExprId b) { return f.addExpr(ir::Binary{o, a, b}, f[a].type); }
  ir::ExprId less(ir::ExprId a, ir::ExprId b) { return f.addExpr(ir::Binary{ir::BinaryOp::Lt, a, b}, boolean); }
  ir::ExprId math(const std::string& name, std::vector<ir::ExprId> args) { return f.addExpr(ir::MathCall{name, args}, real); }
  ir::ExprId at(ir::VarId p, ir::ExprId i) { return f.addExpr(ir::Subscript{(*this)(p), i, false}, real); }

  ir::StmtId declare(ir::VarId v, ir::ExprId e) {
    return f.addStmt(ir::Declare{v, ir::Init::Value, {e}, ir::Storage::Automatic, {}});
  }
  ir::StmtId assign(ir::ExprId to, ir::ExprId e) { return f.addStmt(ir::Assign{to, e}); }
  ir::StmtId increment(ir::ExprId to, ir::ExprId e) { return f.addStmt(ir::Increment{to, e, false}); }
  ir::StmtId give(ir::ExprId e) { return f.addStmt(ir::Return{e}); }
  ir::StmtId branch(ir::ExprId c, ir::Block then, ir::Block otherwise = {}) {
    return f.addStmt(ir::If{c, std::move(then), std::move(otherwise)});
  }
  ir::StmtId loop(ir::VarId k, ir::ExprId n, ir::Block body) {
    return f.addStmt(ir::For{k, count("0"), ir::BinaryOp::Lt, n, count("1"), std::move(body)});
  }
  ir::StmtId jump(ir::StmtNode node) { return f.addStmt(std::move(node)); }

  std::string text(ir::FuncId id) const { return ir::print(m, m[id]); }
};

}  // namespace contraflow::test
