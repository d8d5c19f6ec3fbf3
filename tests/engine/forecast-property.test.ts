import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defineExperiment } from '../../src/api/define-experiment.ts'
import { plannerOptions } from '../../src/api/run.ts'
import { intentOf } from '../../src/cli/experiment/limits-now.ts'
import type { Limits } from '../../src/define/limits.ts'
import { outcomeKinds } from '../../src/define/outcome.ts'
import { costLimits } from '../../src/define/permits.ts'
import { bindTarget } from '../../src/define/target.ts'
import { noInterrupts } from '../../src/engine/call.ts'
import { withForesight } from '../../src/engine/foresight.ts'
import { runExperiment } from '../../src/engine/run-experiment.ts'
import { planRuns } from '../../src/plan/plan.ts'
import { AssayError } from '../../src/util/errors.ts'
import { systemClock } from '../../src/util/system-clock.ts'
import { promptExecutor } from '../execute/prompt-executor.ts'
import { folderWith } from '../support/assay.ts'
import { changeJournal } from '../support/journal.ts'
import { outsideRepository } from '../support/outside-repository.ts'

outsideRepository()

const most = 6
const limitValues = [1, 2, 3] as const
const oneLimit = fc.option(fc.constantFrom(...limitValues))

/** The state of a run before the next call. */
const past = fc.record({
  state: fc.constantFrom(
    'finished',
    'finished',
    'finished',
    'quarantined',
    'ready',
    'backing_off',
    'cut_off',
    'unknown',
  ),
  outcome: fc.constantFrom(...outcomeKinds),
  cut_at: oneLimit,
  limit: fc.option(fc.constantFrom(...costLimits)),
  /** Whether run and attempt belong to the present definition. */
  isOfNow: fc.boolean(),
  isAttemptOfNow: fc.boolean(),
  hadOutput: fc.boolean(),
  hasOutput: fc.boolean(),
})
type Past = typeof past extends fc.Arbitrary<infer T> ? T : never

const call = fc.record({
  retryFailed: fc.boolean(),
  fresh: fc.integer({ min: 0, max: 5 }).map(n => n === 0),
  stale: fc.constantFrom('rerun', 'rerun', 'keep', 'keep', null),
  rerun: fc.subarray([0, 1, 2], { maxLength: 1 }),
  rerunQuarantined: fc.boolean(),
  limits: fc.record({ timeout_ms: oneLimit, run_budget_usd: oneLimit, run_calls: oneLimit, run_tokens: oneLimit }),
  hasBudget: fc.boolean(),
  outputs: fc.constantFrom('none', 'required', 'optional'),
})
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never

it('the forecast predicts the next call’s action for every run', async () => {
  const first = await firstCall()
  await fc.assert(
    fc.asyncProperty(fc.array(past, { minLength: 1, maxLength: most }), call, async (pasts, asked) => {
      const dir = join(first, '../copy')
      cpSync(first, dir, { recursive: true })
      try {
        const named = rewrite(dir, pasts)
        const rerun = [
          ...asked.rerun.flatMap(index => named[index] ?? []),
          ...(asked.rerunQuarantined ? ['quarantined'] : []),
        ]
        const request = { ...requestFor(dir, asked), rerun }
        const options = { retryFailed: asked.retryFailed, fresh: asked.fresh, stale: asked.stale ?? undefined, rerun }
        const runs = [...planRuns(request.experiment, request.plan)]
        const chosen = { ...request, definition: request.experiment }
        const expected = await withForesight(
          intentOf(chosen, options),
          dir,
          forecast => new Map(runs.map(run => [run.name, forecast(run).action])),
        )
        const made = await namesOfRunsMade(request)
        const toRun = [...expected].flatMap(([name, action]) => (action === 'run' ? [name] : [])).sort()
        expect(made).toEqual([...expected.values()].includes('refuse') ? 'stale' : toRun)
      } finally {
        rmSync(dir, { recursive: true })
      }
    }),
    { numRuns: 100, seed: 15 },
  )
})

/** Beside its directory rather than here: nothing has to be asked of git. */
const defined = (dir: string, outputs: Call['outputs'] = 'none') =>
  defineExperiment(
    {
      name: 'foreseen',
      factors: { n: `1..${most}` },
      order: 'listed',
      limits: { jobs: 2 },
      target: () => ({}),
      ...(outputs !== 'none' && { outputs: [{ path: 'out.txt', required: outputs === 'required' }] }),
    },
    { folder: join(dir, '..') },
  )

