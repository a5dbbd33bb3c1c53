// What the user says of the arguments of a gradient check: `n = 16`, `k[n]`, `k[n] = 1 + 0.1 * i`, `grid = makeGrid(n)`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace contraflow::driver {

struct CheckArgument {
  std::string name;   // of a parameter; "this" for a method's object
  std::string size;   // a C++ expression; empty: not given
  std::string value;  // a C++ initialiser; of an array's element `i` where there is a size; empty: not given
};

// Reads the text of one --check-arg; otherwise `why` says what is wrong.
std::optional<CheckArgument> parseCheckArgument(const std::string& text, std::string& why);

}  // namespace contraflow::driver
