import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, eventsOf, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'

/** Reports `loss` at three steps, all in one write so that no reader sees only some of them; a bad one (5 and more) then waits for ever, others until `go` is there. */
const program = `#!/bin/sh
printf '{"step": 1, "loss": %s}\\n{"step": 2, "loss": %s}\\n{"step": 3, "loss": %s}\\n' $1 $1 $1 >> "$ASSAY_METRICS_FILE"
[ $1 -ge 5 ] && exec tail -f /dev/null
until [ -e go ]; do sleep 0.1; done
`

const experiment = (levels: string, rule: string) => `
name: stops
target: { kind: command, command: [./train.sh, "{loss_to_be}"], cwd: . }
factors: { loss_to_be: ${levels} }
metrics: { loss: { goal: minimize } }
search: { method: grid, early_stop: ${rule} }
order: listed
limits: { jobs: 1 }
`

const folder = (levels: string, rule: string) =>
  folderWith({ 'train.sh': program, 'experiment.yaml': experiment(levels, rule) })

const stopsIn = (dir: string) =>
  journalRows<{ data: string }>(dir, "SELECT data FROM events WHERE kind = 'stopped_early' ORDER BY id").map(
    ({ data }) => JSON.parse(data),
  )

describe('early stopping', () => {
  it.each([
    [
      '{ type: hyperband, min_iter: 3 }',
      'hyperband, band 3: 7 at iteration 3 is worse than 1, number 1 of 2 runs there (eta 3)',
    ],
    [
      '{ type: asha, min_iter: 2 }',
      'asha, iteration 2: 1 of 2 runs were better than its 7, and only the best one goes on',
    ],
    [
      '{ type: median, min_runs: 1 }',
      "median, iteration 3: best 7 against 1, the median of 1 complete runs' means up to there",
    ],
  ])('%s ends an endless run, and gives the reason everywhere', async (rule, reason) => {
    const cwd = folder('[1, 7]', rule)
    writeFileSync(join(cwd, 'go'), '')
    const ended = await assay(['run', '--json'], { cwd })
    expect(ended.status).toBe(0)
    expect(summaryOf(ended)).toMatchObject({ planned: 2, completed: 1, stopped_early: 1, attempts: 2 })
    const end = eventsOf(ended).findLast(({ kind }) => kind === 'attempt_ended')
    expect(end).toMatchObject({ outcome: { kind: 'stopped_early', message: reason } })
    const dir = join(cwd, 'results/stops')
    expect(stopsIn(dir)).toMatchObject([{ run: end?.run, attempt: 1, iteration: 3, reason }])
    const why = await assay(['why', dir, String(end?.run)], { cwd })
    expect(why.stdout).toContain(reason)
    const again = await assay(['run', '--json'], { cwd })
    expect(summaryOf(again)).toMatchObject({ completed: 1, stopped_early: 1, attempts: 2 })
  })

  it('paired ends a run that loses on every instance to a complete one', async () => {
    const cwd = folder('[1, 7]', '{ type: paired, alpha: 0.3 }')
    writeFileSync(join(cwd, 'go'), '')
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended)).toMatchObject({ completed: 1, stopped_early: 1 })
    expect(stopsIn(join(cwd, 'results/stops'))[0].reason).toMatch(
      /^paired: worse than \S+ on 3 instances and better on 0 \(evidence 3.75, 4 are needed\)$/,
    )
  })

  it('a process judges its runs by reports of running runs of another process', async () => {
    const cwd = folder('[1, 7]', '{ type: asha, min_iter: 2 }')
    const dir = join(cwd, 'results/stops')
    const run = startAssay(['run', '--json'], { cwd })
    await run.said('attempt_started')
    const worker = startAssay(['worker', dir, '--json', '-j', '1'], { cwd })
    await worker.said('"kind":"stopped_early"')
    writeFileSync(join(cwd, 'go'), '')
    const [one, other] = await Promise.all([run.ended, worker.ended])
    expect([one.status, other.status]).toEqual([0, 0])
    expect(summaryOf(one)).toMatchObject({ completed: 1, stopped_early: 1, attempts: 2 })
  })

  it('ends a function too, and a search uses the values of stopped runs', async () => {
    const cwd = folderWith({
      'train.mjs': `
        export default async ({ x }, { report, signal }) => {
          for (let step = 1; step <= 3; step++) report('loss', x + 1 / step, step)
          if (x > 0.2) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        }`,
      'experiment.yaml': `
        name: learns
        target: { kind: function, module: train.mjs }
        factors: { x: { min: 0, max: 1 } }
        metrics: { loss: { goal: minimize } }
        search: { method: tpe, max_runs: 8, initial: 4, early_stop: { type: asha, min_iter: 3, eta: 8 } }
        limits: { jobs: 2 }`,
    })
    const ended = await assay(['run', '--json', '--timeout', '100s'], { cwd })
    expect(ended.status).toBe(0)
    const { completed, stopped_early, planned } = summaryOf(ended) as Record<string, number>
    expect(planned).toBe(8)
    expect((completed ?? 0) + (stopped_early ?? 0)).toBe(8)
    expect(stopped_early).toBeGreaterThan(0)
  })

  it('requires a metric and its goal', async () => {
    const said = async (metrics: string, search: string) => {
      const text = experiment('[1, 2]', '{ type: asha }')
        .replace(/metrics.*/, metrics)
        .replace(/search.*/, search)
      const cwd = folderWith({ 'train.sh': program, 'experiment.yaml': text })
      const ended = await assay(['plan'], { cwd })
      expect(ended.status).toBe(2)
      return complaint(ended, { cwd })
    }
    expect(await said('', 'search: { method: grid, early_stop: { type: asha } }')).toContain(
      'asha stops runs by a metric, and none is declared',
    )
    expect(await said('metrics: { loss: {} }', 'search: { method: grid, early_stop: { type: asha } }')).toContain(
      'is a large or a small "loss" better?',
    )
    expect(
      await said('metrics: { loss: { goal: minimize } }', 'search: { method: grid, early_stop: { type: ash } }'),
    ).toContain('expected hyperband, asha, median or paired, got "ash"; did you mean "asha"?')
  })
})
