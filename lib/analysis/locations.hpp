// Abstract memory: a forest of locations. A root is a variable (all its activations together), a global, what an allocation makes
// (all that it ever makes together), the value that a function returns, or an *external* object: what a pointer held when a head was entered. Below are fields, and one location for all elements
// of an array. A vector has two parts: its header (size and address) and its buffer, which stands for all elements. A piece is what a
// `__restrict__` variable leads to, a part of what it was made from.
//
// Two locations overlap if they may be the same memory: one lies inside the other, or both may be one object of the caller.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/facts.hpp"

namespace contraflow::analysis {

using Loc = std::uint32_t;
inline constexpr Loc kNoLoc = 0xffffffffu;
inline constexpr Loc kUnknown = 0;  // any memory at all

enum class LocKind { Unknown, Local, Heap, Result, Global, External, Field, Element, Header, Buffer, Piece };

struct Location {
  LocKind kind = LocKind::Unknown;
  Loc parent = kNoLoc;   // none: a root
  Loc root = 0;          // itself for a root
  ir::TypeId type;       // without reference, but for a reference variable or field, which holds an address
  ir::FuncId function;   // Local, Heap, Result, Piece
  ir::StmtId allocation; // Heap
  ir::VarId var;         // Local, Piece
  ir::GlobalId global;   // Global
  unsigned field = 0;    // Field
  Loc holder = kNoLoc;   // External: the location that held the pointer
  bool unaliased = false;           // External: no other external object or global overlaps it (__restrict__)
  bool distinctParameter = false;   // External: doesn't overlap another one that has the mark (--noalias)
  Presence shadow = Presence::None; // External: whether the heads give a shadow
};

// A set of locations, as bits.
class LocSet {
 public:
  bool has(Loc l) const { return l / 64 < words_.size() && (words_[l / 64] >> (l % 64) & 1); }
  bool add(Loc l) {
    if (has(l)) return false;
    if (l / 64 >= words_.size()) words_.resize(l / 64 + 1);
    words_[l / 64] |= std::uint64_t(1) << (l % 64);
    return true;
  }
  void remove(Loc l) {
    if (has(l)) words_[l / 64] &= ~(std::uint64_t(1) << (l % 64));
  }
  bool add(const LocSet& other);
  bool meets(const LocSet& other) const;
  bool empty() const;
  template <class F>
  void forEach(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t bits = words_[w]; bits; bits &= bits - 1)
        f(static_cast<Loc>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))));
  }

 private:
  std::vector<std::uint64_t> words_;
};

class Locations {
 public:
  explicit Locations(const ir::Module& m) : m_(m) { all_.emplace_back(); }

  Loc local(ir::FuncId f, ir::VarId v);
  Loc heap(ir::FuncId f, ir::StmtId allocation, ir::TypeId element);
  Loc result(ir::FuncId f);
  Loc global(ir::GlobalId g);
  // What the pointer or reference at `holder` pointed to before anything ran.
  Loc external(Loc holder);
  Loc knownExternal(Loc holder) const {  // none: nobody has asked for it
    const auto found = externals_.find(holder);
    return found == externals_.end() ? kNoLoc : found->second;
  }

  // The same for what was made before; unknown memory if it wasn't. A part that wasn't made: the whole.
  Loc find(ir::FuncId f, ir::VarId v) const {
    const auto found = locals_.find({f, v});
    return found == locals_.end() ? kUnknown : found->second;
  }
  Loc find(ir::GlobalId g) const {
    const auto found = globals_.find(g);
    return found == globals_.end() ? kUnknown : found->second;
  }
  Loc findHeap(ir::FuncId f, ir::StmtId allocation) const {
    const auto found = heaps_.find({f, allocation});
    return found == heaps_.end() ? kUnknown : found->second;
  }
  Loc findResult(ir::FuncId f) const {
    const auto found = results_.find(f);
    return found == results_.end() ? kUnknown : found->second;
  }
  Loc findPart(Loc whole, LocKind kind, unsigned field, ir::TypeId seenAs) const {
    const auto found = children_.find({whole, kind, field});
    return found == children_.end() || !this->seenAs(all_[whole].type, seenAs) ? whole : found->second;
  }

