import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unpackDataset } from '../../../src/report/dataset/unpack.ts'
import { assay } from '../../support/assay.ts'
import { serveRoot } from '../../support/dashboard.ts'
import { comparedIn, sortingIn } from './support.ts'

/** Two shards in two directories, made with different limits as on two machines. */
async function shards() {
  const e = sortingIn()
  await e.run('--shard', '1/2', '--out-root', 'results/one', '-j', '1')
  await e.run('--shard', '2/2', '--out-root', 'results/two', '-j', '3', '--timeout', '60s')
  return { ...e, one: 'results/one/sorting', two: 'results/two/sorting' }
}

describe('shards in several directories', () => {
  it('are one experiment: every run has a partner, and none is missing', async () => {
    const { cwd, one, two } = await shards()
    expect((await comparedIn(cwd, [one])).not_run).toBeGreaterThan(0)
    expect(await comparedIn(cwd, [one, two])).toEqual({ pairs: 10, runs: 60, not_run: 0 })
  })

  it('make one report, analysis and table of effects', async () => {
    const { cwd, one, two } = await shards()
    const told = async (...args: string[]) => JSON.parse((await assay([...args, '--json'], { cwd })).stdout)
    const report = await assay(['report', one, two, '--format', 'json', '--output', '-'], { cwd })
    const { badges, experiments, title, commands, headline } = JSON.parse(report.stdout)
    expect(badges.map(({ text }: { text: string }) => text)).toEqual(['exploratory', 'complete: 60 runs'])
    expect(title).toBe('sorting')
    expect(headline).not.toContain('Partial')
    expect(experiments).toMatchObject([
      { standing: { planned: 60, attempts: 60, states: { completed: 60, pending: 0, running: 0 } } },
    ])
    expect(commands.at(-1).line).toContain('results/one/sorting results/two/sorting')
    const { planned_runs, patterns } = await told('analyze', one, two, '--to', 'analysis')
    expect([planned_runs, patterns.total_runs]).toEqual([60, 60])
    const { factors } = await told('effects', one, two)
    expect(factors.map(({ name }: { name: string }) => name)).toEqual(['method', 'size'])
  })

  it('are one experiment beside another, too', async () => {
    const { cwd, one, two, run } = await shards()
    await run('--exp-name', 'again')
    const ended = await assay(['compare', one, two, 'results/again', '--json'], { cwd })
    const { control, candidate, n } = JSON.parse(ended.stdout)
    expect({ control, candidate, pairs: n.pairs }).toEqual({
      control: 'one/sorting',
      candidate: 'again',
      pairs: 10,
    })
  })

  it('are one experiment on the dashboard', async () => {
    const { cwd } = await shards()
    const { address } = await serveRoot(cwd)
    const response = await fetch(`${address}api/dataset?dir=one/sorting&dir=two/sorting`)
    const { evidence, experiments } = unpackDataset(new Uint8Array(await response.arrayBuffer()))
    expect(evidence.factors).toEqual(['method', 'size'])
    expect(evidence.runs).toHaveLength(60)
    expect(experiments).toMatchObject([{ standing: { planned: 60, states: { completed: 60, pending: 0 } } }])
  })
})

describe('copies of a directory', () => {
  it('are one experiment, in which the same run counts once', async () => {
    const e = sortingIn()
    await e.run('--filter', 'size <= 100')
    cpSync(e.dir, join(e.cwd, 'results/copy'), { recursive: true })
    await e.run('--filter', 'size > 100')
    expect(await comparedIn(e.cwd, ['results/sorting', 'results/copy'])).toEqual({ pairs: 10, runs: 60, not_run: 0 })
    expect(await comparedIn(e.cwd, ['results/copy', 'results/sorting'])).toEqual({ pairs: 10, runs: 60, not_run: 0 })
    const report = await assay(['report', 'results/copy', 'results/sorting', '--format', 'json', '--output', '-'], e)
    expect(JSON.parse(report.stdout).experiments).toMatchObject([{ standing: { planned: 60, attempts: 60 } }])
  })

  it('are distinguished from a repeated experiment, which is compared with the first', async () => {
    const e = sortingIn()
    await e.run()
    await e.run('--exp-name', 'again')
    const ended = await assay(['compare', 'results/sorting', 'results/again', '--json'], e)
    expect(JSON.parse(ended.stdout)).toMatchObject({ control: 'sorting', candidate: 'again' })
  })

  it('still differ from each other for diff', async () => {
    const e = sortingIn()
    await e.run('--first', '4')
    cpSync(e.dir, join(e.cwd, 'results/copy'), { recursive: true })
    expect((await assay(['diff', 'results/sorting', 'results/copy'], e)).status).toBe(0)
  })
})
