#!/usr/bin/env bash
# A nightly benchmark with a gate: runs it, and fails if it is worse than the night before. For cron:
#   0 2 * * * /path/to/repo/scripts/run_nightly_benchmark.sh
# Beside the series it writes files for other tools: junit.xml, and comment.md for a pull request.
# Exit code: 0 success; 1 some runs failed, or the scores fell by more than MARGIN; other codes are those of `assay run`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

CONFIG="${CONFIG:-configs/daily_benchmark.toml}"
NAME="${NAME:-$(basename "$CONFIG" .toml)}"
MARGIN="${MARGIN:-5pts}"

if [ -n "${ASSAY:-}" ]; then RUNNER=("$ASSAY")
elif command -v assay > /dev/null; then RUNNER=(assay)
else RUNNER=(node ../../bin/assay.mjs); fi

# Stamps sort by time. Only assay's series have a journal.
series() {
  find "data/rollouts/$NAME" -mindepth 2 -maxdepth 2 -name journal.db -exec dirname {} \; 2> /dev/null | sort
}

status=0
"${RUNNER[@]}" run "$CONFIG" || status=$?
[ "$status" -le 1 ] || exit "$status"

LATEST=$(series | tail -n 1)
BEFORE=$(series | tail -n 2 | head -n 1)
"${RUNNER[@]}" summarize "$LATEST"
"${RUNNER[@]}" report "$LATEST" --format junit --output "$LATEST/junit.xml"
"${RUNNER[@]}" report "$LATEST" --format comment --output "$LATEST/comment.md"

if [ "$BEFORE" = "$LATEST" ]; then
  echo "There is no earlier series to compare with: the next night has one."
  exit "$status"
fi
"${RUNNER[@]}" summarize "$BEFORE" "$LATEST"
"${RUNNER[@]}" compare "$BEFORE" "$LATEST" --metric score --margin "$MARGIN" --require not-worse || status=1
exit "$status"