  // Parts of a location that an expression sees as an object of type `seenAs`. Where the location has another type (after a cast)
  // its parts can't be told apart: then it is the whole location.
  Loc field(Loc l, ir::TypeId seenAs, unsigned index);
  Loc element(Loc l, ir::TypeId seenAs);  // of an array or container
  Loc header(Loc l, ir::TypeId seenAs);
  Loc piece(Loc l, ir::FuncId f, ir::VarId pointer);

  // Says that two locations may be one memory: the buffers of vectors that are swapped. True if that is new.
  bool join(Loc a, Loc b);
  // f(Loc) for each other location that may be the memory of this one after a swap.
  template <class F>
  void forEachJoined(Loc l, F&& f) const {
    if (joins_.count(l) == 0) return;
    for (const auto& [other, up] : joins_)
      if (other != l && representative(other) == representative(l)) f(other);
  }

  // The object that pointer arithmetic can't leave: the root or the buffer around it.
  Loc object(Loc l) const;
  // Where a pointer to `l` may point after arithmetic: the record around a field, `l` itself otherwise.
  Loc afterArithmetic(Loc l) const;
  // A pointer to `l` seen as a pointer to `pointee`.
  Loc afterCast(Loc l, ir::TypeId pointee) const;

  const Location& operator[](Loc l) const { return all_[l]; }
  Location& operator[](Loc l) { return all_[l]; }
  std::size_t size() const { return all_.size(); }

  bool overlap(Loc a, Loc b) const;
  bool inside(Loc inner, Loc outer) const;  // the same, or a part of it
  // True for memory that exists before the head runs.
  bool isExternal(Loc l) const;
  bool sameType(ir::TypeId a, ir::TypeId b) const;  // but for const
  // A location of the type may be seen as an object of the type `seenAs`, whose fields have the same indices: they are the same, or a
  // class and its base class.
  bool seenAs(ir::TypeId type, ir::TypeId seenAs) const;
  bool hasField(ir::TypeId type, unsigned index) const;
  bool holdsReal(Loc l) const { return l == kUnknown || (kinds(all_[l].type) & kReals) != 0; }
  std::string name(Loc l) const;        // for tests: "*f::state.0"
  std::string sourceName(Loc l) const;  // for messages, as a head would name it: "state.u"

 private:
  static constexpr unsigned kReals = 7, kAll = 0xffffu;
  // The kinds of scalar that an object of the type holds, as bits: two objects that share none don't overlap (C++'s rule on
  // access by type). Characters and void may be anything.
  unsigned kinds(ir::TypeId type) const;
  unsigned kindsOf(ir::TypeId type, std::set<ir::RecordId>& seen) const;
  Loc child(Loc parent, LocKind kind, unsigned field, ir::TypeId type);
  std::map<std::pair<ir::FuncId, ir::VarId>, unsigned> pieces_;  // numbered
  Loc add(Location l);
  std::vector<std::pair<LocKind, unsigned>> path(Loc l) const;
  bool callersOverlap(Loc a, Loc b) const;
  bool joined(Loc a, Loc b) const;
  Loc representative(Loc l) const;  // of the locations that are joined with it

  const ir::Module& m_;
  std::vector<Location> all_;
  std::map<std::tuple<Loc, LocKind, unsigned>, Loc> children_;
  std::map<std::pair<ir::FuncId, ir::VarId>, Loc> locals_;
  std::map<std::pair<ir::FuncId, ir::StmtId>, Loc> heaps_;
  std::map<ir::FuncId, Loc> results_;
  std::map<ir::GlobalId, Loc> globals_;
  std::map<Loc, Loc> externals_;
  std::map<Loc, Loc> joins_;        // towards the representative
  std::set<Loc> joinedExternals_;   // representatives that memory of the caller's is joined with
  mutable std::map<ir::TypeId, unsigned> kinds_;
};

}  // namespace contraflow::analysis
