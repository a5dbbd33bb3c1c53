// for (T x : range) over arrays, containers, lists, and classes with begin() and end().
#include "frontend/lowering.hpp"

namespace contraflow::frontend {

using namespace clang;
using ir::ExprId;
using ir::TypeId;

// for (T x : range): an index loop over an array, a container, or what lies between two pointers.
void FunctionLowering::lowerRangeFor(const CXXForRangeStmt* s) {
  const SourceLocation at = s->getForLoc();
  const VarDecl* variable = s->getLoopVariable();
  // Over what a class gives out by iterators of the source's own: the loop that the standard says a range-for is, with calls of their
  // operators.
  //     for (T x : range) …   →   auto x_it = range.begin(), x_end = range.end();  while (x_it != x_end) { T x = *x_it; …; ++x_it; }
  const auto lowerByIterators = [&] {
    const std::string name = variable->getName().empty() ? "parts" : variable->getNameAsString();
    const auto declare = [&](const DeclStmt* of, const std::string& suffix) {
      auto* decl = const_cast<VarDecl*>(cast<VarDecl>(of->getSingleDecl()));
      decl->setDeclName(&ast().Idents.get(name + suffix));  // Clang's names are reserved ones
      lowerVarDecl(decl);
    };
    declare(s->getBeginStmt(), "_it");
    declare(s->getEndStmt(), "_end");
    ir::While loop;
    {
      InBlock test(*this, loop.test);
      const std::size_t before = cleanups_.size();
      loop.condition = lowerCondition(s->getCond());
      if (cleanups_.size() > before) loop.condition = spill(loop.condition, "goes_on", at);
      endScope(before, at);
    }
    {
      InBlock body(*this, loop.body);
      BindingScope bindings(*this);
      const std::size_t outside = cleanups_.size();
      loops_.push_back({s->getInc(), true});  // the variable's destructor runs in front of the step, also at a `continue`
      loops_.back().cleanups = outside;
      lowerVarDecl(variable);
      bindElements(variable);
      append(lowerBlock(s->getBody()));
      endScope(outside, at);
      loops_.pop_back();
      lowerDiscarded(s->getInc());
    }
    emit(std::move(loop), at);
  };
  ir::Scope scope;
  const auto lower = [&] {
    InBlock in(*this, scope.body);
    BindingScope bindings(*this);
    const std::size_t outside = cleanups_.size();
    if (s->getInit()) lowerStmt(s->getInit());
    ExprId range;
    if (const auto* listed = dyn_cast<CXXStdInitializerListExpr>(initialiserOf(s->getRangeInit(), true))) {
      const Expr* values = initialiserOf(listed->getSubExpr(), true);
      const ir::VarId list = addVariable(variable->getNameAsString() + "_values", lowerType(values->getType(), at), at, true);
      initialise(list, values, at);
      range = varRef(list, at);
    } else {
      range = lowerPlace(s->getRangeInit());
    }
    const TypeId rangeType = typeOf(range);
    const auto* array = ir::as<ir::ArrayType>(module(), rangeType);
    const auto* container = ir::as<ir::ContainerType>(module(), rangeType);
    const bool isClass = ir::as<ir::RecordType>(module(), rangeType) || inParts(range);
    if (!array && !container && !isClass) {
      reject(DiagId::UnsupportedStatement, at, {"a loop over a '" + ir::spell(module(), rangeType) + "'", "loop over an array, std::vector or std::array"});
      return;
    }
    TypeId element = array ? array->element : container ? container->element : lowerType(s->getLoopVariable()->getInit()->getType(), at);
    if (container && module()[rangeType].isConst) {
      ir::TypeNode node = module()[element].node;
      element = module().type(std::move(node), true);
    }
    const auto isFixed = [&](const auto& self, ExprId e) -> bool {
      const ir::ExprNode& node = function()[e].node;
      if (const auto* f = std::get_if<ir::FieldRef>(&node)) return self(self, f->base);
      return std::holds_alternative<ir::VarRef>(node) || std::holds_alternative<ir::GlobalRef>(node);
    };
    if (!isFixed(isFixed, range)) {
      // Evaluated once.
      const ir::VarId once = addVariable(variable->getNameAsString() + "_range", module().type(ir::ReferenceType{rangeType}), at, true);
      emit(ir::Declare{once, ir::Init::Bind, {range}, ir::Storage::Automatic, {}}, at);
      range = varRef(once, at);
    }
    const std::string name = variable->getName().empty() ? "parts" : variable->getNameAsString();
    Range between;
    if (isClass) {
      substitutions_[cast<VarDecl>(s->getRangeStmt()->getSingleDecl())->getCanonicalDecl()] = range;
      const auto* begin = cast<VarDecl>(s->getBeginStmt()->getSingleDecl());
      if (!begin->getType()->isPointerType() && !isIterator(begin->getType())) {
        lowerByIterators();
        return endScope(outside, at);
      }
      between = heldRange(begin->getInit(), cast<VarDecl>(s->getEndStmt()->getSingleDecl())->getInit(), at);
    }
    ir::For loop;
    loop.counter = addVariable(name + "_index", sizeType(), at, true);
    loop.init = convert(literal("0", intType(), at), sizeType(), at);
    loop.compare = ir::BinaryOp::Lt;
    array = ir::as<ir::ArrayType>(module(), rangeType);
    loop.bound = isClass ? convert(clone(between.count), sizeType(), at)
                 : array ? convert(literal(std::to_string(array->extent), intType(), at), sizeType(), at)
                         : expr(ir::SizeOf{clone(range)}, sizeType(), at);
    loop.step = convert(literal("1", intType(), at), sizeType(), at);
    {
      InBlock body(*this, loop.body);
      const ExprId place = isClass ? itemOf(between, varRef(loop.counter, at), at)
                                   : expr(ir::Subscript{clone(range), varRef(loop.counter, at), false}, element, at);
      if (isClass) element = typeOf(place);
      const SourceLocation where = variable->getLocation();
      const ir::VarId var = addVariable(name, lowerType(variable->getType(), where), where);
      const bool isReference = variable->getType()->isReferenceType();
      const TypeId held = ir::withoutConst(module(), ir::withoutReference(module(), function()[var].type));
      if (isReference && held == ir::withoutConst(module(), element)) {
        emit(ir::Declare{var, ir::Init::Bind, {place}, ir::Storage::Automatic, {}}, where);
      } else {
        // A copy; also a const reference to a converted element.
        function()[var].type = ir::withoutReference(module(), function()[var].type);
        const bool scalar = !ir::as<ir::RecordType>(module(), held) && !ir::as<ir::ContainerType>(module(), held);
        emit(ir::Declare{var, ir::as<ir::ContainerType>(module(), held) ? ir::Init::Construct : ir::Init::Value,
                         {scalar ? convert(place, held, where) : place}, ir::Storage::Automatic, {}},
             where);
      }
      bind(variable, var);
      bindElements(variable);
      append(lowerLoopBody(s->getBody(), {}));
    }
    emit(std::move(loop), at);
    endScope(outside, at);
  };
  lower();
  if (scope.body.size() == 1) append(scope.body);
  else emit(std::move(scope), at);
}

}  // namespace contraflow::frontend
