import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compare, defineExperiment, effects, power, type Runs, report, run, variance } from '../../src/api/index.ts'
import { assay, folderWith } from '../support/assay.ts'

async function made(): Promise<{ readonly dir: string; readonly cwd: string }> {
  const cwd = folderWith()
  const dir = join(cwd, 'results')
  const experiment = defineExperiment({
    name: 'e',
    factors: { policy: ['fifo', 'full'], size: [1, 2] },
    seeds: '1..6',
    metrics: { score: { goal: 'maximize', primary: true } },
    target: ({ policy, size }, { random }) => ({ score: (policy === 'full' ? 2 : 1) * (size + random()) }),
  })
  await run(experiment, { dir })
  return { dir, cwd }
}

describe('the library returns what the commands print', async () => {
  const same = async (answer: (runs: Runs) => unknown, ...args: readonly string[]) => {
    const { dir, cwd } = await made()
    const [command = '', ...options] = args
    const printed = await assay([command, dir, '--json', ...options], { cwd })
    expect(printed.stderr).toBe('')
    expect(JSON.parse(JSON.stringify(await answer({ dir })))).toEqual(JSON.parse(printed.stdout))
  }

  it('compare', async () => {
    await same(
      runs => compare(runs, { control: { policy: 'fifo' }, margin: '5%', alpha: 0.1, seed: 7 }),
      ...['compare', '--control', 'policy=fifo', '--margin', '5%', '--alpha', '0.1', '--seed', '7'],
    )
  })

  it('compare, several candidates of some runs', async () => {
    await same(
      runs => compare(runs, { filter: ['size=1'], control: { policy: 'fifo' }, candidate: [{ policy: 'full' }] }),
      ...['compare', '--filter', 'size=1', '--control', 'policy=fifo', '--candidate', 'policy=full'],
    )
  })

  it('effects', () => same(runs => effects(runs, { correction: 'bh' }), 'effects', '--correction', 'bh'))

  it('variance', () =>
    same(runs => variance(runs, { threshold: 0.2 }), 'variance', '--threshold', '0.2', '--output', 'none'))

  it('power, of a pilot', async () => {
    await same(
      runs => power(runs, { effect: 0.5, control: { policy: 'fifo' }, candidate: [{ policy: 'full' }], trials: 50 }),
      ...['power', '--effect', '0.5', '--control', 'policy=fifo', '--candidate', 'policy=full', '--trials', '50'],
    )
  })

  it('report', async () => {
    await same(runs => report(runs, { format: 'md' }), 'report', '--format', 'md')
    const { dir } = await made()
    const { files, headline } = await report({ dir })
    expect(files.every(file => existsSync(file))).toBe(true)
    expect(headline).toMatch(/./)
  })
})

it('power without a pilot answers from given numbers', () => {
  expect(power(null, { sd: 2, effect: 1 }).sentence).toMatch(/\d+ pairs/)
})

it('anything but an experiment, and an unknown option, are helpful errors', () => {
  expect(() => compare('nowhere')).toThrow('nowhere is neither an experiment directory nor a table')
  // @ts-expect-error: it is called filter
  expect(() => compare('nowhere', { filters: ['x=1'] })).toThrow('did you mean "filter"')
})
