#pragma once

inline constexpr double kStiffness = 2.0;
