#!/bin/sh
# The adjoint of examples/heat beside one written by hand (hand_adjoint.cpp), at 1 and 2 threads on one rank: time of the gradient
# over time of the misfit, and tape.
#
#     run.sh [HEAT [option of heat...]]      HEAT: the program, by default that of ./dev build
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
heat=${1:-$root/build/examples/heat/heat}
[ $# -gt 0 ] && shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
example=$root/examples/heat
mpicxx -std=c++17 -O2 -DNDEBUG -fopenmp -DOMPI_SKIP_MPICXX -I"$here" -I"$example" -I"$root/runtime/include" \
  "$here/hand_adjoint.cpp" "$example/main.cpp" "$example/plate.cpp" "$example/picture.cpp" -lpng -o "$work/heat_by_hand"
for threads in 1 2; do
  for program in "$heat" "$work/heat_by_hand"; do
    echo "$(basename "$program")"
    OMP_NUM_THREADS=$threads OMPI_MCA_hwloc_base_binding_policy=none "$program" --iterations 1 "$@" | grep -v iteration
  done
done
