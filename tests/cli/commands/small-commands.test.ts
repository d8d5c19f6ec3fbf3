import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith } from '../../support/assay.ts'
import { linesOf } from '../../support/files.ts'
import { journalRows } from '../../support/journal.ts'
import { prepared } from '../../support/prepared.ts'

const definition = `
name: e
target: { kind: command, command: [sh, -c, '[ {x} = 2 ] || echo "{{\\"score\\": {x}.5}}" >> $ASSAY_METRICS_FILE; [ {x} != 3 ]'] }
factors: { x: [1, 2, 3] }
metrics: { score: { goal: maximize } }
`

const ran = prepared(async () => {
  const cwd = folderWith({ 'experiment.yaml': definition })
  await assay(['run', '-q'], { cwd })
  return cwd
})

async function finished() {
  const cwd = await ran()
  const dir = join(cwd, 'results/e')
  const names = journalRows<{ name: string }>(dir, 'SELECT name FROM runs ORDER BY name').map(run => run.name)
  return { cwd, dir, names, say: (...words: string[]) => assay(words, { cwd }) }
}

describe('assay why', () => {
  it('explains the next action for a run, and the outcome of every attempt', async () => {
    const e = await finished()
    const why = await e.say('why', 'results/e', 'x-3')
    expect(why.status).toBe(0)
    const shown = why.stdout.replace(/\d{4}-.* UTC on \S+, \S+:/, '<when and where>:')
    expect(shown).toMatchInlineSnapshot(`
      "x-3__b2746ab93c41
        the next \`assay run\` leaves it as it is: it failed; --retry-failed runs it again
        attempt 1, <when and where>: failed, exit code 1: the program ended with exit code 1
      "
    `)
    const json = JSON.parse((await e.say('why', 'results/e', 'x-1', '--json')).stdout)
    expect(json).toMatchObject({ kind: 'why', action: 'reuse', why: 'it is completed', params: { x: 1 } })
    expect(json.attempts).toMatchObject([
      { number: 1, outcome: 'completed', facts: { exit_code: 0 }, superseded: false },
    ])
    expect(Object.keys(json.attempts[0]).sort()).toEqual(
      [
        ...[
          'number',
          'outcome',
          'facts',
          'fingerprint',
          'started_at',
          'ended_at',
          'wall_s',
          'cost_usd',
          'cost_assumed',
        ],
        ...['superseded', 'worker', 'mode', 'continues', 'stderr_tail'],
      ].sort(),
    )
  })

  it('shows the last output line of every attempt', async () => {
    const program = '#!/bin/sh\necho attempt >> attempts\necho "bad thing $(wc -l < attempts)" >&2\nexit 3\n'
    const cwd = folderWith({
      'program.sh': program,
      'experiment.yaml': `name: e
target: { kind: command, command: [./program.sh] }
limits: { retries: { failed: 1, backoff: 1ms } }
`,
    })
    await assay(['run', '-q'], { cwd })
    const [name = ''] = journalRows<{ name: string }>(join(cwd, 'results/e'), 'SELECT name FROM runs').map(r => r.name)
    const { stdout } = await assay(['why', 'results/e', name], { cwd })
    expect(stdout.match(/: failed, .*/g)).toEqual([
      ': failed, exit code 3: bad thing 1',
      ': failed, exit code 3: bad thing 2',
    ])
  })

  it("accepts a run's folder as the run", async () => {
    const e = await finished()
    const byName = await e.say('why', 'results/e', 'x-1')
    expect(await e.say('why', 'results/e/runs/x-1__3f2a')).toMatchObject({ status: 2 })
    const [name = ''] = byName.stdout.split('\n')
    expect(await e.say('why', `results/e/runs/${name}/`)).toEqual(byName)
    expect((await e.say('why', 'results/e')).stderr).toContain('which run? `assay why` needs an experiment and a run')
  })

  it('reports a name that fits no run, or several', async () => {
    const e = await finished()
    expect(await e.say('why', 'results/e', 'y-1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('there is no run "y-1"'),
    })
    expect(await e.say('why', 'results/e', 'x-')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('"x-" fits several runs'),
    })
  })
})

