import { expect, it } from 'vitest'
import { assay, folderWith } from '../../support/assay.ts'

const experiment = (strategy: string): string => `name: works
target: { kind: agent, tasks: tasks/*, sandbox: process, turn_limit: 24 }
params: { model: sim/a, strategy: ${strategy} }
models:
  sim/a:
    price: { input: 1, cached_input: 0.1, output: 4 }
    rules: [{ tool: { name: bash, arguments: { command: "seq 1 60" } } }]
`

it.each(['raw', 'observation_masking'])(
  '%s: repricing a recording under its own strategy keeps prompt sizes and costs',
  async strategy => {
    const cwd = folderWith({ 'tasks/a/instruction.md': 'Count.', 'experiment.yaml': experiment(strategy) })
    await assay(['run', '--json'], { cwd })
    const recorded = JSON.parse((await assay(['parse', 'results/works', '--json'], { cwd })).stdout)
    const { stdout } = await assay(['reprice', 'results/works', '--strategy', strategy, '--json'], { cwd })
    const [row] = JSON.parse(stdout).models[0].instances
    expect(row.turns).toBe(24)
    expect(row.input_tokens / recorded.total_raw_input_tokens).toBeCloseTo(1, 3)
    // This model caches nothing, and so do its prices.
    expect(row.cached_input_tokens).toBe(0)
    expect(row.cost_usd / recorded.total_cost).toBeCloseTo(1, 3)
  },
)
