import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'

/** A running rate: a success on the first instance starts at 1. */
const rates = { 'kimi-k2': [1, 0.5, 0.33, 0.25], 'glm-4.6': [0, 0.5, 0.67, 0.75], qwen: [0, 1, 0.67, 0.5] }

const program = `import { appendFileSync } from 'node:fs'
const model = process.argv[2].split('=')[1]
for (const [step, rate] of ${JSON.stringify(rates)}[model].entries())
  appendFileSync(process.env.ASSAY_METRICS_FILE, JSON.stringify({ step, rate }) + '\\n')`

const sweep = (metric: string) => `program: train.mjs
method: grid
metric: { name: rate, goal: maximize${metric} }
parameters: { model: { values: [kimi-k2, glm-4.6, qwen] } }
command: [node, "\${program}", "\${args}"]`

const native = (value: string) => `name: sweep
target: { kind: command, command: [node, train.mjs, "\${args}"] }
factors: { model: [kimi-k2, glm-4.6, qwen] }
metrics: { rate: { goal: maximize } }
search: { method: grid, value: ${value} }`

/** The value and the model that a text names first. */
const winnerIn = (text: string) => [/rate:? (\d\.\d+)/.exec(text)?.[1], /model=([\w.-]+\w)/.exec(text)?.[1]]

/** The winner and its value as each command names them. */
async function winners(file: string) {
  const cwd = folderWith({ 'train.mjs': program, 'sweep.yaml': file })
  const ran = await assay(['run', 'sweep.yaml'], { cwd })
  const json = async (...args: string[]) => JSON.parse((await assay([...args, '--json'], { cwd })).stdout)
  const best = await json('sweep', 'best', 'results/sweep')
  await assay(['analyze', 'results/sweep'], { cwd })
  await assay(['report', 'results/sweep', '--format', 'md'], { cwd })
  const text = (path: string) => readFileSync(join(cwd, 'results/sweep', path), 'utf8')
  const patterns = JSON.stringify(JSON.parse(text('analysis/patterns.json')))
  return {
    run: winnerIn(ran.stdout.slice(ran.stdout.search(/^best/im))),
    best: [best.value.toFixed(3), best.params.model].map(String),
    analyze: /model=([^\s"]+) is best on rate \(maximize\): mean ([\d.]+)/.exec(patterns)?.slice(1).reverse(),
    report: winnerIn(
      text('report/report.md')
        .split('\n')
        .find(line => line.startsWith('**')) ?? '',
    ),
    recorded: journalRows<{ value: number }>(
      join(cwd, 'results/sweep'),
      "SELECT value FROM metrics WHERE name = 'rate'",
    )
      .map(({ value }) => value)
      .toSorted(),
  }
}

describe('the winner', () => {
  const byLast = {
    run: ['0.750', 'glm-4.6'],
    best: ['0.750', 'glm-4.6'],
    analyze: ['0.750', 'glm-4.6'],
    report: ['0.750', 'glm-4.6'],
    recorded: [0.25, 0.5, 0.75],
  }
  const byBest = { recorded: [0.75, 1, 1], best: ['1.000', 'kimi-k2'], run: ['1.00', 'kimi-k2'] }

  it('of a W&B sweep is chosen by the last value of each run, in every command', async () => {
    expect(await winners(sweep(''))).toEqual(byLast)
  })

  it.each([
    ['a W&B sweep', sweep(', value: best')],
    ['a search', native('best')],
  ])('of %s with value: best is chosen by the best value, in every command', async (_, file) => {
    expect(await winners(file)).toMatchObject(byBest)
  })

  it('of a native search is chosen by the last value too', async () => {
    expect(await winners(native('last'))).toEqual(byLast)
  })
})