describe('assay set', () => {
  it('suggests the nearest name, and lists what can be set', async () => {
    const e = await finished()
    const wrong = await e.say('set', 'results/e', 'job=4')
    expect(wrong.status).toBe(2)
    expect(wrong.stderr).toMatchInlineSnapshot(`
      "error: can't set "job=4"; did you mean jobs=…?
      You can set: jobs=… timeout=… grace=… budget_usd=… run_budget_usd=… run_calls=… run_tokens=… fail_on_rate_limit=… quarantine_after=… halt=… rate.<provider>=…
      "
    `)
    const value = await e.say('set', 'results/e', 'timeout=soon')
    expect(value.status).toBe(2)
    expect(value.stderr).toMatchInlineSnapshot(`
      "error: timeout: expected a duration such as 90s, 30m or 1h30m, got "soon"
      "
    `)
  })

  it('sets rates provider by provider', async () => {
    const e = await finished()
    await e.say('set', 'results/e', 'rate.openai=500rpm,200k tpm', 'rate.sim=4 at once', 'run_calls=50')
    await e.say('set', 'results/e', 'rate.openai=none')
    expect((await e.say('status')).stdout).toContain("limits set: rate.openai=none 'rate.sim=4 at once' run_calls=50\n")
    const wrong = await e.say('set', 'results/e', 'rate.openai=fast')
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      'error: expected a rate such as "500rpm", "500rpm,200000tpm" or "60rpm,4 at once", got "fast"\n',
    ])
  })

  it('accepts only the names that it lists', async () => {
    const e = await finished()
    const ended = await e.say('set', 'results/e', 'toString=1')
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain('error: can\'t set "toString=1"\nYou can set: jobs=…')
  })

  it('sets all or nothing', async () => {
    const e = await finished()
    await e.say('set', 'results/e', 'jobs=4', 'timeout=soon')
    expect((await e.say('status')).stdout).not.toContain('limits set')
    await e.say('set', 'results/e', 'jobs=4', 'timeout=10m', 'halt=fail=3')
    expect((await e.say('status')).stdout).toContain('limits set: jobs=4 timeout=10m halt=fail=3\n')
    await e.say('set', 'results/e', 'timeout=none', 'halt=12.5%')
    expect((await e.say('status')).stdout).toContain('limits set: jobs=4 timeout=none halt=fail=12.5%\n')
  })

  it('applies to plan and run, unless the command line overrides it', async () => {
    const e = await finished()
    await e.say('set', 'results/e', 'jobs=7')
    const jobsOf = async (...words: string[]) => / jobs=(\d+)/.exec((await e.say(...words)).stdout)?.[1]
    expect(await jobsOf('plan')).toBe('7')
    expect(await jobsOf('run')).toBe('7')
    expect(await jobsOf('plan', '-j', '3')).toBe('3')
    expect(await jobsOf('run', '-j', '3')).toBe('3')
    expect((await e.say('status')).stdout).not.toContain('limits set')
  })
})

it('commands use the experiment in this folder by default', async () => {
  const e = await finished()
  expect(await e.say('why', 'x-1')).toEqual(await e.say('why', 'results/e', 'x-1'))
  expect((await e.say('why', 'results')).stderr).toContain('which run?')
  expect(await e.say('set', 'jobs=4')).toMatchObject({ status: 0, stderr: '' })
  expect(await e.say('set', '.', 'timeout=10m')).toMatchObject({ status: 0, stderr: '' })
  expect(await e.say('pause')).toMatchObject({ status: 0, stderr: '' })
  expect((await e.say('status')).stdout).toMatch(/limits set: jobs=4 timeout=10m\n.*\(paused\)/)
  expect((await e.say('resume', '.')).stdout).toContain('resumed')
  expect((await e.say('stop', 'experiment.yaml')).stdout).toContain('stopping')
  expect((await e.say('tag', '.', 'paper')).stdout).toBe(`${e.dir}\n  tags: paper\n`)
  for (const words of [['set'], ['set', 'results/e']])
    expect(await e.say(...words)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('You can set: jobs='),
    })
})

