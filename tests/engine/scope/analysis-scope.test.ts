import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unpackDataset } from '../../../src/report/dataset/unpack.ts'
import { assay, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { serveRoot } from '../../support/dashboard.ts'
import { hasLines } from '../../support/files.ts'
import { backToVersion3, changeJournal } from '../../support/journal.ts'
import { waiting, waitingExperiment } from '../../support/waiting-program.ts'
import { sorting, sortingIn } from './support.ts'

describe('a call that selects a part of a finished experiment', () => {
  it('does not limit what readers cover, and summarises its own part', async () => {
    const e = sortingIn()
    await e.run()
    const call = await e.run('--filter', 'size <= 100')
    expect(call.status).toBe(0)
    expect(summaryOf(call)).toMatchObject({ planned: 40, completed: 40, reused: 40 })
    expect(await e.status()).toMatchObject({ planned: 60, completed: 60, pending: 0, selected: 40 })
    expect(JSON.parse(readFileSync(join(e.dir, 'summary.json'), 'utf8'))).toMatchObject({ planned: 60, completed: 60 })
    expect(await e.compared()).toEqual({ pairs: 10, runs: 60, not_run: 0 })
    expect(await e.reported()).toMatchObject({ badges: ['plain: exploratory', 'good: complete: 60 runs'], runs: 60 })
    const counts = async (...args: string[]) =>
      JSON.parse((await assay([...args, e.dir, '--json'], e)).stdout).provenance.sources[0].runs
    expect(await counts('effects')).toBe(60)
    expect(await counts('analyze')).toBe(60)
    expect(await counts('variance', '--output', 'none')).toBe(60)
    const table = await assay(['collect', e.dir, '--json'], e)
    expect(JSON.parse(table.stdout).rows).toBe(60)
  })

  it('does not limit what the dashboard covers', async () => {
    const e = sortingIn()
    await e.run()
    await e.run('--filter', 'size <= 100')
    const { ask } = await serveRoot(e.cwd)
    const response = await ask('/api/dataset', { dir: 'sorting' })
    expect(unpackDataset(new Uint8Array(await response.arrayBuffer())).evidence.runs).toHaveLength(60)
    const [overview] = (await (await ask('/api/experiments')).json()) as readonly unknown[]
    expect(overview).toMatchObject({ state: 'complete', summary: { planned: 60, completed: 60 } })
  })

  it('states its selection and the progress of the whole', async () => {
    const e = sortingIn()
    const first = await assay(['run', '-q', '--filter', 'size <= 100'], e)
    expect(first.stdout).toContain("selected 40 of the experiment's 60 runs; the experiment is partial: 40 of them")
    await e.run()
    const again = await assay(['run', '-q', '--first', '3'], e)
    expect(again.stdout).toContain("selected 3 of the experiment's 60 runs, all of which have ended")
    expect((await assay(['run', '-q'], e)).stdout).not.toContain('selected')
  })
})

describe('an experiment of which a part was never selected', () => {
  it.each([
    ['--filter', 'size <= 100', 40],
    ['--first', '7', 7],
    ['--seeds', '1..5', 30],
  ])('%s %s: is marked partial by status, report and compare', async (option, value, ended) => {
    const e = sortingIn()
    expect((await e.run(option, value)).status).toBe(0)
    expect(await e.status()).toMatchObject({ planned: 60, completed: ended, pending: 60 - ended })
    const status = await assay(['status', e.dir], e)
    expect(status.stdout).toContain(`partial: ${ended} of 60 runs have ended`)
    const { headline, badges } = await e.reported()
    expect(headline).toContain(`Partial (${ended} of 60 runs): `)
    expect(badges).toContain(`warning: partial: ${ended} of 60 runs`)
    expect(badges.join()).not.toContain('complete')
    const compared = await assay(['compare', e.dir], e)
    expect(compared.stdout).toMatch(
      new RegExp(`^verdict: .*\\(partial: ${ended} of 60 planned runs have ended\\)$`, 'm'),
    )
  })

  it('is complete once shards in one directory have run all of it', async () => {
    const e = sortingIn()
    await e.run('--shard', '1/2')
    expect((await e.compared()).not_run).toBeGreaterThan(0)
    await e.run('--shard', '2/2')
    expect(await e.compared()).toEqual({ pairs: 10, runs: 60, not_run: 0 })
    expect(await e.status()).toMatchObject({ planned: 60, completed: 60 })
  })

  it('continues after a killed call, whatever the next call selects', async () => {
    const cwd = folderWith({
      'experiment.yaml': waitingExperiment('[1, 2, 3, 4]', '{ jobs: 1 }'),
      'waits.sh': waiting,
      'go-1': '',
    })
    const dir = join(cwd, 'results/waits')
    const killed = startAssay(['run', '-q'], { cwd })
    await hasLines(join(cwd, 'started'), 2)
    killed.child.kill('SIGKILL')
    await killed.ended
    writeFileSync(join(cwd, 'go'), '')
    const part = await assay(['run', '--json', '--filter', 'x <= 3'], { cwd })
    expect(summaryOf(part)).toMatchObject({ planned: 3, completed: 3 })
    expect(summaryOf(await assay(['status', dir, '--json'], { cwd }))).toMatchObject({
      planned: 4,
      completed: 3,
      pending: 1,
    })
    await assay(['run', '--json'], { cwd })
    expect(summaryOf(await assay(['status', dir, '--json'], { cwd }))).toMatchObject({ planned: 4, completed: 4 })
  })
})

describe('a definition that changes', () => {
  it('counts kept runs, not dropped ones, and counts those again when they come back', async () => {
    const e = sortingIn()
    await e.run()
    e.redefine(sorting({ sizes: '[10, 100]' }))
    expect(summaryOf(await e.run('--first', '1'))).toMatchObject({ planned: 1, reused: 1 })
    expect(await e.compared()).toEqual({ pairs: 10, runs: 40, not_run: 0 })
    expect((await assay(['status', e.dir], e)).stdout).toContain(
      'also in the journal: 20 finished runs that are no longer',
    )
    e.redefine(sorting({ sizes: '[10, 100, 1000, 2000]' }))
    await e.run('--first', '1')
    expect(await e.compared()).toEqual({ pairs: 10, runs: 60, not_run: 20 })
    expect(await e.status()).toMatchObject({ planned: 80, completed: 60, pending: 20 })
    await e.run()
    expect(await e.compared()).toEqual({ pairs: 10, runs: 80, not_run: 0 })
  })

  it('changes with --set of levels', async () => {
    const e = sortingIn()
    await e.run()
    await e.run('--set', 'size=10,100')
    expect(await e.compared()).toEqual({ pairs: 10, runs: 40, not_run: 0 })
    await e.run('--first', '1')
    expect(await e.compared()).toEqual({ pairs: 10, runs: 60, not_run: 0 })
  })

  it('keeps results of seeds that only --seeds requested, and drops seeds removed from the file', async () => {
    const e = sortingIn(sorting({ seeds: '1..5' }))
    await e.run()
    await e.run('--seeds', '1..10')
    await e.run('--filter', 'size <= 100')
    expect(await e.compared()).toEqual({ pairs: 10, runs: 60, not_run: 0 })
    expect((await e.reported()).badges).toContain('good: complete: 60 runs')
    // The directory knows which seeds are its own.
    expect(summaryOf(await e.run(e.dir, '--first', '1'))).toMatchObject({ planned: 1 })
    expect(await e.compared()).toMatchObject({ runs: 60 })
    e.redefine(sorting({ seeds: '1..3' }))
    await e.run('--first', '1')
    expect(await e.compared()).toEqual({ pairs: 8, runs: 48, not_run: 0 })
  })

  it('does not mix in results of an earlier target', async () => {
    const e = sortingIn()
    await e.run()
    e.redefine(sorting({ target: 'other.mjs' }))
    expect((await e.run('--filter', 'size <= 100', '--stale', 'rerun')).status).toBe(0)
    expect(await e.status()).toMatchObject({ planned: 60, completed: 40, stale: 20 })
    expect(await e.compared()).toEqual({ pairs: 10, runs: 40, not_run: 20 })
    expect((await e.reported()).badges).toContain('warning: partial: 40 of 60 runs')
  })
})

it('an old journal counts all runs of its definition', async () => {
  const e = sortingIn()
  await e.run()
  await e.run('--filter', 'size <= 100')
  changeJournal(e.dir, backToVersion3)
  expect(await e.compared()).toEqual({ pairs: 10, runs: 60, not_run: 0 })
  expect(await e.status()).toMatchObject({ planned: 60, completed: 60 })
})

describe("a reader's own filter", () => {
  it('is stated by every command, and several of them too', async () => {
    const e = sortingIn()
    await e.run()
    const filters = ['--filter', 'size <= 100', '--filter', 'seed > 2']
    for (const args of [['compare'], ['effects'], ['analyze'], ['variance', '--output', 'none']]) {
      const ended = await assay([...args, e.dir, ...filters], e)
      expect(ended.stdout, args.join()).toContain('only size <= 100 and seed > 2')
    }
    const short = await assay(['compare', e.dir, '--output.print-table', 'false', '--filter', 'size <= 100'], e)
    expect(short.stdout).toContain('only size <= 100')
    expect((await e.reported(...filters)).badges).toContain('warning: only size <= 100 and seed > 2: 32 of 60 runs')
    expect((await e.reported('--filter', 'size <= 100')).badges).toContain('warning: only size <= 100: 40 of 60 runs')
    expect((await assay(['report', e.dir, ...filters], e)).stdout).toContain('only size <= 100\nonly seed > 2\n')
  })

  it('of a partial experiment is reported as partial, too', async () => {
    const e = sortingIn()
    await e.run('--filter', 'size <= 100')
    const ended = await assay(['compare', e.dir, '--filter', 'seed > 2'], e)
    expect(ended.stdout).toContain('partial: 40 of 60 planned runs have ended, and the filter chose among these')
  })
})
