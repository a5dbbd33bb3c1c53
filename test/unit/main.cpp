// The main() of all unit tests but MPI's.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
