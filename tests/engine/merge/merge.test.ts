import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { appeared, jsonOf } from '../../support/files.ts'
import { journalRows } from '../../support/journal.ts'

const files = {
  'experiment.yaml': `
name: parts
target: { kind: command, command: [./work.sh, "{x}"] }
factors: { x: 1..24, how: [slow, fast] }
seeds: 1..2
metrics: { answer: {}, cost_usd: {} }
limits: { budget_usd: 100, run_budget_usd: 1 }
`,
  'work.sh': `#!/bin/sh
[ "$1" != "$FAILS" ] || exit 3
echo "made by $WHO"
echo "{\\"answer\\": $(( $1 * 2 + \${EXTRA:-0} )), \\"cost_usd\\": 0.01}" >> "$ASSAY_METRICS_FILE"
`,
}

/** Clones of the same experiment, as on machines that share nothing. */
function clones(...names: readonly string[]): readonly string[] {
  const root = folderWith()
  return names.map(name => {
    const folder = join(root, name)
    mkdirSync(folder)
    cpSync(folderWith(files), folder, { recursive: true })
    return folder
  })
}

const run = (cwd: string, who: string, ...more: string[]) =>
  assay(['run', '--json', ...more], { cwd, env: { WHO: who, FAILS: '', EXTRA: '0' } })

const results = (cwd: string): string => join(cwd, 'results', 'parts')

const costs = (dir: string): number =>
  journalRows<{ usd: number }>(dir, "SELECT sum(usd) AS usd FROM ledger WHERE kind = 'charge'")[0]?.usd ?? 0

