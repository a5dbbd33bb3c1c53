// Which line's tangent and adjoint disagree: what generated code of `--check-lines` notes, and how it is compared.
//
// A statement y = f(x1, x2, …) is linear in tangents and, backwards, in adjoints. So for the places z that it names, y and the operands,
//
//     sum of z_b after * z_d after  =  sum of z_b before * z_d before          (before and after the statement, in the primal's time)
//
// holds for whatever tangents come in by the forward sweep and whatever adjoints come in by the reverse sweep. The tangent notes
// z_d before and after each run of the statement, the adjoint z_b, in the opposite order; each run is a dot-product test of its own.
// A fault elsewhere changes what comes in, and leaves the equation alone: it fails where the fault is.
#ifndef CONTRAFLOW_TRACE_HPP
#define CONTRAFLOW_TRACE_HPP

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace contraflow::trace {

// A place of real memory; none for what has no shadow.
struct Place {
  const void* address = nullptr;
  double (*value)(const void*) = nullptr;
};
inline Place at(std::nullptr_t) { return {}; }
template <class T>
Place at(const T* place) {
  return {place, [](const void* p) { return static_cast<double>(*static_cast<const T*>(p)); }};
}

// One run of a statement: the derivatives of its places when the sweep comes to it and when it leaves it.
struct Run {
  const char* site;
  std::vector<Place> places;
  std::vector<double> first, second;
};
struct Log {
  bool on = false;
  bool threads = false;  // more than one ran: their runs have no order, and aren't noted
  std::vector<Run> runs;
};
inline Log& log() {
  static Log one;
  return one;
}

// Whether runs are noted here; otherwise nothing is.
inline bool noted() {
#ifdef _OPENMP
  if (log().on && omp_get_num_threads() > 1) {
#pragma omp atomic write
    log().threads = true;
    return false;
  }
#endif
  return log().on;
}

// A place that is named twice counts once.
inline std::vector<double> valuesOf(const std::vector<Place>& places) {
  std::vector<double> values;
  for (std::size_t k = 0; k < places.size(); ++k) {
    bool seen = places[k].address == nullptr;
    for (std::size_t j = 0; j < k; ++j) seen = seen || places[j].address == places[k].address;
    values.push_back(seen ? 0.0 : places[k].value(places[k].address));
  }
  return values;
}

inline void enter(const char* site, std::initializer_list<Place> places) {
  if (!noted()) return;
  log().runs.push_back({site, places, valuesOf(places), {}});
}
inline void leave() {
  if (noted()) log().runs.back().second = valuesOf(log().runs.back().places);
}
// The tangent: behind the declaration of a variable, which is the last place.
template <class T>
void leaveDeclared(const T& variable) {
  if (!noted()) return;
  leave();
  log().runs.back().first.push_back(0.0);
  log().runs.back().second.push_back(static_cast<double>(variable));
}
// The adjoint: in front of the declaration, the variable isn't there.
inline void leaveDeclared() {
  if (!noted()) return;
  leave();
  log().runs.back().second.back() = 0.0;
}

// The first run in the order of the reverse sweep whose equation fails.
struct Finding {
  std::string site;           // empty: none
  std::size_t run = 0, runs = 0;
  double tangent = 0, adjoint = 0;
  std::string uneven;         // a statement that the reverse sweep ran another number of times than the tangent
  std::size_t forward = 0, reverse = 0;
};

inline Finding compare(const std::vector<Run>& tangent, const std::vector<Run>& adjoint, double tolerance) {
  std::map<std::string, std::vector<const Run*>> forward;
  std::map<std::string, std::size_t> reverse, seen;
  for (const Run& run : tangent) forward[run.site].push_back(&run);
  for (const Run& run : adjoint) ++reverse[run.site];
  Finding found;
  for (const Run& back : adjoint) {
    const std::vector<const Run*>& runs = forward[back.site];
    if (runs.empty()) continue;  // a statement of the adjoint's own form
    if (runs.size() != reverse[back.site]) {
      if (found.uneven.empty()) found.uneven = back.site, found.forward = runs.size(), found.reverse = reverse[back.site];
      continue;
    }
    const std::size_t number = runs.size() - ++seen[back.site];
    const Run& there = *runs[number];
    if (there.first.size() != back.first.size()) continue;  // written otherwise for the adjoint
    double after = 0, before = 0, scale = 0;
    for (std::size_t k = 0; k < back.first.size(); ++k) {
      after += back.first[k] * there.second[k];
      before += back.second[k] * there.first[k];
      scale += std::fabs(back.first[k] * there.second[k]) + std::fabs(back.second[k] * there.first[k]);
    }
    if (std::fabs(after - before) <= tolerance * scale) continue;
    found.site = back.site;
    found.run = number + 1;
    found.runs = runs.size();
    found.tangent = after;
    found.adjoint = before;
    return found;
  }
  return found;
}

}  // namespace contraflow::trace

#endif
