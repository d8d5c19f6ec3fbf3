import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { cacheCommand } from '../../../../src/cli/commands/keep/cache.ts'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../../../support/assay.ts'
import { fakeIo } from '../../fake-io.ts'

/** An experiment that has asked two models two questions each. */
async function asked() {
  const cwd = folderWith({
    'experiment.yaml': `
      name: asks
      target: { kind: prompt, prompts: { say: "Say {{word}}." }, models: [sim/echo, sim/small] }
      factors: { word: [one, two] }`,
  })
  expect((await assay(['run', '-q'], { cwd })).status).toBe(0)
  const folder = join(cwd, 'results/.cache/calls')
  const files = () =>
    readdirSync(folder, { recursive: true })
      .map(name => join(folder, String(name)))
      .filter(path => statSync(path).isFile())
  return { cwd, folder, files, cache: (...args: string[]) => assay(['cache', ...args], { cwd }) }
}

const modelIn = (file: string): string => JSON.parse(readFileSync(file, 'utf8')).call.model

function aged(files: readonly string[], days: number): void {
  const at = Date.now() / 1000 - days * 86_400
  for (const file of files) utimesSync(file, at, at)
}

describe('cache', () => {
  it('shows where cached answers are, how many, how large, of which models and how old', async () => {
    const e = await asked()
    aged(
      e.files().filter(file => modelIn(file) === 'sim/small'),
      3,
    )
    const bytes = e.files().reduce((sum, file) => sum + statSync(file).size, 0)
    const { stdout } = await e.cache()
    expect(stdout).toContain(`${e.folder}: 4 answers, `)
    expect(stdout).toMatch(/model +answers +size +oldest +newest\n/)
    expect(stdout).toMatch(/sim\/echo +2 +\d.* (KB|B) +[\d.]+m?s ago/)
    expect(stdout).toMatch(/sim\/small +2 +\d.* (KB|B) +3d0h ago +3d0h ago/)
    for (const place of [[], ['list'], ['list', 'experiment.yaml'], ['list', 'results'], ['list', 'results/asks']])
      expect(JSON.parse((await e.cache(...place, '--json')).stdout)).toMatchObject({
        kind: 'cache',
        dir: e.folder,
        answers: 4,
        bytes,
        models: [
          { model: 'sim/echo', answers: 2 },
          { model: 'sim/small', answers: 2, oldest: expect.stringMatching(/^\d{4}-/) },
        ],
      })
    const elsewhere = folderWith()
    expect((await assay(['cache'], { cwd: elsewhere })).stdout).toBe(
      `${join(elsewhere, 'results/.cache/calls')}: no answers are kept\n`,
    )
  })

  it('deletes old answers, and lists them in a dry run', async () => {
    const e = await asked()
    aged(
      e.files().filter(file => modelIn(file) === 'sim/small'),
      31,
    )
    const dry = await e.cache('prune', '--older-than', '30d', '-n')
    expect(dry.stdout).toMatch(/^would delete 2 answers of 4, [\d.]+ KB, in /)
    expect(e.files()).toHaveLength(4)
    const done = await e.cache('prune', '--older-than', '30d', '--json')
    expect(JSON.parse(done.stdout)).toMatchObject({
      kind: 'cache_prune',
      dry_run: false,
      answers: 2,
      left: { answers: 2 },
    })
    expect(e.files().map(modelIn)).toEqual(['sim/echo', 'sim/echo'])
    expect((await e.cache('prune', '--older-than', '30d')).stdout).toMatch(/^there is nothing to delete in /)
  })

  it('deletes the answers of a model; a run repeats only those calls', async () => {
    const e = await asked()
    expect((await e.cache('prune', '--model', 'sim/echo')).stdout).toMatch(/^deleted 2 answers of 4, /)
    expect((await assay(['run', '-q', '--fresh'], { cwd: e.cwd })).status).toBe(0)
    const traces = readdirSync(join(e.cwd, 'results/asks/runs')).map(run =>
      readFileSync(join(e.cwd, 'results/asks/runs', run, 'trace.jsonl'), 'utf8'),
    )
    const cached = (model: string) =>
      traces
        .filter(text => text.includes(`"${model}"`))
        .map(text => /is_cached","value":\{"boolValue":(\w+)/.exec(text)?.[1])
    expect(cached('sim/echo')).toEqual(['false', 'false'])
    expect(cached('sim/small')).toEqual(['true', 'true'])
    expect(e.files()).toHaveLength(4)
  })

  it('deletes the oldest until the size limit is met', async () => {
    const e = await asked()
    const [first = '', ...others] = e.files()
    aged([first], 2)
    const room = others.reduce((sum, file) => sum + statSync(file).size, 0)
    await e.cache('prune', '--max-size', `${room}B`)
    expect(e.files()).toEqual(others)
    await e.cache('prune', '--max-size', '0')
    expect(e.files()).toEqual([])
  })

  it('can be pruned repeatedly while another process uses it', async () => {
    const cwd = folderWith({
      'experiment.yaml': `
        name: asks
        target: { kind: prompt, prompts: { say: "Say {{word}} ${'at length '.repeat(600)}" }, models: [sim/echo] }
        replicates: 40
        factors: { word: [one, two, three] }`,
    })
    const running = startAssay(['run', '-q', '--json'], { cwd })
    let isRunning = true
    void running.ended.then(() => {
      isRunning = false
    })
    let deleted = 0
    while (isRunning || deleted === 0) {
      const pruned = await assay(['cache', 'prune', '--max-size', '0', '--json'], { cwd })
      expect([pruned.status, pruned.stderr]).toEqual([0, ''])
      deleted += JSON.parse(pruned.stdout).answers
    }
    expect(summaryOf(await running.ended)).toMatchObject({ completed: 120, failed: 0, infra_error: 0 })
    expect((await running.ended).stderr).toBe('')
  })

  it('refuses with a reason', async () => {
    const e = await asked()
    const said = async (...args: string[]) => {
      const ended = await e.cache(...args)
      return `${ended.status} ${complaint(ended, e)}`
    }
    expect(await said('prune')).toMatch(/^2 .*the answers to delete[\s\S]*--older-than 30d/)
    expect(await said('prune', '--model', 'sim/ecko')).toMatch(/^2 .*no answer of sim\/ecko is kept[\s\S]*sim\/echo/)
    expect(await said('prune', '--older-than', 'long')).toMatch(/^2 .*--older-than: expected a duration such as 30d/)
    expect(await said('prune', '--max-size', '1 apple')).toMatch(/^2 .*--max-size: expected a size such as 1GB/)
    expect(await said('--max-size', '1GB')).toMatch(/^2 .*assay cache prune/)
    expect(await said('list', 'nowhere')).toMatch(/^2 .*nowhere/)
    expect(await said('show', 'experiment.yaml')).toMatch(/^2 .*experiment.yaml is not the file of a kept call/)
    expect(e.files()).toHaveLength(4)
  })

  it('asks on a terminal, and deletes nothing without a yes', async () => {
    const e = await asked()
    const answered = async (line: string, more: { yes?: true } = {}) => {
      const stdin = Object.assign(new PassThrough(), { isTTY: true })
      stdin.end(`${line}\n`)
      const io = fakeIo('', { cwd: e.cwd, isTTY: true, stdin })
      await cacheCommand(['prune', 'results'], { model: 'sim/echo', ...more }, io)
      return io.stdout.text()
    }
    expect(await answered('')).toMatch(/^Delete 2 answers of 4, .*\? \[y\/N\] nothing was deleted\n$/)
    expect(e.files()).toHaveLength(4)
    expect(await answered('y')).toMatch(/\[y\/N\] deleted 2 answers of 4/)
    expect(e.files()).toHaveLength(2)
  })

  it('shows a cached or recorded call', async () => {
    const e = await asked()
    await assay(['run', '-q', '--fresh', '--record', 'tape'], { cwd: e.cwd })
    expect((await e.cache('list', 'tape')).stdout).toContain(`${join(e.cwd, 'tape')}: 4 answers`)
    const [file = ''] = readdirSync(join(e.cwd, 'tape'), { recursive: true })
      .map(String)
      .filter(name => name.endsWith('.json'))
    const { stdout } = await e.cache('show', join('tape', file))
    expect(JSON.parse(stdout)).toMatchObject({
      call: { messages: [{ role: 'user', content: expect.stringContaining('Say') }] },
      answer: { text: expect.any(String) },
    })
  })
})
