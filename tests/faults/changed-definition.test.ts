import { globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith, summaryOf } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'
import { expectAddsUp } from '../support/summary.ts'

const program = '#!/bin/sh\necho "$@" >> started\necho 1 > "$ASSAY_OUT_DIR/answer.txt"\n'

const definition = ({ flag = 'old', levels = '1, 2', more = '' } = {}) => `name: e
target: { kind: command, command: [./program.sh, '--${flag}', '{x}'] }
factors: { x: [${levels}] }
${more}`

/** An experiment that has been run to its end once. */
async function finished(more = '') {
  const cwd = folderWith({ 'program.sh': program, 'input.txt': 'one', 'e.yaml': definition({ more }) })
  expect((await assay(['run', 'e.yaml', '-q'], { cwd })).status).toBe(0)
  const dir = join(cwd, 'results', 'e')
  return {
    cwd,
    dir,
    run: (...args: string[]) => assay(['run', 'e.yaml', ...args], { cwd }),
    write: (name: string, text: string) => writeFileSync(join(cwd, name), text),
    started: () => linesOf(join(cwd, 'started')),
    aRun: () => journalRows<{ name: string }>(dir, 'SELECT name FROM runs ORDER BY id LIMIT 1')[0]?.name ?? '',
  }
}

describe('a changed command', () => {
  it('stops run until --stale is given, with one line on the change', async () => {
    const e = await finished()
    e.write('e.yaml', definition({ flag: 'new' }))
    const refused = await e.run()
    expect(refused.status).toBe(2)
    expect(complaint(refused, e)).toMatchInlineSnapshot(`
      "error: 2 finished runs belong to an earlier definition: target.command[1]: --old → --new
      Run them again with \`--stale rerun\`, or accept them as they are with \`--stale keep\`. Nothing was changed."
    `)
    expect(e.started()).toHaveLength(2)

    const plan = await assay(['plan', 'e.yaml'], e)
    expect(plan.status).toBe(0)
    expect(plan.stdout.replaceAll(e.cwd, '<cwd>')).toMatchInlineSnapshot(`
      "experiment: <cwd>/results/e
      planned_runs=2 to_run=0 skipped=2 jobs=2
      2 variants, interleaved order
      2 runs are not run, each because its definition changed: target.command[1]: --old → --new
      \`run\` will stop and ask for --stale rerun or --stale keep
      "
    `)
    const why = await assay(['why', 'e.yaml', e.aRun()], e)
    expect(why.stdout).toContain('stops and asks what to do with it: its definition changed:')
  })

  it('status and why agree with plan if the file is named, and report the change if the directory is', async () => {
    const e = await finished()
    e.write('e.yaml', definition({ flag: 'new' }))
    expect((await e.run()).status).toBe(2)
    const say = async (...words: string[]) => (await assay(words, e)).stdout.replaceAll(e.cwd, '<cwd>')
    expect(await say('status', 'e.yaml')).toContain('e: 2 runs: 2 stale\n')
    const counted = summaryOf(await assay(['status', 'e.yaml', '--json'], e))
    expect(counted).toMatchObject({ completed: 0, stale: 2 })
    expectAddsUp(counted)
    expect(await say('status', 'results/e')).toMatchInlineSnapshot(`
      "e: 2 runs: 2 completed
        in <cwd>/results/e
        no process is running it
        e.yaml has changed since: \`assay status e.yaml\` counts what is stale by it
      "
    `)
    const why = (await say('why', 'results/e', 'x-1')).split('\n').slice(0, 3).join('\n')
    expect(why).toMatchInlineSnapshot(`
      "x-1__fbcfa25c2be0
        the next \`assay run results/e\` reuses it: it is completed
        e.yaml has changed since: \`assay why e.yaml x-1\` shows what that means for it"
    `)
    e.write('e.yaml', definition())
    expect(await say('status', 'e.yaml')).toContain('e: 2 runs: 2 completed\n')
    expect(await say('status', 'results/e')).not.toContain('has changed')
    expect(await say('why', 'results/e', 'x-1')).toContain('the next `assay run` reuses it: it is completed')
  })

  it('--stale rerun runs them again and keeps their earlier attempts', async () => {
    const e = await finished()
    e.write('e.yaml', definition({ flag: 'new' }))
    const rerun = await e.run('--stale', 'rerun', '--json')
    expect(rerun.status).toBe(0)
    expect(summaryOf(rerun)).toMatchObject({ planned: 2, completed: 2, stale: 0, reused: 0, attempts: 4 })
    expectAddsUp(summaryOf(rerun))
    expect(e.started().sort()).toEqual(['--new 1', '--new 2', '--old 1', '--old 2'])
  })

  it('--stale keep accepts them, also the next time', async () => {
    const e = await finished()
    e.write('e.yaml', definition({ flag: 'new' }))
    expect(summaryOf(await e.run('--stale', 'keep', '--json'))).toMatchObject({ completed: 2, reused: 2, attempts: 2 })
    const next = await e.run('--json')
    expect(next.status).toBe(0)
    expect(summaryOf(next)).toMatchObject({ completed: 2, stale: 0, attempts: 2 })
  })

  it('accepted with --stale keep and then reverted: no question', async () => {
    const e = await finished()
    e.write('e.yaml', definition({ flag: 'new' }))
    await e.run('--stale', 'keep', '-q')
    e.write('e.yaml', definition())
    const back = await e.run('--json')
    expect(back.status).toBe(0)
    expect(summaryOf(back)).toMatchObject({ completed: 2, reused: 2, stale: 0, attempts: 2 })
  })

  it('of a run named by --rerun: plan and run agree that it runs', async () => {
    const e = await finished('seeds: [1]')
    e.write('e.yaml', definition({ flag: 'new', levels: '1', more: 'seeds: [1]' }))
    const named = ['--rerun', e.aRun()]
    expect((await assay(['plan', 'e.yaml', ...named], e)).stdout).toContain('planned_runs=1 to_run=1 skipped=0')
    const ended = await e.run('--json', ...named)
    expect(ended.status).toBe(0)
    expect(summaryOf(ended)).toMatchObject({ completed: 1, reused: 0, attempts: 3 })
    expect(e.started().at(-1)).toBe('--new 1')
  })

  it('with a lost output: --stale keep has nothing to keep, in plan and run', async () => {
    const more = 'outputs: [out/answer.txt]'
    const e = await finished(more)
    rmSync(join(e.dir, 'runs', e.aRun(), 'out/answer.txt'))
    e.write('e.yaml', definition({ flag: 'new', more }))
    expect((await assay(['plan', 'e.yaml', '--stale', 'keep'], e)).stdout).toContain(
      'planned_runs=2 to_run=1 skipped=1',
    )
    const kept = await e.run('--stale', 'keep', '--json')
    expect(kept.status).toBe(0)
    expect(summaryOf(kept)).toMatchObject({ completed: 2, reused: 1, attempts: 3 })
  })

  it('that is reverted makes them valid again', async () => {
    const e = await finished()
    e.write('e.yaml', definition({ flag: 'new' }))
    expect((await e.run()).status).toBe(2)
    e.write('e.yaml', definition())
    const back = await e.run('--json')
    expect(back.status).toBe(0)
    expect(summaryOf(back)).toMatchObject({ completed: 2, reused: 2, attempts: 2 })
  })
})

