#pragma once

// Found only beside spring.cpp.
inline double weight(int k) { return k + 1.0; }
