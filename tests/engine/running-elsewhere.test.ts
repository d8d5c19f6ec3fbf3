import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defineExperiment } from '../../src/api/define-experiment.ts'
import { plannerOptions } from '../../src/api/run.ts'
import type { AttemptResult } from '../../src/define/run.ts'
import { bindTarget } from '../../src/define/target.ts'
import type { EngineEvent, Interrupt } from '../../src/engine/call.ts'
import { runExperiment } from '../../src/engine/run-experiment.ts'
import type { Executor, JobIo } from '../../src/execute/executor.ts'
import { systemClock } from '../../src/util/system-clock.ts'
import { completed, promptExecutor } from '../execute/prompt-executor.ts'
import { folderWith } from '../support/assay.ts'
import { changeJournal, journalRows } from '../support/journal.ts'
import { outsideRepository } from '../support/outside-repository.ts'

outsideRepository()

/** An executor whose jobs outlive the process that started them. */
function elsewhere() {
  const local = promptExecutor(1)
  const attached: { readonly token: string; readonly io: JobIo; end(result: AttemptResult): void }[] = []
  const executor: Executor = {
    ...local,
    adopt: async unfinished =>
      unfinished.map(({ token }) => ({
        kind: 'running' as const,
        token,
        attach: io => new Promise(end => attached.push({ token, io, end })),
      })),
  }
  return { executor, attached, started: local.started }
}

/** Two runs, of which the first was running when its process died. */
async function interrupted() {
  const folder = folderWith()
  const dir = join(folder, 'e')
  const { experiment, target } = defineExperiment(
    { name: 'e', factors: { n: [1, 2] }, order: 'listed', target: () => ({}) },
    { folder },
  )
  const events: EngineEvent[] = []
  const listeners = new Set<(interrupt: Interrupt) => void>()
  const call = (executor: Executor) =>
    runExperiment(
      {
        ...bindTarget(target, experiment),
        ...{ dir, executor, isGiven: true, retryFailed: false, rerun: [], fresh: false, stale: null, failFast: false },
        ...{ explicitLimits: [], tags: [], note: null, plan: plannerOptions({ experiment, target }, {}) },
      },
      {
        clock: systemClock,
        ...{ cwd: folder, env: {}, argv: [], listeners: [event => void events.push(event)] },
        interrupts(listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
    )
  await call(promptExecutor(1))
  changeJournal(
    dir,
    "UPDATE attempts SET ended_at = NULL, outcome = NULL WHERE id = 1; UPDATE runs SET state = 'running' WHERE id = 1",
  )
  const states = () => journalRows<{ state: string }>(dir, 'SELECT state FROM runs').map(({ state }) => state)
  const interrupt = () => {
    for (const listener of listeners) listener('cancel')
  }
  return { dir, call, events, states, interrupt }
}

describe('an attempt of a dead process that continues elsewhere', () => {
  it('stays running, and its result counts: no run is executed twice', async () => {
    const { dir, call, events, states } = await interrupted()
    const { executor, attached, started } = elsewhere()
    const over = call(executor)
    await expect.poll(() => attached.length).toBe(1)
    expect(states()).toEqual(['running', 'finished'])
    const [one] = attached
    one?.io.onPoint({ metric: 'loss', value: 1, step: 1 })
    one?.end(completed({ token: one.token, mode: 'run' }, { metrics: [{ metric: 'loss', value: 0.5 }] }))
    expect((await over).summary).toMatchObject({ completed: 2, attempts: 2, running: 0 })
    expect(started).toEqual([])
    expect(journalRows(dir, "SELECT value FROM metrics WHERE name = 'loss'")).toEqual([{ value: 0.5 }])
    const notices = events.flatMap(event => (event.kind === 'notice' ? [event.message] : []))
    expect(notices).toContain('attempts of a process that ended unexpectedly: 1 still runs elsewhere and is waited for')
  })

  it('receives a cancellation', async () => {
    const { call, interrupt } = await interrupted()
    const { executor, attached } = elsewhere()
    const over = call(executor)
    await expect.poll(() => attached.length).toBe(1)
    const [one] = attached
    one?.io.signal.addEventListener('abort', () =>
      one.end(completed({ token: one.token, mode: 'run' }, { outcome: one.io.signal.reason })),
    )
    interrupt()
    expect((await over).summary).toMatchObject({ completed: 1, cancelled: 1 })
  })
})