describe('other reasons for stale runs', () => {
  const withTarget = (more: string) => `name: e\ntarget: { kind: command, command: [./program.sh, '{x}'], ${more} }
factors: { x: [1] }\n`

  async function afterChange(before: string, after: string) {
    const cwd = folderWith({ 'program.sh': program, 'sub/.keep': '', 'e.yaml': withTarget(before) })
    const write = (more: string) => writeFileSync(join(cwd, 'e.yaml'), withTarget(more.replaceAll('<cwd>', cwd)))
    write(before)
    expect((await assay(['run', 'e.yaml', '-q'], { cwd })).status).toBe(0)
    write(after)
    const ended = await assay(['run', 'e.yaml', '-q'], { cwd })
    return ended.status === 0 ? 'reused' : complaint(ended, { cwd }).split('\n')[0]
  }

  it.each([
    ['exit_codes: { 3: failed }', 'exit_codes: { 3: completed }', 'target.exit_codes.3: failed → completed'],
    ['cwd: .', 'cwd: ./sub/..', 'target.cwd: . → ./sub/..'],
  ])('%s → %s', async (before, after, change) => {
    expect(await afterChange(before, after)).toBe(`error: 1 finished run belongs to an earlier definition: ${change}`)
  })

  it('not a moved folder', async () => {
    expect(await afterChange("cwd: '<cwd>'", "cwd: '<cwd>/sub/..'")).toBe('reused')
  })
})

