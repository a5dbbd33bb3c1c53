// Access to private members. Derivatives are free functions; what names a private member of a class in an explicit instantiation is
// exempt from access checks, which is standard C++ and needs no change of the class:
//
//     template <class Tag, auto Member>
//     struct Grant { friend constexpr auto memberOf(Tag) { return Member; } };
//     struct DomainX { friend constexpr auto memberOf(DomainX); };
//     template struct Grant<DomainX, &Domain::x_>;
#include <cctype>
#include <set>

#include "emit/expr_writer.hpp"
#include "emit/stmt_writer.hpp"
#include "ir/walk.hpp"

namespace contraflow::emit {

using namespace ir;

std::string accessName(const Module& m, RecordId record, unsigned field) {
  std::string out;
  for (const char c : m[record].name + "_" + m[record].fields[field].name) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (fits || (!out.empty() && out.back() != '_')) out += fits ? c : '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return "access_" + out;
}

std::string accessFunctions(const Module& m, const std::vector<FuncId>& functions, const std::vector<RecordId>& zeroed) {
  std::set<std::pair<RecordId, unsigned>> used;
  for (FuncId id : functions)
    walkExprs(m[id], m[id].body, [&](ExprId e) {
      const auto* field = std::get_if<FieldRef>(&m[id][e].node);
      const auto* record = field ? as<RecordType>(m, m[id][field->base].type) : nullptr;
      if (record && m[record->record].fields[field->field].isPrivate) used.insert({record->record, field->field});
    });
  for (RecordId r : zeroed)
    for (unsigned k = 0; k < m[r].fields.size(); ++k)
      if (m[r].fields[k].isPrivate && holdsReal(m, m[r].fields[k].type)) used.insert({r, k});
  if (used.empty()) return "";
  std::string out = "namespace {\n\n// Private members, by what an explicit instantiation may name.\n"
                    "template <class Tag, auto Member>\nstruct Grant {\n  friend constexpr auto memberOf(Tag) { return Member; }\n};\n\n";
  for (const auto& [record, k] : used) {
    const std::string name = accessName(m, record, k), tag = name + "_tag";
    out += "struct " + tag + " {\n  friend constexpr auto memberOf(" + tag + ");\n};\n";
    out += "template struct Grant<" + tag + ", &" + (m[record].fields[k].owner.empty() ? m[record].name : m[record].fields[k].owner) + "::" + m[record].fields[k].name + ">;\n";
    const bool isMutable = m[record].fields[k].isMutable;
    const std::string object = isMutable ? "const_cast<" + m[record].name + " &>(object)" : "object";
    out += "template <class Object>\nauto &" + name + "(Object &object) {\n  return " + object + ".*memberOf(" + tag + "());\n}\n\n";
  }
  return out + "}  // namespace\n\n";
}

}  // namespace contraflow::emit
