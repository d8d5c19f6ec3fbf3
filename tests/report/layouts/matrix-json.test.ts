import { expect } from 'vitest'
import { simulator } from '../../support/matrix-json.ts'
import { layoutContract } from './layout-contract.ts'

const waiting = 'while [ ! -e go ] && [ ! -e "go-$seed" ]; do sleep 0.1; done\n'

layoutContract('matrix-json', {
  config: 'sweep.json',
  files: {
    'sweep.json': JSON.stringify({
      name: 'sweep',
      sim_binary: './sim.sh',
      common_args: {
        ...{ pdfs: 10, iters: 3, subqueries: 4, time_scale: 50, enable_model_routing: true },
        ...{ heavy_tail_prob: 0.02, heavy_tail_mult: 50 },
      },
      matrix: { workflows: [5], policy: ['fifo_cheapest', 'full'], seeds: [1, 2] },
      jobs: 2,
    }),
    'sim.sh': simulator.replace('mkdir -p', `${waiting}mkdir -p`),
  },
  dir: 'bench_runs/sweep',
  paths: ['aggregate/runs.csv'],
  expectShown(text, runs) {
    const [header, ...rows] = text('aggregate/runs.csv').trimEnd().split('\n')
    expect(header?.startsWith('run_id,policy,workflows,pdfs,iters,subqueries,seed,time_scale,')).toBe(true)
    expect(rows.map(row => row.split(',')[0])).toEqual(runs.toSorted())
    for (const row of rows) expect(row).toContain(',True,0.02,50,baseline,,False,False,False,0,')
  },
})
