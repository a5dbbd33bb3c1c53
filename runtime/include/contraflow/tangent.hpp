// What a tangent function returns.
#ifndef CONTRAFLOW_TANGENT_HPP
#define CONTRAFLOW_TANGENT_HPP

namespace contraflow {

// A value and its directional derivative: `auto [J, J_d] = misfit_d(k, k_d, n);`
template <class T>
struct Tangent {
  T value;
  T derivative;
};

}  // namespace contraflow

#endif