function requestFor(dir: string, asked: Partial<Call> = {}) {
  const { experiment, target } = defined(dir, asked.outputs)
  const budget = asked.hasBudget && asked.limits?.run_budget_usd != null ? { budget_usd: 2 + most * 3 } : {}
  const limits: Limits = { ...experiment.limits, ...asked.limits, ...budget }
  return {
    ...bindTarget(target, { ...experiment, limits }),
    ...{ dir, isGiven: true, retryFailed: asked.retryFailed ?? false, rerun: [] as readonly string[] },
    ...{ fresh: asked.fresh ?? false, stale: asked.stale ?? null, failFast: false, explicitLimits: [], tags: [] },
    plan: plannerOptions({ experiment, target }, {}),
    note: null,
  }
}

/** A journal in which every run is completed. */
async function firstCall(): Promise<string> {
  const dir = join(folderWith(), 'first')
  expect(await namesOfRunsMade(requestFor(dir))).toHaveLength(most)
  return dir
}

/** Which runs the engine really starts, or that it refuses. */
async function namesOfRunsMade(request: ReturnType<typeof requestFor>): Promise<readonly string[] | 'stale'> {
  const executor = promptExecutor(2)
  const around = { clock: systemClock, cwd: request.dir, env: {}, argv: [], interrupts: noInterrupts, listeners: [] }
  try {
    await runExperiment({ ...request, executor }, around)
  } catch (error) {
    if (error instanceof AssayError && error.code === 'stale') return 'stale'
    throw error
  }
  return executor.started.map(({ run }) => run.name).sort()
}

/** Gives the first runs of the journal these pasts; returns the names of those that are still there. */
function rewrite(dir: string, pasts: readonly Past[]): readonly string[] {
  const names = [...planRuns(defined(dir).experiment, requestFor(dir).plan)].map(run => run.name)
  const sql = pasts.map((one, index) => sqlOf(one, index + 1))
  changeJournal(dir, sql.join('\n'))
  pasts.forEach(({ hasOutput }, index) => {
    const runDir = join(dir, 'runs', names[index] ?? '')
    mkdirSync(runDir, { recursive: true })
    if (hasOutput) writeFileSync(join(runDir, 'out.txt'), '')
  })
  return pasts.flatMap(({ state }, index) => (state === 'unknown' ? [] : (names[index] ?? [])))
}

function sqlOf(one: Past, id: number): string {
  if (one.state === 'unknown')
    return `DELETE FROM attempts WHERE run_id = ${id}; DELETE FROM runs WHERE id = ${id};
      UPDATE experiment SET planner_done = 0, planner_state = '0'`.concat(';')
  const isOver = one.state === 'finished' || one.state === 'quarantined'
  const outcome = one.state === 'quarantined' ? 'failed' : one.outcome
  const isCut = outcome === 'cost_limited' || outcome === 'timed_out'
  // A price that was missing has no number.
  const cut = !isCut ? null : outcome === 'cost_limited' && one.limit === 'unknown_price' ? 0 : one.cut_at
  const facts = outcome === 'cost_limited' && one.limit !== null ? { limit: one.limit } : {}
  const isRunning = one.state === 'cut_off'
  return `
    UPDATE attempts SET outcome = ${isRunning ? 'NULL' : `'${outcome}'`}, facts = '${JSON.stringify(facts)}',
      ended_at = ${isRunning ? 'NULL' : 'ended_at'}, outputs = '${one.hadOutput ? '["out.txt"]' : '[]'}'
      ${one.isAttemptOfNow ? '' : ", fingerprint = 'other'"} WHERE run_id = ${id};
    UPDATE runs SET state = '${isOver ? one.state : isRunning ? 'running' : 'ready'}', outcome = '${outcome}',
      ready_at = ${one.state === 'backing_off' ? Date.now() + 3_600_000 : 0}, cut_at = ${cut}, failures = 1
      ${isOver ? (one.isOfNow ? '' : ", fingerprint = 'other'") : ', fingerprint = NULL'} WHERE id = ${id};`
}
