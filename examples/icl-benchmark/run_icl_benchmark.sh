#!/usr/bin/env bash
set -euo pipefail

SEEDS=(1072 2043 3014 4085 5156 6227 7298 8369 9440 10511 11582 12653 13724 14795 15866)
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
RESULTS="${RESULTS:-$PWD/results}"

usage() {
  cat <<'HELP'
Trains an architecture with 15 seeds. Running the same command again executes what is missing.

Usage: ./run_icl_benchmark.sh [OPTIONS]

Options:
  --architecture <arch>     vit_reset (default) or trxl
  --curriculum <style>      terrain_1, terrain_2 (default) or terrain_3
  --base-run-name <name>    Base name for runs (default: icl_benchmark_<date>_<time>)
  --skypilot                Print the lines that would launch the runs on SkyPilot
  --gpus <n>                Number of GPUs for SkyPilot (default: 4)
  --dry-run                 Print commands without executing
  --help                    Show this help message
  --uniform-seed <seed>     15 runs with this one seed instead: how much do equal runs differ?
  -y, --yes                 Don't ask
  -- <options>              Options for `assay run`, e.g. -- --jobs 8

Results go to ./results; set RESULTS to have them elsewhere.
HELP
}

fail() {
  echo "run_icl_benchmark.sh: $1" >&2
  exit 1
}

ARCHITECTURE=vit_reset
CURRICULUM=terrain_2
BASE=
LAUNCH=local
GPUS=4
DRY_RUN=no
UNIFORM_SEED=
YES=no
EXTRA=()
while [ $# -gt 0 ]; do
  case "$1" in
    --architecture | --curriculum | --base-run-name | --gpus | --uniform-seed)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case "$1" in
        --architecture) ARCHITECTURE="$2" ;;
        --curriculum) CURRICULUM="$2" ;;
        --base-run-name) BASE="$2" ;;
        --gpus) GPUS="$2" ;;
        --uniform-seed) UNIFORM_SEED="$2" ;;
      esac
      shift 2
      ;;
    --skypilot) LAUNCH=SkyPilot && shift ;;
    --dry-run) DRY_RUN=yes && shift ;;
    -y | --yes) YES=yes && shift ;;
    --) shift && EXTRA=("$@") && break ;;
    --help | -h) usage && exit 0 ;;
    *) fail "unknown option $1 (--help lists them)" ;;
  esac
done
[[ "$ARCHITECTURE" =~ ^(vit_reset|trxl)$ ]] || fail "--architecture: expected vit_reset or trxl, got \"$ARCHITECTURE\""
[[ "$CURRICULUM" =~ ^terrain_[123]$ ]] || fail "--curriculum: expected terrain_1, terrain_2 or terrain_3, got \"$CURRICULUM\""
[[ "$GPUS" =~ ^[1-9][0-9]*$ ]] || fail "--gpus: expected a whole number from 1, got \"$GPUS\""
[[ "$UNIFORM_SEED" =~ ^[0-9]*$ ]] || fail "--uniform-seed: expected a whole number, got \"$UNIFORM_SEED\""
BASE="${BASE:-icl_benchmark_$(date +%Y%m%d_%H%M%S)}"

# The assay on the PATH, or the one in this repository.
if [ -n "${ASSAY:-}" ]; then RUNNER=("$ASSAY")
elif command -v assay > /dev/null; then RUNNER=(assay)
else RUNNER=(node "$HERE/../../bin/assay.mjs"); fi

# Each architecture has its own directory, named like its runs.
EXPERIMENT="$BASE.$ARCHITECTURE"
RUN=(--exp-name "$EXPERIMENT" --out-root "$RESULTS" --set "architecture=$ARCHITECTURE" --set "curriculum=$CURRICULUM")
NAMES=()
if [ -n "$UNIFORM_SEED" ]; then
  RUN=(run "$HERE/noise-floor.yaml" "${RUN[@]}" --seeds "$UNIFORM_SEED" --set 'naming="{name}.{summation}.seed{seed}.run{replicate}"')
  for summation in in_order any_order; do
    for ((number = 1; number <= 15; number++)); do
      NAMES+=("$EXPERIMENT.$summation.seed$UNIFORM_SEED.run$number")
    done
  done
