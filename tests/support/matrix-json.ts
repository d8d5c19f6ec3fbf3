/** A simulator as the matrix dialect expects one: reads its options, writes its two tables. */
export const simulator = `#!/bin/sh
seed=0
while [ $# -gt 0 ]; do
  case "$1" in
    --seed) seed="$2"; shift ;;
    --out_dir) out="$2"; shift ;;
  esac
  shift
done
mkdir -p "$out"
cat > "$out/summary.csv" <<CSV
makespan_mean_ms,makespan_p50_ms,makespan_p95_ms,makespan_p99_ms,cost_mean,cost_p50
49809.8,49147.1,$seed,62344.4,1.68572,1.5922
CSV
cat > "$out/tiers.csv" <<CSV
provider,tier_id,in_flight_avg,utilization,queue_wait_p95_ms
openai,0,0,0,50
openai,1,0,0,50
CSV
`

const common_args = {
  pdfs: 10,
  iters: 3,
  subqueries: 4,
  time_scale: 50,
  enable_model_routing: true,
  heavy_tail_prob: 0.02,
  heavy_tail_mult: 50,
}

export const smokeJson = JSON.stringify({
  name: 'smoke',
  common_args,
  matrix: {
    workflows: [5],
    policy: ['fifo_cheapest', 'full'],
    seeds: [1, 2],
    ablations: [{ name: 'baseline' }, { name: 'no_hedge', flags: ['--disable_hedging'] }],
  },
  jobs: 2,
})

export const defaultJson = JSON.stringify({
  name: 'default',
  common_args,
  matrix: {
    workflows: [50, 100],
    policy: ['fifo_cheapest', 'dag_cheapest', 'dag_escalation', 'full'],
    seeds: [1, 2, 3],
    ablations: [
      { name: 'baseline' },
      { name: 'no_hedge', flags: ['--disable_hedging'] },
      { name: 'no_escalation', flags: ['--disable_escalation'] },
      { name: 'no_dag_priority', flags: ['--disable_dag_priority'] },
    ],
  },
  jobs: 2,
})
