import { cpSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { describeWithPython } from '../define/dialects/wandb-sweep/program/python.ts'
import { assay, folderWith, summaryOf } from '../support/assay.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

describe('every example runs offline, from a copy of its folder', () => {
  it.each([
    ['quickstart/experiment.yaml', 12, '--seeds', '1,2'],
    ['function/experiment.yaml', 240],
    ['agent/experiment.yaml', 48],
    ['toml/experiment.toml', 12, '--seeds', '1,2'],
    ['search/experiment.yaml', 40],
    ['prompt-comparison/experiment.yaml', 96],
    ['matrix-json/smoke.json', 8],
    ['experiments/model-comparison/batch-config.yaml', 8, '--set', 'runs_per_variation=2'],
    ['experiments/sensitivity/batch-config.yaml', 16, '--set', 'runs_per_variation=1'],
    ['experiments/robustness/batch-config.yaml', 10, '--set', 'runs_per_variation=10'],
    ['wandb-sweep/node.yaml', 15],
    ['agent-scheduling/experiment.yaml', 15, '--seeds', '1'],
    ['agent-scheduling/own-model.yaml', 12, '--seeds', '1'],
    ['icl-benchmark/experiment.yaml', 4, '--seeds', '1,2', '--set', 'updates=20'],
    ['icl-benchmark/noise-floor.yaml', 4, '--set', 'updates=20', '--set', 'replicates=2'],
  ])('%s completes its %i runs, and none again', async (config: string, runs: number, ...less: string[]) => {
    const folder = copyOfExamples()
    const first = await assay(['run', config, '--json', ...less], { cwd: folder })
    expect(summaryOf(first), first.stderr).toMatchObject({ planned: runs, completed: runs, reused: 0, attempts: runs })
    expect(first.status).toBe(0)
    const again = await assay(['run', config, '--json', ...less], { cwd: folder })
    expect(summaryOf(again), again.stderr).toMatchObject({ completed: runs, reused: runs, attempts: runs })
  })

  it('budget stops before exceeding its dollar, and continues with more', async () => {
    const folder = copyOfExamples()
    const stopped = await assay(['run', 'budget/experiment.yaml', '--json'], { cwd: folder })
    expect(stopped.status, stopped.stderr).toBe(3)
    const { completed, pending, cost_usd } = summaryOf(stopped)
    expect(Number(completed) + Number(pending)).toBe(40)
    expect(pending).toBeGreaterThan(0)
    expect(cost_usd).toBeLessThanOrEqual(1)
    expect(cost_usd).toBeGreaterThan(0.9)
    const enough = await assay(['run', 'budget/experiment.yaml', '--budget', '5', '--json'], { cwd: folder })
    expect(enough.status, enough.stderr).toBe(0)
    expect(summaryOf(enough)).toMatchObject({ completed: 40, overrun_usd: 0 })
  })

  it('judged prompts stop at their budget too, and give a verdict with more', async () => {
    const folder = copyOfExamples()
    const stopped = await assay(['run', 'prompt-comparison/judged.yaml', '--json'], { cwd: folder })
    expect(stopped.status, stopped.stderr).toBe(3)
    expect(summaryOf(stopped).cost_usd).toBeLessThanOrEqual(0.02)
    const enough = await assay(['run', 'prompt-comparison/judged.yaml', '--budget', '1', '--json'], { cwd: folder })
    expect(summaryOf(enough), enough.stderr).toMatchObject({ completed: 24 })
    const compared = await assay(
      ['compare', 'prompt-comparison/results/judged', '--control', 'prompt=formal', '--candidate', 'prompt=warm'],
      { cwd: folder },
    )
    expect(compared.stdout).toContain('verdict: ')
  })

  describeWithPython('examples in Python run too', () => {
    it.each([
      ['wandb-sweep/grid.yaml', 6],
      ['wandb-sweep/nested.yaml', 4, '--first', '4'],
    ])('%s completes its %i runs', async (config: string, runs: number, ...less: string[]) => {
      const ended = await assay(['run', config, '--json', ...less], { cwd: copyOfExamples() })
      expect(summaryOf(ended), ended.stderr).toMatchObject({ planned: runs, completed: runs, attempts: runs })
    })

    it('wandb-sweep/bayes.yaml executes its cap of runs, with or without early stopping, and none again', async () => {
      const folder = copyOfExamples()
      const capped = ['run', 'wandb-sweep/bayes.yaml', '--set', 'run_cap=8', '--json', '-j', '2']
      const ended = await assay(capped, { cwd: folder })
      const { completed, stopped_early, planned } = summaryOf(ended)
      expect({ planned, over: Number(completed) + Number(stopped_early) }, ended.stderr).toEqual({
        planned: 8,
        over: 8,
      })
      const again = await assay(capped, { cwd: folder })
      expect(summaryOf(again)).toMatchObject({ planned: 8, attempts: 8 })
    })
  })

  it('every example begins with its question', () => {
    for (const config of globSync('*/*.{yaml,toml}', { cwd: examples }))
      expect(readFileSync(join(examples, config), 'utf8').split('name')[0], config).toContain('?')
  })
})

function copyOfExamples(): string {
  const folder = folderWith()
  const isResult = (path: string) => /(^|\/)(results|bench_runs)(\/|$)/.test(path.slice(examples.length))
  cpSync(examples, folder, { recursive: true, filter: path => !isResult(path) })
  return folder
}
