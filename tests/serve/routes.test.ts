import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { writeAtif } from '../../src/models/trajectory/trajectory-files.ts'
import type { StoryView, TrajectoryView } from '../../src/report/dataset/turns.ts'
import { unpackDataset } from '../../src/report/dataset/unpack.ts'
import type { Headline, Overview, Progress, RunDetails } from '../../src/serve/wire.ts'
import { madeTrajectory } from '../support/agent-work.ts'
import { assay, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { heard, serveRoot } from '../support/dashboard.ts'
import { prepared } from '../support/prepared.ts'
import { aTurn, storyFiles } from '../support/story-records.ts'

const files = {
  'work.sh': `#!/bin/sh
echo "<script>alert(1)</script> $1"
seq 1 20000 > "$2/long.txt"
echo '{"step": 1, "loss": 0.5}' >> "$ASSAY_METRICS_FILE"
echo '{"step": 2, "loss": 0.25}' >> "$ASSAY_METRICS_FILE"
[ "$1" = bad ] && { echo "no such policy" >&2; exit 7; }
exit 0
`,
  'e.yaml': `name: e
target: { kind: command, command: ["./work.sh", "{policy}", "{out_dir}"] }
factors: { policy: [good, bad] }
seeds: 1..2
metrics: { loss: { goal: minimize, primary: true } }
`,
}

const finished = prepared(async () => {
  const cwd = folderWith(files)
  await assay(['run', 'e.yaml', '-q'], { cwd })
  return cwd
})

const json = async <T>(response: Response): Promise<T> => (await response.json()) as T

/** The most memory that a process has had so far; 0 where it can't be known. */
function peakMegabytes(pid: number): number {
  const file = `/proc/${pid}/status`
  return existsSync(file) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1e3 : 0
}

describe('what the dashboard answers', () => {
  it('lists every experiment under the root, with its state and best value', async () => {
    const cwd = await finished()
    await assay(['run', 'e.yaml', '-q', '--out-root', 'results/more', '--exp-name', 'other'], { cwd })
    mkdirSync(join(cwd, 'results/broken'))
    writeFileSync(join(cwd, 'results/broken/journal.db'), 'no database')
    const { ask } = await serveRoot(cwd)
    const list = await json<Overview[]>(await ask('/api/experiments'))
    expect(list.map(({ id }) => id)).toEqual(['broken', 'e', 'more/other'])
    expect(list[0]).toMatchObject({ problem: expect.stringContaining('journal.db is damaged') })
    expect(list[1]).toMatchObject({
      name: 'e',
      state: 'complete',
      metric: 'loss',
      best: { value: 0.25 },
      summary: { planned: 4, completed: 2, failed: 2, pending: 0 },
    })
  })

  it('gives the verdict of the report, cached while nothing changes', async () => {
    const cwd = folderWith({
      'work.sh': '#!/bin/sh\necho "{\\"loss\\": $(( $1 * (10 + $2 % 3) ))}" >> "$ASSAY_METRICS_FILE"\n',
      'e.yaml': `name: e
target: { kind: command, command: ["./work.sh", "{policy}", "{seed}"] }
factors: { policy: [2, 1] }
seeds: 1..6
metrics: { loss: { goal: minimize, primary: true } }
`,
    })
    await assay(['run', 'e.yaml', '-q'], { cwd })
    const { ask } = await serveRoot(cwd)
    const said = await json<Headline>(await ask('/api/headline', { dir: 'e' }))
    expect(said).toMatchObject({ verdict: 'better', headline: expect.stringContaining('policy=1') })
    const report = JSON.parse((await assay(['report', 'results/e', '--json'], { cwd })).stdout)
    expect(report.headline).toBe(said.headline)
    await assay(['run', 'e.yaml', '-q', '--seeds', '1..7'], { cwd })
    expect((await json<Headline>(await ask('/api/headline', { dir: 'e' }))).headline).not.toBe(said.headline)
  })

  it('gives the dataset of the experiment’s report', async () => {
    const cwd = await finished()
    const { ask } = await serveRoot(cwd)
    const response = await ask('/api/dataset', { dir: 'e' })
    const dataset = unpackDataset(new Uint8Array(await response.arrayBuffer()))
    const rows = (await assay(['collect', 'results/e', '--format', 'jsonl', '--out-csv', '-'], { cwd })).stdout
    expect(dataset.title).toBe('e')
    expect(dataset.evidence.runs.map(({ name, metrics }) => [name, metrics.loss]).sort()).toEqual(
      rows
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
        .map(row => [row.run_id, row.loss])
        .sort(),
    )
    const bad = dataset.evidence.runs.findIndex(({ params }) => params.policy === 'bad')
    expect(dataset.evidence.runs[bad]?.outcome).toMatchObject({ kind: 'failed', exit_code: 7 })
    expect(dataset.folders[bad]?.output.find(({ stream }) => stream === 'stderr')?.text).toBe('no such policy\n')
    const etag = response.headers.get('etag') ?? ''
    expect((await ask('/api/dataset', { dir: 'e' }, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it('makes the experiment a factor for several', async () => {
    const cwd = await finished()
    await assay(['run', 'e.yaml', '-q', '--exp-name', 'f'], { cwd })
    const { address } = await serveRoot(cwd)
    const response = await fetch(`${address}api/dataset?dir=e&dir=f`)
    const { evidence } = unpackDataset(new Uint8Array(await response.arrayBuffer()))
    expect(evidence.factors[0]).toBe('experiment')
    expect(new Set(evidence.runs.map(({ source }) => source))).toEqual(new Set(['e', 'f']))
  })

  it('gives parameters, attempts, metrics, series, files and output of a run', async () => {
    const cwd = await finished()
    await assay(['run', 'e.yaml', '-q', '--retry-failed'], { cwd })
    const { ask } = await serveRoot(cwd)
    const name = await nameOf(cwd, 'bad')
    const run = await json<RunDetails>(await ask('/api/run', { dir: 'e', run: name }))
    expect(run).toMatchObject({ name, state: 'failed', params: { policy: 'bad' }, metrics: { loss: 0.25 } })
    expect(run.attempts.map(({ number, outcome }) => [number, outcome?.kind])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
    ])
    expect(run.series).toEqual([{ metric: 'loss', steps: [1, 2], values: [0.5, 0.25] }])
    expect(run.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['out/long.txt', 'stdout.txt']))
    expect(run.output.find(({ stream }) => stream === 'stderr')?.text).toBe('no such policy\n')
    expect((await ask('/api/run', { dir: 'e', run: 'nobody' })).status).toBe(404)
  })

  it('gives files as text, piece by piece, and never as a page', async () => {
    const cwd = await finished()
    const { ask } = await serveRoot(cwd)
    const run = await nameOf(cwd, 'good')
    const whole = readFileSync(join(cwd, 'results/e/runs', run, 'out/long.txt'), 'utf8')
    const piece = await ask('/api/file', { dir: 'e', run, path: 'out/long.txt', from: '100', bytes: '50' })
    expect(await piece.text()).toBe(whole.slice(100, 150))
    expect(piece.headers.get('x-file-size')).toBe(String(whole.length))
    const end = await ask('/api/file', { dir: 'e', run, path: 'out/long.txt', from: '-6' })
    expect(await end.text()).toBe('20000\n')
    const printed = await ask('/api/file', { dir: 'e', run, path: 'stdout.txt' })
    expect(await printed.text()).toContain('<script>')
    expect(printed.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(printed.headers.get('x-content-type-options')).toBe('nosniff')
    const saved = await ask('/api/file', { dir: 'e', run, path: 'out/long.txt', download: '' })
    expect(saved.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''long.txt")
    expect(await saved.text()).toBe(whole)
    expect((await ask('/api/file', { dir: 'e', run, path: 'out/long.txt', from: 'x' })).status).toBe(400)
  })

  it('never reads a huge file whole', async () => {
    const cwd = await finished()
    const { ask } = await serveRoot(cwd)
    const run = await nameOf(cwd, 'good')
    const file = join(cwd, 'results/e/runs', run, 'out/huge.bin')
    writeFileSync(file, '')
    // A hole of a terabyte takes no room on disk, and would take all of it in memory.
    truncateSync(file, 2 ** 40)
    const piece = await ask('/api/file', { dir: 'e', run, path: 'out/huge.bin', from: '-10', bytes: '999999999' })
    expect(piece.headers.get('x-file-size')).toBe(String(2 ** 40))
    expect((await piece.arrayBuffer()).byteLength).toBe(10)
    const start = await ask('/api/file', { dir: 'e', run, path: 'out/huge.bin', bytes: '999999999' })
    expect((await start.arrayBuffer()).byteLength).toBe(256 * 1024)
  })

  it('lets no path leave the root', async () => {
    const cwd = await finished()
    const run = await nameOf(cwd, 'good')
    const folder = join(cwd, 'results/e/runs', run)
    writeFileSync(join(cwd, 'secret.txt'), 'secret')
    symlinkSync(join(cwd, 'secret.txt'), join(folder, 'link.txt'))
    symlinkSync(cwd, join(folder, 'up'))
    symlinkSync(cwd, join(cwd, 'results/elsewhere'))
    const { ask, address } = await serveRoot(cwd)
    const paths = [
      '../../../../secret.txt',
      '../../journal.db',
      '..',
      '',
      '/etc/passwd',
      'link.txt',
      'up/secret.txt',
      'stdout.txt\0.png',
      'out',
      '%2e%2e/%2e%2e/journal.db',
    ]
    for (const path of paths) {
      const response = await ask('/api/file', { dir: 'e', run, path })
      expect({ path, status: response.status }).toEqual({
        path,
        status: expect.toSatisfy(code => code === 400 || code === 404),
      })
      expect(await response.text()).not.toContain('secret\n')
    }
    for (const dir of ['..', '../', '.', 'e/../..', 'elsewhere', 'elsewhere/results/e', join(cwd, 'results/e'), ''])
      expect({ dir, status: (await ask('/api/run', { dir, run })).status }).toEqual({ dir, status: 404 })
    expect((await ask('/api/file', { dir: 'e', run: '../..', path: 'journal.db' })).status).toBe(404)
    for (const path of ['..%2f..%2fetc/passwd', 'live.js/../../secret.txt', 'dist/cli.js'])
      expect((await fetch(`${address}${path}`)).status).toBe(404)
  })

  it('shows only a run’s own files, despite links in its folder', async () => {
    const cwd = await finished()
    const run = await nameOf(cwd, 'good')
    const folder = join(cwd, 'results/e/runs', run)
    symlinkSync('../../journal.db', join(folder, 'journal'))
    symlinkSync('..', join(folder, 'runs'))
    symlinkSync('stdout.txt', join(folder, 'own'))
    const { ask } = await serveRoot(cwd)
    for (const path of ['journal', `runs/${run}/../../../summary.json`])
      expect({ path, status: (await ask('/api/file', { dir: 'e', run, path })).status }).toEqual({ path, status: 400 })
    expect((await ask('/api/file', { dir: 'e', run, path: 'own' })).status).toBe(200)
  })

  it('refuses invalid numbers and large requests', async () => {
    const cwd = await finished()
    const run = await nameOf(cwd, 'good')
    const { ask, address, pid } = await serveRoot(cwd)
    const response = await ask('/api/file', { dir: 'e', run, path: 'stdout.txt', bytes: '-5' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('bytes')
    const headers = { 'content-type': 'application/json', 'x-assay': '1' }
    const large = 'x'.repeat(100_000)
    expect((await fetch(`${address}api/control`, { method: 'POST', headers, body: large })).status).toBe(413)
    // Without a length, it is counted as it comes, and never held.
    const before = peakMegabytes(pid)
    const piece = new TextEncoder().encode(large.repeat(10))
    const pieces = ReadableStream.from(Array.from({ length: 200 }, () => piece))
    const streamed = { method: 'POST', headers, body: pieces, duplex: 'half' } as const
    expect(
      await fetch(`${address}api/control`, streamed).then(
        ({ status }) => status,
        () => 'cut',
      ),
    ).toBeOneOf([413, 'cut'])
    expect(peakMegabytes(pid) - before).toBeLessThan(80)
    expect((await ask('/api/experiments')).status).toBe(200)
  })

  it('never writes to a journal, and refuses one that needs an upgrade', async () => {
    const cwd = await finished()
    const journal = join(cwd, 'results/e/journal.db')
    const database = new DatabaseSync(journal)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    const before = readFileSync(journal)
    const first = await serveRoot(cwd)
    await first.ask('/api/dataset', { dir: 'e' })
    await first.ask('/api/experiments')
    expect(readFileSync(journal).equals(before)).toBe(true)
    const older = new DatabaseSync(journal)
    older.exec('PRAGMA user_version = 1')
    older.close()
    const refused = await first.ask('/api/dataset', { dir: 'e' })
    expect(refused.status).toBe(409)
    expect(await json(refused)).toMatchObject({ error: expect.stringContaining('written by an older assay') })
    expect((await first.tell('/api/control', { dir: 'e', control: 'pause' })).status).toBe(409)
    const after = new DatabaseSync(journal, { readOnly: true })
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
    after.close()
  })

  it('shows a trajectory from a turn on, and follows no link', async () => {
    const cwd = await finished()
    const { ask } = await serveRoot(cwd)
    const [first = '', second = '', third = ''] = readdirSync(join(cwd, 'results/e/runs'))
    const written = writeAtif(madeTrajectory({ turns: 30 }))
    writeFileSync(join(cwd, 'results/e/runs', first, 'trajectory.json'), written)
    writeFileSync(join(cwd, 'elsewhere.json'), written)
    symlinkSync(join(cwd, 'elsewhere.json'), join(cwd, 'results/e/runs', second, 'trajectory.json'))
    writeFileSync(join(cwd, 'results/e/runs', third, 'trajectory.json'), '<b>no</b>')
    const asked = (run: string, from: string) => ask('/api/trajectory', { dir: 'e', run, from })
    const view = await json<TrajectoryView>(await asked(first, '28'))
    expect([view.turn_count, view.turns.map(({ number }) => number)]).toEqual([30, [28, 29, 30]])
    expect((await json<RunDetails>(await ask('/api/run', { dir: 'e', run: first }))).trajectory).toMatchObject({
      turn_count: 30,
    })
    expect((await json<RunDetails>(await ask('/api/run', { dir: 'e', run: second }))).trajectory).toBe(null)
    expect(await json(await asked(third, '1'))).toMatchObject({ problem: expect.stringContaining('is not valid JSON') })
    const refused = [asked(second, '1'), asked(first, '0'), asked(first, 'x'), asked('../e', '1')]
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([404, 400, 400, 404])
  })

  it('shows the story of a scenario from any turn on, and none outside its folder', async () => {
    const cwd = await finished()
    const { ask } = await serveRoot(cwd)
    const [first = '', second = ''] = readdirSync(join(cwd, 'results/e/runs'))
    const inRun = (run: string, path: string) => join(cwd, 'results/e/runs', run, path)
    mkdirSync(inRun(first, 'turns'))
    for (const [path, text] of Object.entries(storyFiles([1, 2, 3, 4].map(turn => aTurn(turn)))))
      writeFileSync(inRun(first, path), text)
    symlinkSync(inRun(first, 'scenario-state.json'), inRun(second, 'scenario-state.json'))
    const asked = (run: string, from: string) => ask('/api/story', { dir: 'e', run, from })
    const view = await json<StoryView>(await asked(first, '3'))
    expect([view.turn_count, view.turns.map(({ number }) => number)]).toEqual([4, [3, 4]])
    const details = await json<RunDetails>(await ask('/api/run', { dir: 'e', run: first }))
    expect(details.story).toMatchObject({ scenario: 'Harbour', turn_count: 4, overview: [{}, {}, {}, {}] })
    expect((await json<RunDetails>(await ask('/api/run', { dir: 'e', run: second }))).story).toBe(null)
    const refused = [asked(second, '1'), asked(first, '0'), asked(first, 'x'), asked('../e', '1')]
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([404, 400, 400, 404])
  })
})

describe('while an experiment runs', () => {
  const slow = {
    'wait.sh': `#!/bin/sh
i=0
while [ ! -e "$1/go" ]; do
  i=$((i + 1))
  echo "{\\"step\\": $i, \\"loss\\": 0.$i}" >> "$ASSAY_METRICS_FILE"
  sleep 0.1
done
`,
    'slow.yaml': `name: slow
target: { kind: command, command: ["./wait.sh", "{folder}"] }
factors: { policy: [a, b] }
seeds: 1..2
limits: { jobs: 2 }
metrics: { loss: { goal: minimize, primary: true } }
`,
  }

  function startSlow() {
    const cwd = folderWith(slow)
    writeFileSync(join(cwd, 'slow.yaml'), slow['slow.yaml'].replace('{folder}', cwd))
    const run = startAssay(['run', 'slow.yaml', '--json'], { cwd })
    return { cwd, run }
  }

  it('shows running runs and their series, pauses, resumes, and shows the end', async () => {
    const { cwd, run } = startSlow()
    await run.said('"attempt_started"', 2)
    const served = await serveRoot(cwd)
    const growing = await heard<Progress>(served, 'slow', 'progress', ({ running }) =>
      running.some(({ series }) => (series[0]?.values.length ?? 0) > 3),
    )
    expect(growing.summary).toMatchObject({ planned: 4, running: 2, pending: 2 })
    expect(growing.workers).toMatchObject([{ kind: 'run', slots: 2 }])
    expect(growing.running[0]?.series[0]).toMatchObject({ metric: 'loss' })
    expect((await served.tell('/api/control', { dir: 'slow', control: 'pause' })).status).toBe(200)
    await heard<Progress>(served, 'slow', 'progress', ({ control }) => control === 'pause')
    const limits = await json(await served.tell('/api/limits', { dir: 'slow', set: ['jobs=3', 'timeout=90s'] }))
    expect(limits).toEqual({ limits: { jobs: 3, timeout_ms: 90_000 } })
    await heard<Progress>(served, 'slow', 'progress', now => now.limits?.jobs === 3)
    expect((await served.tell('/api/control', { dir: 'slow', control: 'go' })).status).toBe(200)
    writeFileSync(join(cwd, 'go'), '')
    const end = await heard<Progress>(served, 'slow', 'progress', ({ summary }) => summary.completed === 4)
    expect(end.version).not.toBe(growing.version)
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 4 })
    expect((await assay(['status', 'results/slow', '-v'], { cwd })).stdout).toContain('control  {"control":"pause"}')
  })

  it('stops now: running runs are cancelled', async () => {
    const { cwd, run } = startSlow()
    await run.said('"attempt_started"', 2)
    const served = await serveRoot(cwd)
    await heard<Progress>(served, 'slow', 'progress', ({ running }) => running.length === 2)
    await served.tell('/api/control', { dir: 'slow', control: 'stop_now' })
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 0, cancelled: 2 })
    await heard<Progress>(served, 'slow', 'progress', ({ workers }) => workers.length === 0)
  })

  it('shows spend and budget, and the used share of a provider’s rate', async () => {
    const cwd = folderWith({
      'asking.yaml': `name: asking
target: { kind: prompt, prompts: { p: "Say it {{n}} times." }, models: [sim/quick], tests: [{ vars: { n: 1 } }, { vars: { n: 2 } }] }
models: { sim/quick: { price: { input: 1, output: 2 }, rules: [{ json: { said: it } }] } }
limits: { budget_usd: 1, rate: { sim: { rpm: 600 } } }
`,
    })
    expect((await assay(['run', 'asking.yaml', '-q'], { cwd })).stderr).toBe('')
    const { ask } = await serveRoot(cwd)
    const progress = await json<Progress>(await ask('/api/progress', { dir: 'asking' }))
    expect(progress.budget_usd).toBe(1)
    expect(progress.summary.cost_usd).toBeGreaterThan(0)
    expect(progress.rates).toEqual([expect.objectContaining({ provider: 'sim', rpm: 600, requests: 2 })])
  })

  it('reports an invalid limit with the message of `assay set`', async () => {
    const cwd = await finished()
    const { tell } = await serveRoot(cwd)
    const wrong = await tell('/api/limits', { dir: 'e', set: ['jbos=3'] })
    expect(wrong.status).toBe(400)
    expect(await json(wrong)).toMatchObject({ error: expect.stringContaining('did you mean jobs=…?') })
    expect((await tell('/api/control', { dir: 'e', control: 'explode' })).status).toBe(400)
    expect((await tell('/api/limits', 'nothing')).status).toBe(400)
  })
})

async function nameOf(cwd: string, policy: string): Promise<string> {
  const database = new DatabaseSync(join(cwd, 'results/e/journal.db'), { readOnly: true })
  const row = database.prepare('SELECT name FROM runs WHERE name LIKE ? ORDER BY name').get(`policy-${policy}%`)
  database.close()
  return String(row?.name)
}
