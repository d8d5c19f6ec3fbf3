import { expect, it } from 'vitest'
import { runRefusals } from '../../../src/cli/experiment/run-refusals.ts'
import type { Options } from '../../../src/cli/options.ts'
import { bindTarget, type Target } from '../../../src/define/target.ts'
import { executorNames, takersOf } from '../../../src/execute/executor.ts'
import { targetFor } from '../../../src/targets/registry.ts'
import { experimentWith } from '../../plan/experiment.ts'
import { fakeIo } from '../fake-io.ts'

const experiment = experimentWith({ target: { kind: 'command', command: ['true'] } })
const target: Target = {
  ...targetFor(experiment),
  ready: async (_spec, _experiment, _runs, _mode, isElsewhere = false) =>
    isElsewhere ? [] : [{ path: [], message: 'this machine has no sandbox' }],
}
const plan = { order: 'interleaved', seed: 0, selection: { filters: [], first: null, shard: null } } as const
const chosen = { ...bindTarget(target, experiment), definition: experiment, dir: '/none', plan, isGiven: true }
const linesFor = async (options: Options) => (await runRefusals(chosen, [], options, fakeIo(''))).lines

it('asks nothing of this machine for executors that start machines', async () => {
  const answers = await Promise.all(executorNames.map(async executor => [executor, await linesFor({ executor })]))
  const here = ['`run` will stop: this machine has no sandbox']
  expect(Object.fromEntries(answers)).toEqual({
    ...{ local: here, queue: here, slurm: here, ssh: here },
    ...{ skypilot: [], modal: [], 'aws-batch': [], kubernetes: [] },
  })
  expect(await linesFor({ queue: 'redis://nowhere' })).toEqual(here)
})

it('knows which executors take an option', () => {
  expect(takersOf('hosts')).toEqual(['ssh'])
  expect(takersOf('gpus')).toEqual(['slurm', 'skypilot', 'modal', 'kubernetes'])
  expect(takersOf('jobs')).toEqual([])
})
