#pragma once

constexpr int kCount = 5;