it('a changed input makes runs stale, and is named', async () => {
  const e = await finished('inputs: [input.txt]')
  e.write('input.txt', 'two')
  const refused = await e.run()
  expect(refused.status).toBe(2)
  expect(complaint(refused, e)).toMatchInlineSnapshot(`
    "error: 2 finished runs belong to an earlier definition: input input.txt changed
    Run them again with \`--stale rerun\`, or accept them as they are with \`--stale keep\`. Nothing was changed."
  `)
})

it('a missing input blocks run, but not status', async () => {
  const e = await finished('inputs: [input.txt]')
  rmSync(join(e.cwd, 'input.txt'))
  expect((await e.run()).status).toBe(2)
  expect((await assay(['status', 'e.yaml'], e)).stdout).toContain('e: 2 runs: 2 completed\n')
})

it('changed limits, metrics and order change no run', async () => {
  const e = await finished()
  e.write('e.yaml', definition({ more: 'limits: { jobs: 3, timeout: 1h }\norder: listed\nmetrics: { m: {} }' }))
  const same = await e.run('--json')
  expect(same.status).toBe(0)
  expect(summaryOf(same)).toMatchObject({ completed: 2, reused: 2, attempts: 2 })
})

it('an added level runs only new runs; a removed one stays in the journal', async () => {
  const e = await finished()
  e.write('e.yaml', definition({ levels: '1, 2, 3' }))
  const more = await e.run('--json')
  expect(summaryOf(more)).toMatchObject({ planned: 3, completed: 3, reused: 2, attempts: 3 })
  e.write('e.yaml', definition({ levels: '3' }))
  const fewer = await e.run('--json')
  expect(summaryOf(fewer)).toMatchObject({ planned: 1, completed: 1, reused: 1, attempts: 3 })
  expectAddsUp(summaryOf(fewer))
  expect(journalRows(e.dir, 'SELECT count(*) AS n FROM runs')).toEqual([{ n: 3 }])
})

describe('an optional output', () => {
  const outputs = 'outputs: [{ path: out/plot.png, required: false }]\nmetrics: { m: {} }'
  const reporting = (more: string) => `${program}echo '{"m": 1}' >> "$ASSAY_METRICS_FILE"\n${more}\n`

  async function finishedWith(more: string) {
    const cwd = folderWith({ 'program.sh': reporting(more), 'e.yaml': definition({ more: outputs }) })
    const run = async () => summaryOf(await assay(['run', 'e.yaml', '--json'], { cwd }))
    expect(await run()).toMatchObject({ completed: 2, attempts: 2 })
    return { cwd, run }
  }

  it('that never existed: the run is not repeated', async () => {
    const e = await finishedWith('')
    expect(await e.run()).toMatchObject({ completed: 2, reused: 2, attempts: 2 })
  })

  it('that existed and is gone: only that run is repeated', async () => {
    const e = await finishedWith('touch "$ASSAY_OUT_DIR/plot.png"')
    const [plot = ''] = globSync(join(e.cwd, 'results/e/runs/*/out/plot.png'))
    rmSync(plot)
    expect(await e.run()).toMatchObject({ completed: 2, reused: 1, attempts: 3 })
    expect(await e.run()).toMatchObject({ completed: 2, reused: 2, attempts: 3 })
  })
})

it('a deleted output: only that run is repeated, and why says so', async () => {
  const e = await finished('outputs: [out/answer.txt]')
  const run = e.aRun()
  rmSync(join(e.dir, 'runs', run, 'out/answer.txt'))
  const why = await assay(['why', 'e.yaml', run], e)
  expect(why.stdout).toContain('the next `assay run` runs it: its declared output out/answer.txt is gone')
  const again = await e.run()
  expect(again.status).toBe(0)
  expect(complaint(again, e)).toMatchInlineSnapshot(
    `"[WARN] a completed run lost a declared output and will run again: x-1__fbcfa25c2be0 has no out/answer.txt"`,
  )
  expect(e.started()).toHaveLength(3)
  expect(summaryOf(await e.run('--json'))).toMatchObject({ completed: 2, reused: 2, attempts: 3 })
})
