import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/define/outcome.ts'
import { bindTarget, type RunContext } from '../../src/define/target.ts'
import { noInterrupts } from '../../src/engine/call.ts'
import { runExperiment } from '../../src/engine/run-experiment.ts'
import { openExecutor } from '../../src/execute/registry.ts'
import { everything } from '../../src/plan/planner.ts'
import { systemClock } from '../../src/util/system-clock.ts'
import { folderWith } from '../support/assay.ts'
import { changeJournal, journalRows } from '../support/journal.ts'
import { scripted } from './scripted-target.ts'

type Script = (context: RunContext, x: number) => Promise<Outcome>

/** Runs or scores an experiment over x = 1 … 4, as `assay run` and `assay eval` do. */
async function perform(
  folder: string,
  mode: 'run' | 'score',
  script: Script,
  { first = null as number | null, scoresAgain = true } = {},
) {
  const { experiment, target } = scripted(
    { factors: { x: [1, 2, 3, 4] }, limits: { retries: 0 } },
    folder,
    (context, { x }) => script(context, Number(x)),
  )
  const dir = join(folder, 'e')
  const bound = bindTarget(scoresAgain ? { ...target, scoresAgain } : target, experiment)
  const setting = { ...bound, dir }
  return runExperiment(
    {
      ...setting,
      isGiven: true,
      ...(mode === 'score' && { mode }),
      executor: await openExecutor('local', setting, { slots: 1, cwd: folder }),
      plan: { order: 'listed', seed: 1, selection: { ...everything, first } },
      ...{ retryFailed: false, rerun: [], fresh: false, stale: null, failFast: false },
      ...{ explicitLimits: [], tags: [], note: null },
    },
    { clock: systemClock, cwd: folder, env: {}, argv: [], interrupts: noInterrupts, listeners: [] },
  )
}

const answer: Script = async ({ makeDirectory, report }, x) => {
  if (x === 3) return { kind: 'infra_error', unsupported_environment: true }
  writeFileSync(join(makeDirectory().run_dir, 'answer.txt'), String(x))
  report({ metric: 'score', value: x / 10, step: null })
  return x === 2 ? { kind: 'failed' } : { kind: 'completed' }
}

const rescore: Script = async ({ mode, continues, makeDirectory, report }) => {
  expect(mode).toBe('score')
  const left = readFileSync(join(continues?.dir ?? '', 'answer.txt'), 'utf8')
  writeFileSync(join(makeDirectory().run_dir, 'scored.txt'), left)
  report({ metric: 'score', value: Number(left), step: null })
  return { kind: 'completed' }
}

const attempts = (dir: string) =>
  journalRows(
    dir,
    `SELECT r.spec -> '$.params.x' AS x, a.number, a.mode, a.outcome,
       (SELECT value FROM metrics WHERE attempt_id = a.id AND name = 'score') AS score
     FROM attempts a JOIN runs r ON r.id = a.run_id ORDER BY x, number`,
  )

describe('a call that only scores', () => {
  it('scores the files of finished runs, and starts no run', async () => {
    const folder = folderWith()
    await perform(folder, 'run', answer, { first: 3 })
    await perform(folder, 'score', rescore)
    expect(attempts(join(folder, 'e'))).toEqual([
      { x: '1', number: 1, mode: 'run', outcome: 'completed', score: 0.1 },
      { x: '1', number: 2, mode: 'score', outcome: 'completed', score: 1 },
      { x: '2', number: 1, mode: 'run', outcome: 'failed', score: 0.2 },
      { x: '2', number: 2, mode: 'score', outcome: 'completed', score: 2 },
      { x: '3', number: 1, mode: 'run', outcome: 'infra_error', score: null },
    ])
  })

  it('scores the same files again, however often', async () => {
    const folder = folderWith()
    await perform(folder, 'run', answer, { first: 1 })
    await perform(folder, 'score', rescore)
    await perform(folder, 'score', rescore)
    expect(attempts(join(folder, 'e')).map(row => row.score)).toEqual([0.1, 1, 1])
  })

  it('is completed by the next call if scoring failed, without running anything again', async () => {
    const folder = folderWith()
    await perform(folder, 'run', answer, { first: 1 })
    await perform(folder, 'score', async () => ({ kind: 'infra_error', error_class: 'judge' }))
    await perform(folder, 'run', rescore, { first: 1 })
    expect(attempts(join(folder, 'e')).map(row => [row.mode, row.outcome])).toEqual([
      ['run', 'completed'],
      ['score', 'infra_error'],
      ['score', 'completed'],
    ])
  })

  it('refuses a target that can’t score separately', async () => {
    const folder = folderWith()
    await perform(folder, 'run', answer, { first: 1 })
    const refused = perform(folder, 'score', rescore, { scoresAgain: false })
    await expect(refused).rejects.toThrow("runs of the target inline can't be scored again")
    expect(existsSync(join(folder, 'e/journal.db'))).toBe(true)
  })

  it('refuses runs of another definition, even accepted ones', async () => {
    const folder = folderWith()
    await perform(folder, 'run', answer, { first: 2 })
    changeJournal(join(folder, 'e'), "UPDATE attempts SET fingerprint = 'before'")
    await expect(perform(folder, 'score', rescore)).rejects.toThrow('2 runs were made with an earlier definition')
  })
})
