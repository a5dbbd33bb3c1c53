#!/bin/sh
# All measurements, one after the other: ./dev bench. Arguments go to the kernels' table.py.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${CONTRAFLOW_BUILD_DIR:-$here/../build}
python3 "$here/table.py" "$build" --json "$build/bench/figures.json" "$@"
python3 "$here/plot.py" "$build/bench/figures.json" "$build/bench/kernels.svg"
sh "$here/heat/run.sh" "$build/examples/heat/heat"
python3 "$here/tool_time.py" --contraflow "$build/bin/contraflow"
