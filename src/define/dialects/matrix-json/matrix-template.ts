import type { Template } from '../../template.ts'

const experiment = {
  name: 'first-matrix',
  sim_binary: './simulate.mjs',
  out_root: 'bench_runs',
  common_args: { pdfs: 10, iters: 3, subqueries: 4, time_scale: 50, heavy_tail_prob: 0.02, heavy_tail_mult: 50 },
  matrix: {
    workflows: [5],
    policy: ['fifo_cheapest', 'full'],
    seeds: [1, 2, 3],
    ablations: [
      { name: 'baseline', flags: [] },
      { name: 'no_hedge', flags: ['--disable_hedging'] },
    ],
  },
  jobs: 2,
}

const program = `#!/usr/bin/env node
// A substitute for your own simulator: takes the parameters as flags and writes summary.csv to --out_dir.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ strict: false })
const flag = name => process.argv[process.argv.indexOf(\`--\${name}\`) + 1]

const speed = flag('policy') === 'full' ? 0.8 : 1
const hedging = values.disable_hedging ? 1.1 : 1
const makespan = 1000 * Number(flag('workflows')) * speed * hedging + 17 * Number(flag('seed'))
writeFileSync(\`\${flag('out_dir')}/summary.csv\`, \`makespan_mean_ms,cost_mean\\n\${makespan},\${(1.6 * speed).toFixed(4)}\\n\`)
`

export const matrixJsonTemplate = {
  name: 'matrix-json',
  summary: 'a matrix of parameters, seeds and ablations in JSON',
  config: 'experiment.json',
  files: [
    { path: 'experiment.json', text: `${JSON.stringify(experiment, null, 2)}\n` },
    { path: 'simulate.mjs', text: program, isExecutable: true },
  ],
} as const satisfies Template
