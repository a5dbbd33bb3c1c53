#include "driver/check_objects.hpp"

#include <algorithm>

namespace contraflow::driver {

using namespace ir;

namespace {

// Numbers are made up for reals alone.
bool isAllReal(const Module& m, TypeId type) {
  if (isReal(m, type)) return true;
  if (const auto* a = as<ArrayType>(m, type)) return isAllReal(m, a->element);
  if (const auto* c = as<ContainerType>(m, type)) return c->kind == ContainerKind::StdArray && isAllReal(m, c->element);
  const auto* r = as<RecordType>(m, type);
  if (!r) return false;
  const Record& record = m[r->record];
  return !record.fields.empty() && (record.isComplex || record.isDefaultConstructible) &&
         std::all_of(record.fields.begin(), record.fields.end(), [&](const Field& f) { return isAllReal(m, f.type); });
}

// The C++ spelling for an element: const belongs to what the pointer promises, not to the object.
std::string spelled(Module& m, TypeId type) { return spell(m, withoutConst(m, type)); }

// An array's constness is its elements'.
TypeId mutableType(Module& m, TypeId type) {
  type = withoutConst(m, type);
  const auto* a = as<ArrayType>(m, type);
  if (!a) return type;
  const std::uint64_t extent = a->extent;
  const TypeId element = mutableType(m, a->element);
  return m.type(ArrayType{element, extent});
}

std::string say(const std::string& text) { return "say it with --check-arg '" + text + "'"; }

class ObjectMaker {
 public:
  ObjectMaker(Module& m, const std::string& name, const CheckArgument* argument, std::vector<CheckFault>& faults)
      : m_(m), name_(name), size_(argument ? argument->size : ""), value_(argument ? argument->value : ""), faults_(faults) {
    object_.name = name;
  }

  CheckObject make(TypeId type) {
    type = mutableType(m_, withoutReference(m_, type));
    if (const auto* p = as<PointerType>(m_, type); p && (!size_.empty() || value_.empty()))
      pointer(p->pointee);
    else if (const auto* c = as<ContainerType>(m_, type); c && c->kind == ContainerKind::Vector && (!size_.empty() || value_.empty()))
      elements(type, c->element);
    else if (!size_.empty())
      fault("'" + name_ + "' is neither a pointer nor a std::vector, and has no size", say(name_ + " = …"));
    else
      single(type);
    return object_;
  }

 private:
  void fault(const std::string& why, const std::string& wayOut) { faults_.push_back({why, wayOut}); }

  void pointer(TypeId element) {
    if (as<VoidType>(m_, element) || as<BoolType>(m_, element) || as<PointerType>(m_, element))
      return fault("no array of '" + spelled(m_, element) + "' can be made for '" + name_ + "'",
                   "call the function from one with plain parameters, and name that in the head");
    object_.isPointer = true;
    elements({}, element);
  }

  // std::vector<element>; `type` is its own type where the parameter has it.
  void elements(TypeId type, TypeId element) {
    if (size_.empty())
      return fault("it isn't known how many elements '" + name_ + "' has", say(name_ + "[…]"));
    const std::string vector = type.valid() ? spelled(m_, type) : "std::vector<" + spelled(m_, element) + ">";
    object_.declaration = vector + " " + name_ + " = ";
    if (!value_.empty()) {
      object_.declaration += "contraflow::check::elements<" + spelled(m_, element) + ">(" + size_ + ", [&]([[maybe_unused]] long i) -> " +
                             spelled(m_, element) + " { return " + value_ + "; });";
      return;
    }
    if (!isAllReal(m_, element))
      return fault("the elements of '" + name_ + "' aren't all reals, and have no values", say(name_ + "[" + size_ + "] = …"));
    object_.declaration += vector + "(static_cast<std::size_t>(" + size_ + "));";
    object_.isFilled = true;
  }

  void single(TypeId type) {
    object_.declaration = spell(m_, type, name_);
    const auto* handle = as<MpiHandleType>(m_, type);
    if (!value_.empty())
      object_.declaration += " = " + value_ + ";";
    else if (isReal(m_, type))
      object_.declaration += " = contraflow::check::value<" + spell(m_, type) + ">(\"" + name_ + "\");";
    else if (handle && handle->kind == MpiHandle::Comm)
      object_.declaration += " = MPI_COMM_WORLD;";
    else if (isAllReal(m_, type)) {
      object_.declaration += "{};";
      object_.isFilled = true;
    } else
      fault("'" + name_ + "' has no value", say(name_ + " = …"));
  }

  Module& m_;
  const std::string name_, size_, value_;
  std::vector<CheckFault>& faults_;
  CheckObject object_;
};

}  // namespace

CheckObject checkObject(Module& m, TypeId type, const std::string& name, const CheckArgument* argument,
                        std::vector<CheckFault>& faults) {
  return ObjectMaker(m, name, argument, faults).make(type);
}

void checkReach(const Module& m, TypeId type, const std::string& what, std::vector<RecordId>& records,
                std::vector<CheckFault>& faults) {
  const std::string wayOut = "call the function from one whose real parameters are plain numbers, arrays, vectors or open structs, and name that in the head";
  if (const auto* a = as<ArrayType>(m, type)) return checkReach(m, a->element, what, records, faults);
  if (const auto* c = as<ContainerType>(m, type)) return checkReach(m, c->element, what, records, faults);
  const auto* r = as<RecordType>(m, type);
  if (!r) {
    if ((as<PointerType>(m, type) || as<ReferenceType>(m, type)) && reachesReal(m, type))
      faults.push_back({"the check doesn't see the reals behind the pointer or reference '" + what + "'", wayOut});
    return;
  }
  const Record& record = m[r->record];
  if (record.isComplex || std::find(records.begin(), records.end(), r->record) != records.end()) return;
  records.push_back(r->record);
  for (const Field& field : record.fields) {
    if (!reachesReal(m, field.type)) continue;
    if (field.isPrivate || m[field.type].isConst)
      faults.push_back({"the check can't write the " + std::string(field.isPrivate ? "private" : "const") + " member '" + what + "." + field.name + "'", wayOut});
    else
      checkReach(m, field.type, what + "." + field.name, records, faults);
  }
}

void checkVisible(const Module& m, TypeId type, const std::string& what, std::vector<CheckFault>& faults) {
  if (const auto* p = as<PointerType>(m, type)) return checkVisible(m, p->pointee, what, faults);
  if (const auto* p = as<ReferenceType>(m, type)) return checkVisible(m, p->pointee, what, faults);
  if (const auto* a = as<ArrayType>(m, type)) return checkVisible(m, a->element, what, faults);
  if (const auto* c = as<ContainerType>(m, type)) return checkVisible(m, c->element, what, faults);
  const auto* r = as<RecordType>(m, type);
  if (r && m[r->record].inMainFile && !m[r->record].isComplex)
    faults.push_back({"the type '" + m[r->record].name + "' of '" + what + "' is defined in the source, where the check doesn't see it",
                      "define it in a header that the source includes"});
}

std::string realsOf(const Module& m, RecordId id) {
  const Record& record = m[id];
  std::string text = "template <>\nstruct Reals<::" + record.name + "> {\ntemplate <class X, class Visit>\nstatic void visit(X &x, Visit &visit) {\n";
  for (const Field& field : record.fields)
    if (holdsReal(m, field.type)) text += "forEachReal(x." + field.name + ", visit);\n";
  return text + "}\n};\n";
}

}  // namespace contraflow::driver
