import { cpSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { describeWithPython } from '../targets/command/wandb-module/python.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

describe('every example runs offline, from a copy of its folder', () => {
  it.each([
    ['quickstart/experiment.yaml', 60],
    ['function/experiment.yaml', 240],
    ['agent/experiment.yaml', 48],
    ['toml/experiment.toml', 30],
    ['search/experiment.yaml', 40],
    ['prompt-comparison/experiment.yaml', 96],
    ['matrix-json/smoke.json', 8],
    ['experiments/model-comparison/batch-config.yaml', 40],
    ['experiments/sensitivity/batch-config.yaml', 64],
    ['experiments/robustness/batch-config.yaml', 50],
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

  it('budget stops before its dollar is overspent, and goes on when there is more', async () => {
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

  it('judged prompts stop at their budget too, and give a verdict once there is more', async () => {
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

  describeWithPython('those in Python too', () => {
    it.each([
      ['wandb-sweep/grid.yaml', 6],
      ['wandb-sweep/nested.yaml', 12],
    ])('%s completes its %i runs', async (config, runs) => {
      const ended = await assay(['run', config, '--json'], { cwd: copyOfExamples() })
      expect(summaryOf(ended), ended.stderr).toMatchObject({ planned: runs, completed: runs, attempts: runs })
    })

    it('wandb-sweep/bayes.yaml makes its 20 runs, whether it ends some early or none, and none again', async () => {
      const folder = copyOfExamples()
      const ended = await assay(['run', 'wandb-sweep/bayes.yaml', '--json', '-j', '2'], { cwd: folder })
      const { completed, stopped_early, planned } = summaryOf(ended)
      expect({ planned, over: Number(completed) + Number(stopped_early) }, ended.stderr).toEqual({
        planned: 20,
        over: 20,
      })
      const again = await assay(['run', 'wandb-sweep/bayes.yaml', '--json'], { cwd: folder })
      expect(summaryOf(again)).toMatchObject({ planned: 20, attempts: 20 })
    })
  })

  it('and says first which question it answers', () => {
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