else
  RUN=(run "$HERE/experiment.yaml" "${RUN[@]}" --set 'naming="{name}.seed{seed}"')
  for seed in "${SEEDS[@]}"; do NAMES+=("$EXPERIMENT.seed$seed"); done
fi

RUN+=(${EXTRA[@]+"${EXTRA[@]}"})

# As typed by hand: only words that need quotes have them.
typed() {
  local word
  for word in "$@"; do
    if [[ "$word" =~ [^A-Za-z0-9_./:=-] ]]; then printf " '%s'" "$word"; else printf ' %s' "$word"; fi
  done
}
line() { printf '%80s\n' '' | tr ' ' '='; }
line
echo "ICL benchmark"
line
echo "Architecture:   $ARCHITECTURE"
echo "Curriculum:     $CURRICULUM"
echo "Base run name:  $BASE"
echo "Launch method:  $LAUNCH"
echo "Number of runs: ${#NAMES[@]}"
echo "Seeds:          ${UNIFORM_SEED:-${SEEDS[*]}}"
echo "Dry run:        $DRY_RUN"
line

if [ "$LAUNCH" = SkyPilot ]; then
  for seed in ${UNIFORM_SEED:-"${SEEDS[@]}"}; do
    echo "sky launch --yes --detach-run --gpus ${GPU_TYPE:-A100}:$GPUS --name $EXPERIMENT.seed$seed -- assay$(typed "${RUN[@]}" --seeds "$seed")"
  done
  echo "Nothing was launched: these are the lines to start the runs with where SkyPilot is set up."
  exit 0
fi
if [ "$DRY_RUN" = yes ]; then
  echo "[DRY RUN] Would execute:$(typed "${RUNNER[@]}" "${RUN[@]}")"
  for name in "${NAMES[@]}"; do echo "[DRY RUN] $name"; done
  echo "[DRY RUN] Nothing was executed."
  exit 0
fi
if [ "$YES" = no ] && [ -t 0 ]; then
  read -r -n 1 -p "Launch ${#NAMES[@]} runs? (y/N) " answer
  echo
  [[ "$answer" =~ ^[yY]$ ]] || { echo "Aborted."; exit 0; }
fi

status=0
"${RUNNER[@]}" "${RUN[@]}" || status=$?
# 2: no run started. Otherwise each version of the code with runs has a line.
if [ "$status" -ne 2 ]; then
  hash="$(git -C "$HERE" rev-parse HEAD 2> /dev/null)" || hash="unknown: not a git repository"
  [ -z "$(git -C "$HERE" status --porcelain -- . 2> /dev/null)" ] || hash="$hash (with changes that were not committed)"
  HASHES="$RESULTS/$EXPERIMENT/benchmark_git_hash.txt"
  grep -qxF "$hash" "$HASHES" 2> /dev/null || echo "$hash" >> "$HASHES"
fi
[ "$status" -eq 0 ] || exit "$status"

echo
if [ -n "$UNIFORM_SEED" ]; then
  echo "How much do equal runs differ?"
  echo "    assay variance $RESULTS/$EXPERIMENT --output ${EXPERIMENT}_variance.png"
  exit 0
fi
echo "Are 15 runs enough?"
echo "    assay variance \\"
for name in "${NAMES[@]}"; do echo "        $name \\"; done
echo "        --out-root $RESULTS/$EXPERIMENT \\"
echo "        --metric overview/reward --threshold 0.05 --output ${EXPERIMENT}_variance.png"
echo "Is the other architecture better? Run it with --base-run-name $BASE too, then"
echo "    assay compare $RESULTS/$BASE.vit_reset $RESULTS/$BASE.trxl --metric overview/reward --summary auc \\"
echo "        --control architecture=vit_reset --candidate architecture=trxl"
