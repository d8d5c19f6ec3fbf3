import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadExperiment } from '../../src/define/load-experiment.ts'
import { bindTarget } from '../../src/define/target.ts'
import { announcing, type EngineEvent, noInterrupts } from '../../src/engine/call.ts'
import { runExperiment } from '../../src/engine/run-experiment.ts'
import { openExecutor } from '../../src/execute/registry.ts'
import { targetFor, targets } from '../../src/targets/registry.ts'
import { systemClock } from '../../src/util/system-clock.ts'
import { folderWith } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'

describe('a listener that throws', () => {
  test('costs no run: every run is executed once and recorded', async () => {
    const cwd = folderWith({
      'experiment.yaml': `
name: heard
target: { kind: command, command: [sh, -c, 'echo {x} >> made'] }
factors: { x: 1..6 }
limits: { jobs: 2 }
`,
    })
    const experiment = loadExperiment('experiment.yaml', { targets, cwd })
    const dir = join(cwd, 'results/heard')
    const setting = { ...bindTarget(targetFor(experiment), experiment), dir }
    const heard: EngineEvent[] = []
    const { summary, exitCode } = await runExperiment(
      {
        ...{ ...setting, isGiven: true, executor: await openExecutor('local', setting, { slots: 2, cwd }) },
        plan: { order: 'listed', seed: 1, selection: { filters: [], first: null, shard: null } },
        ...{ retryFailed: false, rerun: [], fresh: false, stale: null, failFast: false },
        ...{ explicitLimits: [], tags: [], note: null },
      },
      {
        ...{ clock: systemClock, cwd, env: {}, argv: [], interrupts: noInterrupts },
        listeners: [
          event => {
            throw new Error(`no patience with ${event.kind}`)
          },
          event => void heard.push(event),
        ],
      },
    )
    expect(exitCode).toBe(0)
    expect(summary).toMatchObject({ completed: 6, attempts: 6, running: 0 })
    expect(linesOf(join(cwd, 'made')).toSorted()).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(journalRows(dir, 'SELECT count(*) AS n FROM attempts WHERE ended_at IS NULL')).toEqual([{ n: 0 }])
    expect(heard.filter(({ kind }) => kind === 'attempt_ended')).toHaveLength(6)
    const notices = heard.flatMap(event => (event.kind === 'notice' ? [event.message] : []))
    expect(notices.filter(message => message === 'no patience with attempt_started')).toHaveLength(1)
    expect(heard.at(-1)?.kind).toBe('summary')
  })

  test('is reported to the others once, even if it rejects later', async () => {
    const heard: string[] = []
    const announce = announcing([
      async () => {
        throw new Error('too late')
      },
      event => void heard.push(event.kind === 'notice' ? event.message : event.kind),
    ])
    announce({ kind: 'draining', reason: 'done' })
    announce({ kind: 'draining', reason: 'done' })
    await expect.poll(() => heard).toEqual(['draining', 'draining', 'too late'])
  })

  test('is reported a limited number of times', () => {
    let times = 0
    const failing = () => {
      throw new Error(`no patience, ${++times}`)
    }
    const heard: string[] = []
    const announce = announcing([failing, event => void heard.push(event.kind), () => failing()])
    for (let event = 0; event < 100; event++) announce({ kind: 'draining', reason: 'done' })
    expect(heard.filter(kind => kind === 'draining')).toHaveLength(100)
    expect(heard.filter(kind => kind === 'notice')).toHaveLength(20)
  })
})
