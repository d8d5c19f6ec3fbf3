#!/usr/bin/env bash
# Runs the daily benchmark and shows its scores. Run the same command again to finish an interrupted series.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The assay named in ASSAY, the one on the PATH, or the one in this repository.
if [ -n "${ASSAY:-}" ]; then RUNNER=("$ASSAY")
elif command -v assay > /dev/null; then RUNNER=(assay)
else RUNNER=(node ../../bin/assay.mjs); fi

DATE=$(date -u +%Y%m%d)
CONFIG="${1:-configs/daily_benchmark.toml}"
NAME=$(basename "$CONFIG" .toml)

echo "Starting daily benchmark: $DATE"
status=0
"${RUNNER[@]}" run "$CONFIG" || status=$?
# 1: some runs failed, and the others have scores. With any other code there is no benchmark.
[ "$status" -le 1 ] || exit "$status"
"${RUNNER[@]}" summarize "$NAME" --latest
echo "Benchmark complete, results in data/rollouts/$NAME/$DATE"
exit "$status"
