#!/usr/bin/env bash
# Counts the machine instructions per node of the operations in measure/limits.txt under callgrind. Unlike
# times, these numbers have no noise. Fails above the limits in measure/limits.txt. Without valgrind it prints a line and
# succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."

times=3

if ! command -v valgrind >/dev/null; then
  printf 'skipped: there is no valgrind, which counts instructions\n'
  exit 0
fi
# The limits hold for the build that users install.
cargo build --quiet --profile dist -p object-benches --bin instructions
program=${CARGO_TARGET_DIR:-target}/dist/instructions

# count WORKLOAD OPERATION TIMES: the nodes of the workload, and the instructions of the whole program.
count() {
  local log
  if ! log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1); then
    printf '%s\n' "$log" >&2
    return 1
  fi
  sed -n 's/^\([0-9]*\)$/\1/p; s/.*Collected : \([0-9]*\)$/\1/p' <<<"$log" | paste -s
}

# check WORKLOAD OPERATION LIMIT: prints the instructions per node, and fails above the limit.
check() {
  local without with nodes tenths
  # The difference of two runs is the operation, because only the number of operations differs.
  without=$(count "$1" "$2" 0) && with=$(count "$1" "$2" "$times") || return 1
  read -r nodes without <<<"$without"
  read -r nodes with <<<"$with"
  tenths=$(((with - without) * 10 / times / nodes))
  printf '%-14s %-7s %3d.%d instructions per node, at most %d\n' "$1" "$2" $((tenths / 10)) $((tenths % 10)) "$3"
  ((tenths <= $3 * 10))
}

export times program
export -f count check
# Counts do not depend on what runs beside, so each processor counts an operation at a time.
if ! grep -v '^#' measure/limits.txt | xargs -P "$(nproc)" -L 1 bash -c 'check "$@"' check; then
  printf 'more than measure/limits.txt allows\n' >&2
  exit 1
fi
