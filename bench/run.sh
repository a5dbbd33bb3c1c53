#!/bin/sh
# All measurements, one after the other: ./dev bench. Arguments go to each of them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${CONTRAFLOW_BUILD_DIR:-$here/../build}
sh "$here/heat/run.sh" "$build/examples/heat/heat" "$@"
