// The name of long double in the catalogue, where the word `double` may mean long double already (see reference.hpp).
#pragma once

using Extended = long double;