describe('assay tag', () => {
  it('adds tags and notes to an experiment or a run, and removes tags', async () => {
    const e = await finished()
    const [first = ''] = e.names
    expect((await e.say('tag', 'results/e', 'paper', 'final')).stdout).toBe(`${e.dir}\n  tags: paper, final\n`)
    const run = await e.say('tag', 'results/e', 'x-1', 'outlier', '--note', 'noisy machine')
    expect(run.stdout).toBe(`${first}\n  tags: outlier\n  note: noisy machine\n`)
    expect((await e.say('tag', 'results/e', '--remove', 'paper')).stdout).toBe(`${e.dir}\n  tags: final\n`)
    expect((await e.say('tag', 'results/e', '--remove', 'paper')).status).toBe(2)
    expect((await e.say('status')).stdout).toContain('tags: final')
    expect((await e.say('why', 'results/e', 'x-1')).stdout).toContain('tags: outlier\n  note: noisy machine')
  })

  it('does not treat a mistyped run as a tag of the whole experiment', async () => {
    const e = await finished()
    const [first = ''] = e.names
    const mistyped = first.replace('x-1', 'y-1')
    const refused = await e.say('tag', 'results/e', mistyped, 'outlier')
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toMatchInlineSnapshot(`
      "error: there is no run "y-1__fbcfa25c2be0" in this experiment; did you mean x-1__fbcfa25c2be0?
      To tag the whole experiment with a word that looks like a run, write it after another tag.
      "
    `)
    expect((await e.say('tag', 'results/e', 'x-4', 'outlier')).status).toBe(2)
    expect((await e.say('tag', 'results/e')).stdout).toContain('tags: none')
    expect((await e.say('tag', 'results/e', 'paper', 'x-4')).stdout).toContain('tags: paper, x-4')
    expect((await e.say('tag', 'results/e', 'x-4', '--remove')).stdout).toContain('tags: paper\n')
  })

  it('run --tag and --note label the experiment', async () => {
    const e = await finished()
    await e.say('run', '-q', '--tag', 'nightly', '--note', 'after the fix')
    expect((await e.say('status')).stdout).toContain('tags: nightly\n  note: after the fix')
  })
})

describe('assay collect', () => {
  it('leaves a missing metric blank with its reason, never 0', async () => {
    const e = await finished()
    expect((await e.say('collect', 'results/e')).stdout).toBe(`wrote: ${join(e.dir, 'aggregate/runs.csv')} rows=3\n`)
    const [header = '', ...rows] = linesOf(join(e.dir, 'aggregate/runs.csv'))
    const columns = header.split(',')
    const cell = (row: number, column: string) => rows[row]?.split(',')[columns.indexOf(column)]
    expect([0, 1, 2].map(row => cell(row, 'score'))).toEqual(['1.5', '', '3.5'])
    expect([0, 1, 2].map(row => cell(row, 'outcome'))).toEqual(['completed', 'completed', 'failed'])
    expect(cell(1, 'metric_problems')).toBe('score: the run did not report score')
    expect(cell(0, 'metric_problems')).toBe('')
  })

  it('as JSON lines, to a file or to standard output', async () => {
    const e = await finished()
    const out = await e.say('collect', 'results/e', '--format', 'jsonl', '--out-csv', '-')
    const rows = out.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(rows.map(row => row.score)).toEqual([1.5, null, 3.5])
    expect((await e.say('collect', 'results/e', '--out_csv', 'all.jsonl')).stdout).toContain('all.jsonl rows=3')
    expect(linesOf(join(e.cwd, 'all.jsonl')).map(line => JSON.parse(line))).toEqual(rows)
    const csv = await e.say('collect', 'results/e', '--out-csv', '-')
    expect(csv.stdout.split('\n')[0]).toMatch(/^run_id,seed,exit_code,wall_time_s,/)
  })

  it('lists its formats, and refers to other commands for the rest', async () => {
    const e = await finished()
    expect(await e.say('collect', '--format', 'xml')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--format: expected csv or jsonl, got "xml"'),
    })
    expect((await e.say('collect', '--format', 'parquet')).stderr).toContain('assay export --format parquet')
  })

  it('reports a new folder for a file, because the name may be mistyped', async () => {
    const e = await finished()
    const ended = await e.say('collect', '--out-csv', 'tabels/all.csv')
    expect(ended).toMatchObject({
      status: 0,
      stderr: `${join(e.cwd, 'tabels')} does not exist yet and will be created\n`,
    })
    expect((await e.say('export', '--output', 'exprots/all.csv')).stderr).toContain(
      'exprots does not exist yet and will be created',
    )
    expect((await e.say('collect', '--out-csv', 'tabels/more.csv')).stderr).toBe('')
  })

  it('reports an experiment without runs', async () => {
    const cwd = folderWith({
      'e.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\nhooks: { setup: "exit 1" }\n',
    })
    await assay(['run', 'e.yaml'], { cwd })
    const ended = await assay(['collect', 'results/e'], { cwd })
    expect(ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('nothing was written') })
  })
})
