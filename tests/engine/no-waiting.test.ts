import { expect, it } from 'vitest'
import { defineExperiment } from '../../src/api/define-experiment.ts'
import { plannerOptions } from '../../src/api/run.ts'
import { bindTarget } from '../../src/define/target.ts'
import { noInterrupts } from '../../src/engine/call.ts'
import { runExperiment } from '../../src/engine/run-experiment.ts'
import { LocalExecutor } from '../../src/execute/local.ts'
import { systemClock } from '../../src/util/system-clock.ts'
import type { Clock } from '../../src/util/time.ts'
import { folderWith } from '../support/assay.ts'
import { outsideRepository } from '../support/outside-repository.ts'

outsideRepository()

/** Time passes without waking timers: a wait never ends. */
const silentClock: Clock = { ...systemClock, after: () => () => undefined }

it.each([
  ['a halt rule that is far off', { failures: 1000 }],
  ['no halt rule', null],
])('with %s, the next run starts immediately after a failure', async (_, halt) => {
  const dir = folderWith()
  const { experiment, target } = defineExperiment({
    name: 'fails',
    factors: { x: '1..40' },
    limits: { jobs: 2 },
    target: () => {
      throw new RangeError('no')
    },
  })
  const limits = { ...experiment.limits, halt, initial_failures: 0 }
  const executor = new LocalExecutor({ ...bindTarget(target, experiment), dir }, 2)
  const end = await runExperiment(
    {
      ...bindTarget(target, { ...experiment, limits }),
      isGiven: true,
      dir,
      executor,
      plan: plannerOptions({ experiment, target }, {}),
      retryFailed: false,
      rerun: [],
      fresh: false,
      stale: null,
      failFast: false,
      explicitLimits: [],
      tags: [],
      note: null,
    },
    { clock: silentClock, cwd: dir, env: {}, argv: [], interrupts: noInterrupts, listeners: [] },
  )
  expect(end.summary).toMatchObject({ failed: 40, attempts: 40 })
})