describe('merge', () => {
  it('combines shards: every run once, with files, costs and provenance; run, compare and report work on the result', async () => {
    const [a = '', b = '', c = '', here = ''] = clones('a', 'b', 'c', 'here')
    await run(a, 'a', '--shard', '1/3')
    await run(b, 'b', '--shard', '2/3')
    await run(c, 'c', '--shard', '3/3', '--first', '5')
    const into = results(here)
    const dirs = [a, b, c].map(results)
    const merged = await assay(['merge', ...dirs, '--into', into, '--json'], { cwd: here })
    expect(complaint(merged, { cwd: here })).toBe('')
    const told = JSON.parse(merged.stdout)
    expect(told).toMatchObject({ kind: 'merge', summary: { planned: 96, stale: 0, failed: 0 } })
    const made = dirs.map(dir => jsonOf<{ attempts: number }>(join(dir, 'summary.json')).attempts)
    expect(told.sources.map((source: { attempts: number }) => source.attempts)).toEqual(made)
    const total = made.reduce((sum, one) => sum + one, 0)
    expect(told.summary).toMatchObject({ completed: total, pending: 96 - total, attempts: total })
    expect(told.summary.cost_usd).toBeCloseTo(total * 0.01, 9)
    expect(costs(into)).toBeCloseTo(total * 0.01, 9)
    const places = journalRows<{ place: string; who: string }>(into, 'SELECT place FROM attempts')
    const makers = places.map(({ place }) => readFileSync(join(into, place, 'stdout.txt'), 'utf8').trim())
    expect(new Set(makers)).toEqual(new Set(['made by a', 'made by b', 'made by c']))
    const provenance = journalRows(into, 'SELECT w.id FROM workers w JOIN provenance p ON p.id = w.provenance_id')
    expect(provenance).toHaveLength(3)

    const before = journalRows(into, 'SELECT * FROM attempts ORDER BY id')
    const again = await assay(['merge', ...dirs, '--into', into], { cwd: here })
    expect(again.stdout.match(/nothing new/g)).toHaveLength(3)
    expect(journalRows(into, 'SELECT * FROM attempts ORDER BY id')).toEqual(before)

    const rest = await run(here, 'here')
    expect(complaint(rest, { cwd: here })).toBe('')
    expect(summaryOf(rest)).toMatchObject({ planned: 96, completed: 96, reused: total, attempts: 96 })
    for (const command of ['compare', 'report', 'status']) {
      const ended = await assay([command, 'results/parts', '--json'], { cwd: here })
      expect([command, complaint(ended, { cwd: here }), ended.status]).toEqual([command, '', 0])
    }
  })

  it('a run completed in both counts once: the first, and differences are reported', async () => {
    const [a = '', b = '', here = ''] = clones('a', 'b', 'here')
    await run(a, 'a', '--filter', 'x=1,2')
    await assay(['run', '--json', '--filter', 'x=2,3'], { cwd: b, env: { WHO: 'b', FAILS: '', EXTRA: '1' } })
    const merged = await assay(['merge', results(a), results(b), '--into', 'c'], { cwd: here })
    expect(merged.stdout).toMatch(/x-2_how-slow_seed-1\S* was made twice and differs in answer; the first counts/)
    const dir = join(here, 'c')
    const twice = journalRows<{ name: string; value: number; runs: number }>(
      dir,
      `SELECT r.name, m.value, (SELECT count(*) FROM attempts WHERE run_id = r.id) AS runs FROM runs r
       JOIN metrics m ON m.attempt_id = r.attempt_id AND m.name = 'answer' WHERE r.spec ->> '$.params.x' = 2`,
    )
    expect(twice.map(({ value, runs }) => [value, runs])).toEqual(Array.from({ length: 4 }, () => [4, 2]))
    expect(costs(dir)).toBeCloseTo(0.16, 9)
    const [{ name = '' } = {}] = twice
    expect(readFileSync(join(dir, 'runs', name, 'stdout.txt'), 'utf8')).toBe('made by a\n')
    expect(readFileSync(join(dir, 'runs', name, 'attempts', '2', 'stdout.txt'), 'utf8')).toBe('made by b\n')
  })

  it('a run that failed in one and completed in the other is completed, with both attempts kept', async () => {
    const [a = '', b = '', here = ''] = clones('a', 'b', 'here')
    const only = ['--filter', 'x=5', '--filter', 'how=fast', '--seeds', '1']
    await assay(['run', '--json', ...only], { cwd: a, env: { WHO: 'a', FAILS: '5', EXTRA: '0' } })
    await run(b, 'b', ...only)
    const merged = await assay(['merge', results(a), results(b), '--into', 'c', '--json'], { cwd: here })
    expect(JSON.parse(merged.stdout).summary).toMatchObject({ completed: 1, failed: 0, attempts: 2 })
    const dir = join(here, 'c')
    const rows = journalRows<{ place: string; number: number; outcome: string }>(
      dir,
      'SELECT number, outcome, place FROM attempts ORDER BY number',
    )
    expect(rows.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'failed'],
      [2, 'completed'],
    ])
    expect(rows.map(({ place }) => existsSync(join(dir, place, 'result.json')))).toEqual([true, true])
    expect(readFileSync(join(dir, rows[1]?.place ?? '', 'stdout.txt'), 'utf8')).toBe('made by b\n')
  })

  it('refuses another definition with the difference, a live process, and a directory into itself', async () => {
    const [a = '', b = '', c = '', here = ''] = clones('a', 'b', 'c', 'here')
    writeFileSync(join(b, 'experiment.yaml'), files['experiment.yaml'].replace('1..24', '1..30'))
    writeFileSync(join(c, 'experiment.yaml'), files['experiment.yaml'].replace('"{x}"', '"{x}", more'))
    for (const cwd of [a, b, c]) await run(cwd, 'x', '--first', '2')
    const refusal = async (...args: string[]) => {
      const ended = await assay(['merge', ...args], { cwd: here })
      expect(ended.status).toBe(2)
      return complaint(ended, { cwd: here })
    }
    expect(await refusal(results(a), results(b), '--into', 'd')).toContain('is of another definition than')
    expect(await refusal(results(a), results(b), '--into', 'd')).toContain('factors differ')
    expect(await refusal(results(a), results(c), '--into', 'd')).toContain('is of another definition than')
    expect(await refusal(results(a), '--into', results(a))).toContain("can't be merged into itself")
    expect(await refusal(results(a))).toContain('merge needs --into')
    expect(existsSync(join(here, 'd'))).toBe(false)
  })

  it('the same command finishes a killed merge', async () => {
    const [a = '', b = '', here = ''] = clones('a', 'b', 'here')
    await run(a, 'a', '--shard', '1/2')
    await run(b, 'b', '--shard', '2/2')
    const args = ['merge', results(a), results(b), '--into', 'c', '--json']
    const first = startAssay(args, { cwd: here })
    await appeared(join(here, 'c', 'runs'))
    first.child.kill('SIGKILL')
    await first.ended
    // As if it had been killed between two files.
    rmSync(join(here, 'c', 'runs', 'left.part'), { recursive: true, force: true })
    const ended = await assay(args, { cwd: here })
    expect(complaint(ended, { cwd: here })).toBe('')
    expect(JSON.parse(ended.stdout).summary).toMatchObject({ planned: 96, completed: 96, attempts: 96 })
    const dir = join(here, 'c')
    for (const { place } of journalRows<{ place: string }>(dir, 'SELECT place FROM attempts'))
      expect(existsSync(join(dir, place, 'result.json'))).toBe(true)
  })

  it('copies files and folders of runs, and names those that can’t be copied', async () => {
    const cwd = folderWith({
      'experiment.yaml': 'name: odd\ntarget: { kind: command, command: [./odd.sh] }\n',
      'odd.sh': `#!/bin/bash
cd "$ASSAY_OUT_DIR"
echo kept > file
mkfifo pipe
ln -s . loop
for n in {1..21}; do mkdir -p ${'d'.repeat(200)}; cd ${'d'.repeat(200)}; done
`,
    })
    await assay(['run', '-q'], { cwd })
    const merged = await assay(['merge', 'results/odd', '--into', 'whole'], { cwd })
    expect(complaint(merged, { cwd })).toBe('')
    expect(merged.stdout).toMatch(/not copied: .*\/out\/pipe\n/)
    expect(merged.stdout).toMatch(/not copied: .*\/out\/ddd/)
    const [run = ''] = readdirSync(join(cwd, 'whole/runs'))
    expect(readFileSync(join(cwd, 'whole/runs', run, 'out/file'), 'utf8')).toBe('kept\n')
    expect(readlinkSync(join(cwd, 'whole/runs', run, 'out/loop'))).toBe('.')
  })
})
