#!/bin/sh
# Runs the heat example on 1, 2 and 4 ranks by 1 and 2 threads: checks the gradient on each, checks that all of them find the
# same, and leaves pictures of the true conductivity, the found one and the first gradient in demo-output/.
#
#     run_demo.sh [HEAT [option of heat...]]      HEAT: the program, by default that of ./dev build
set -eu
here=$(cd "$(dirname "$0")" && pwd)
heat=${1:-$here/../../build/examples/heat/heat}
[ $# -gt 0 ] && shift
if [ ! -x "$heat" ]; then
  echo "run_demo.sh: there is no program '$heat': run './dev build', or name it" >&2
  exit 2
fi
output=demo-output
mkdir -p "$output"

# More ranks and threads than cores: who waits must not hold a core. Open MPI doesn't run as root unasked.
export OMP_WAIT_POLICY=passive OMP_DYNAMIC=false OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
if [ "$(id -u)" = 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

failed=0
first_run="$output/first-run.txt"
task="--pictures $output --record $first_run"
for ranks in 1 2 4; do
  for threads in 1 2; do
    # shellcheck disable=SC2086  # several words
    OMP_NUM_THREADS=$threads mpirun -n $ranks "$heat" "$@" $task || { failed=$((failed + 1)); echo "  FAILED"; }
    task="--compare $first_run"
  done
done
echo "pictures: $output/true.png, $output/found.png, $output/gradient.png"
if [ $failed -gt 0 ]; then
  echo "$failed of 6 runs failed" >&2
  exit 1
fi
echo "6 of 6 runs agree"
