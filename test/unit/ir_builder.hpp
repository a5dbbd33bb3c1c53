// Makes small functions by hand, for tests of the phases behind the frontend.
#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace contraflow::test {

using namespace contraflow::ir;

struct Builder {
  Module m;
  Function f;

  TypeId Void = m.type(VoidType{}), Bool = m.type(BoolType{});
  TypeId Int = m.type(IntType{32, true, "int"}), Long = m.type(IntType{64, true, "long"});
  TypeId Unsigned = m.type(IntType{32, false, "unsigned int"}), Size = m.type(IntType{64, false, "std::size_t"});
  TypeId Float = m.type(RealType{RealKind::Float}), Double = m.type(RealType{RealKind::Double});
  TypeId Tape = m.type(TapeType{});

  explicit Builder(const std::string& name = "f") {
    f.name = f.key = name;
    f.result = Void;
    f.hasBody = true;
  }

  // --- types
  TypeId constant(TypeId t) { return m.type(TypeNode(m[t].node), true); }
  TypeId pointer(TypeId t) { return m.type(PointerType{t}); }
  TypeId reference(TypeId t) { return m.type(ReferenceType{t}); }
  TypeId array(TypeId t, std::uint64_t n) { return m.type(ArrayType{t, n}); }
  TypeId vector(TypeId t) { return m.type(ContainerType{ContainerKind::Vector, t}); }
  TypeId record(const std::string& name, std::vector<Field> fields) {
    Record r;
    r.name = name;
    r.fields = std::move(fields);
    m.records.push_back(r);
    return m.type(RecordType{RecordId(static_cast<std::uint32_t>(m.records.size() - 1))});
  }

  // --- variables and expressions
  VarId param(const std::string& name, TypeId t) {
    Var v;
    v.name = name;
    v.type = t;
    v.kind = VarKind::Parameter;
    f.params.push_back(f.addVar(v));
    return f.params.back();
  }
  VarId local(const std::string& name, TypeId t) {
    Var v;
    v.name = name;
    v.type = t;
    return f.addVar(v);
  }
  ExprId ref(VarId v) { return f.addExpr(VarRef{v}, withoutReference(m, f[v].type)); }
  ExprId number(const std::string& text, TypeId t) { return f.addExpr(Literal{text}, t); }
  ExprId real(const std::string& text) { return number(text, Double); }
  ExprId integer(const std::string& text) { return number(text, Int); }
  ExprId binary(BinaryOp op, ExprId a, ExprId b) {
    const bool isBool = op >= BinaryOp::Lt;
    return f.addExpr(Binary{op, a, b}, isBool ? Bool : f[a].type);
  }
  ExprId add(ExprId a, ExprId b) { return binary(BinaryOp::Add, a, b); }
  ExprId sub(ExprId a, ExprId b) { return binary(BinaryOp::Sub, a, b); }
  ExprId mul(ExprId a, ExprId b) { return binary(BinaryOp::Mul, a, b); }
  ExprId div(ExprId a, ExprId b) { return binary(BinaryOp::Div, a, b); }
  ExprId minus(ExprId a) { return f.addExpr(Unary{UnaryOp::Minus, a}, f[a].type); }
  ExprId implicit(TypeId t, ExprId a) { return f.addExpr(Cast{a, false}, t); }
  ExprId cast(TypeId t, ExprId a) { return f.addExpr(Cast{a, true}, t); }
  ExprId at(ExprId base, ExprId index) {
    const TypeId t = f[base].type;
    TypeId element = Double;
    if (const auto* p = as<PointerType>(m, t)) element = p->pointee;
    if (const auto* a = as<ArrayType>(m, t)) element = a->element;
    if (const auto* c = as<ContainerType>(m, t)) element = c->element;
    return f.addExpr(Subscript{base, index}, element);
  }
  ExprId deref(ExprId p) { return f.addExpr(Deref{p}, as<PointerType>(m, f[p].type)->pointee); }
  ExprId addressOf(ExprId place) { return f.addExpr(AddressOf{place}, pointer(f[place].type)); }
  ExprId field(ExprId base, unsigned n) {
    return f.addExpr(FieldRef{base, n}, m[as<RecordType>(m, f[base].type)->record].fields[n].type);
  }

  // --- statements
  StmtId stmt(StmtNode node) { return f.addStmt(std::move(node)); }
  StmtId declare(VarId v, ExprId value) { return stmt(Declare{v, Init::Value, {value}, Storage::Automatic, {}}); }
  StmtId declare(VarId v, Init init, std::vector<ExprId> args = {}) { return stmt(Declare{v, init, args, Storage::Automatic, {}}); }
  StmtId assign(ExprId target, ExprId value) { return stmt(Assign{target, value}); }
  StmtId increment(ExprId target, ExprId value) { return stmt(Increment{target, value}); }
  StmtId loop(VarId i, ExprId bound, Block body) {
    return stmt(For{i, integer("0"), BinaryOp::Lt, bound, integer("1"), std::move(body)});
  }
  void body(Block statements) { f.body.insert(f.body.end(), statements.begin(), statements.end()); }

  FuncId finish() { return m.addFunction(f); }
};

}  // namespace contraflow::test
