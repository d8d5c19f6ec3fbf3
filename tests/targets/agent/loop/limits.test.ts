import { describe, expect, it } from 'vitest'
import { LimitReached } from '../../../../src/define/permits.ts'
import { calm } from '../../../models/support.ts'
import { bash, scripted, simulated, submit, workOn } from '../support.ts'

/** Never submits, and repeats itself. */
const forever = (command: string) => simulated([bash(command)])

describe('a limit of the agent', () => {
  it('on calls is kept exactly, and the diff is handed in', async () => {
    const { work, trajectory, permits } = await workOn({
      models: forever('date > a.txt'),
      settings: { call_limit: 7 },
    })
    expect(work).toMatchObject({ exitStatus: 'submitted (exit_cost)', exit: { message: expect.stringContaining('7') } })
    expect(permits.settled).toHaveLength(7)
    expect(trajectory.totals.agent.calls).toBe(7)
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual([...Array(7).fill('turn'), 'autosubmit'])
  })

  it('leaves the status as it is where nothing was changed', async () => {
    const { work } = await workOn({ models: forever('ls'), settings: { call_limit: 2 } })
    expect(work).toMatchObject({ exitStatus: 'exit_cost', diff: '' })
  })

  it('on cost ends it after the call that reaches it', async () => {
    const models = forever('ls')
    const once = await workOn({ models, settings: { call_limit: 1 } })
    const usd = once.trajectory.totals.agent.price_usd ?? 0
    const { work, trajectory } = await workOn({ models, settings: { cost_limit: usd * 1.5 } })
    expect(work.exitStatus).toBe('exit_cost')
    expect(trajectory.totals.agent.calls).toBe(2)
  })

  it('on turns, on time and on the context has a status of its own', async () => {
    const turns = await workOn({ models: forever('ls'), settings: { turn_limit: 3 } })
    expect(turns.work.exitStatus).toBe('exit_cost')
    expect(turns.trajectory.totals.agent.calls).toBe(3)

    const slow = { latency: { base_ms: 4000, per_token_ms: 0, spread: 0 } }
    const time = await workOn({ models: simulated([bash('ls')], slow), settings: { time_limit: '10s' } })
    expect(time.work.exitStatus).toBe('exit_timeout')
    expect(time.trajectory.totals.agent.calls).toBe(3)

    const context = await workOn({ models: forever('seq 200'), settings: { context_limit: 1000 } })
    expect(context.work.exitStatus).toBe('exit_context')
    expect(context.trajectory.totals.agent.calls).toBeGreaterThan(0)
  })

  it('on the time of all commands counts every command', async () => {
    const { work } = await workOn({ models: forever('sleep 0.3'), settings: { execution_limit: '0.5s' } })
    expect(work.exitStatus).toBe('exit_total_execution_time')
  })

  it('ends a command that hangs, says so, and gives up after three in a row', async () => {
    const models = scripted(
      bash('echo two > a.txt; sleep 1000'),
      bash('pwd | tail -c 5'),
      bash('sleep 1000'),
      bash('cat /dev/zero > /dev/null'),
      bash('trap "" TERM; while true; do sleep 1; done'),
    )
    const { work, results } = await workOn({ models, settings: { command_timeout: '300ms' } })
    expect(work.exitStatus).toBe('submitted (exit_command_timeout)')
    expect(results[0]).toContain('did not end within')
    expect(results[1]).toContain('/app')
    expect(results).toHaveLength(5)
  })

  it('on the time of the task hands in the work in the middle of a command', async () => {
    const { work } = await workOn({
      models: scripted(bash('echo two > a.txt; sleep 1000')),
      job: { deadline: AbortSignal.timeout(400) },
    })
    expect(work).toMatchObject({ exitStatus: 'submitted (exit_timeout)' })
  })

  it('of the experiment ends the run instead', async () => {
    const reached = new LimitReached('run_calls', 'no more calls', 1)
    const permits = {
      acquire: () => Promise.reject(reached),
      settle: () => {},
    }
    await expect(workOn({ models: forever('ls'), permits })).rejects.toBe(reached)
  })

  it('is none of a cancellation', async () => {
    const cancelled = new AbortController()
    const work = workOn({ models: scripted(bash('sleep 1000')), job: { signal: cancelled.signal, deadline: calm() } })
    setTimeout(() => cancelled.abort({ kind: 'cancelled', message: 'cancelled' }), 100)
    await expect(work).rejects.toMatchObject({ kind: 'cancelled' })
  })
})

describe('a context that is full', () => {
  it('is a status of its own', async () => {
    const { work, trajectory } = await workOn({
      models: simulated([bash('seq 300 >> a.txt; cat a.txt')], { context: 2000 }),
    })
    expect(work.exitStatus).toBe('submitted (exit_context)')
    expect(trajectory.turns.at(-1)?.kind).toBe('autosubmit')
  })
})

describe('submitting', () => {
  it('counts with nothing changed', async () => {
    const { work } = await workOn({ models: scripted(submit) })
    expect(work).toMatchObject({ exitStatus: 'submitted', diff: '' })
  })
})
