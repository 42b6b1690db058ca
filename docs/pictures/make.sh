#!/usr/bin/env bash
# Makes the pictures of the README and of the guide. Look at them before you commit them. A test compares the drawings with the sources.
set -euo pipefail
cd "$(dirname "$0")/../.."

page=$(mktemp --suffix .html)
trap 'rm -f "$page"' EXIT
# The modules differ, so the exit code is 1.
cargo run --quiet -p object-cli -- diff fixtures/mlp.json.gz fixtures/mlp_changed.json.gz --html "$page" >/dev/null || [ $? = 1 ]
cargo run --quiet -p object-examples --bin pictures -- docs/pictures
chromium --headless --no-sandbox --hide-scrollbars --virtual-time-budget=4000 --window-size=1180,760 \
  --screenshot=docs/pictures/diff.png "file://$page"
