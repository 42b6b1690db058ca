#!/usr/bin/env bash
# Counts the machine instructions that equality and hashing take per node of a random tree, under callgrind: a number
# without noise. Fails above the limits in bench/limits.txt. Without valgrind it says so and does nothing.
#
#   bench/instructions.sh [NODES [TIMES]]
set -euo pipefail
cd "$(dirname "$0")/.."

nodes=${1:-100001} times=${2:-3}

if ! command -v valgrind >/dev/null; then
  printf 'skipped: there is no valgrind, which counts instructions\n'
  exit 0
fi
cargo build --quiet --release -p object-benches --bin instructions
program=${CARGO_TARGET_DIR:-target}/release/instructions

# count OPERATION TIMES: the instructions of the whole program.
count() {
  local log
  if ! log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$nodes" "$2" 2>&1); then
    printf '%s\n' "$log" >&2
    return 1
  fi
  sed -n 's/.*Collected : \([0-9]*\)$/\1/p' <<<"$log"
}

failed=no
while read -r operation limit; do
  # Two runs that differ in how often the operation runs differ by nothing else.
  without=$(count "$operation" 0)
  with=$(count "$operation" "$times")
  tenths=$(((with - without) * 10 / times / nodes))
  printf '%-5s %d.%d instructions per node, at most %d\n' "$operation" $((tenths / 10)) $((tenths % 10)) "$limit"
  ((tenths <= limit * 10)) || failed=yes
done < <(grep -v '^#' bench/limits.txt)

if [[ $failed == yes ]]; then
  printf 'more than bench/limits.txt allows\n' >&2
  exit 1
fi
