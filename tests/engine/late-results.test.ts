import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defineExperiment } from '../../src/api/define-experiment.ts'
import { plannerOptions } from '../../src/api/run.ts'
import type { AttemptResult, Job } from '../../src/define/run.ts'
import { bindTarget } from '../../src/define/target.ts'
import type { Interrupt, Interrupts } from '../../src/engine/call.ts'
import { runExperiment } from '../../src/engine/run-experiment.ts'
import type { Executor, ExecutorListener, JobIo } from '../../src/execute/executor.ts'
import { systemClock } from '../../src/util/system-clock.ts'
import { completed, promptExecutor } from '../execute/prompt-executor.ts'
import { folderWith } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { outsideRepository } from '../support/outside-repository.ts'

outsideRepository()

type End = Partial<AttemptResult>

/** Its first attempt is given up when `when` says so, and its result comes at the same moment. */
function givingUp(end: End, when: (job: Job, io: JobIo, now: () => void) => void): Executor {
  const prompt = promptExecutor(1)
  let listener: ExecutorListener | null = null
  let isFirst = true
  return {
    ...prompt,
    listen(given) {
      listener = given
    },
    start(job, io) {
      if (!isFirst) return prompt.start(job, io)
      isFirst = false
      return new Promise(resolve =>
        when(job, io, () => {
          resolve(completed(job, { ...end, cost_usd: null }))
          // After the engine has heard of the end, and before its next step.
          setImmediate(() => listener?.late(completed(job, { cost_usd: 0.25 })))
        }),
      )
    },
  }
}

async function run(executor: Executor, interrupts: Interrupts = () => () => undefined) {
  const folder = folderWith()
  const dir = join(folder, 'e')
  const { experiment, target } = defineExperiment({ name: 'e', factors: { n: [1] }, target: () => ({}) }, { folder })
  const { summary } = await runExperiment(
    {
      ...bindTarget(target, experiment),
      ...{ dir, executor, isGiven: true, retryFailed: false, rerun: [], fresh: false, stale: null, failFast: false },
      ...{ explicitLimits: [], tags: [], note: null, plan: plannerOptions({ experiment, target }, {}) },
    },
    { clock: systemClock, ...{ cwd: folder, env: {}, argv: [], listeners: [] }, interrupts },
  )
  return { summary, attempts: journalRows(dir, 'SELECT outcome, superseded, cost_usd FROM attempts') }
}

const counts = {
  summary: expect.objectContaining({ completed: 1, cancelled: 0, pending: 0, attempts: 1, cost_usd: 0.25 }),
  attempts: [{ outcome: 'completed', superseded: 0, cost_usd: 0.25 }],
}

describe('a result that arrives while its attempt is given up counts', () => {
  it('if it was thought to be lost', async () => {
    const outcome = { kind: 'cancelled', error_class: 'lost', message: 'nothing was heard of its worker' } as const
    expect(await run(givingUp({ outcome }, (_job, _io, now) => setImmediate(now)))).toEqual(counts)
  })

  it('if it was cancelled: it is neither marked as cancelled nor run again', async () => {
    const listeners = new Set<(interrupt: Interrupt) => void>()
    const outcome = { kind: 'cancelled', message: 'cancelled by the user' } as const
    const executor = givingUp({ outcome }, (_job, io, now) => {
      io.signal.addEventListener('abort', () => setImmediate(now))
      setImmediate(() => {
        for (const listener of listeners) listener('cancel')
      })
    })
    const ended = run(executor, listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    })
    expect(await ended).toEqual(counts)
  })
})
