import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LimitReached } from '../../../../src/define/permits.ts'
import { calm } from '../../../models/support.ts'
import { folderWith } from '../../../support/assay.ts'
import { appeared } from '../../../support/files.ts'
import { bash, scripted, simulated, submit, workOn } from '../support.ts'

/** Never submits, and repeats itself. */
const forever = (command: string) => simulated([bash(command)])

describe('a limit of the agent', () => {
  it('on calls is kept exactly, and the diff is submitted', async () => {
    const { work, trajectory, permits } = await workOn({
      models: forever('date > a.txt'),
      settings: { call_limit: 7 },
    })
    expect(work).toMatchObject({ exitStatus: 'submitted (exit_cost)', exit: { message: expect.stringContaining('7') } })
    expect(permits.settled).toHaveLength(7)
    expect(trajectory.totals.agent.calls).toBe(7)
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual([...Array(7).fill('turn'), 'autosubmit'])
  })

  it('keeps the plain status if nothing was changed', async () => {
    const { work } = await workOn({ models: forever('ls'), settings: { call_limit: 2 } })
    expect(work).toMatchObject({ exitStatus: 'exit_cost', diff: '' })
  })

  it('on cost ends the work after the call that reaches it', async () => {
    const models = forever('ls')
    const once = await workOn({ models, settings: { call_limit: 1 } })
    const usd = once.trajectory.totals.agent.price_usd ?? 0
    const { work, trajectory } = await workOn({ models, settings: { cost_limit: usd * 1.5 } })
    expect(work.exitStatus).toBe('exit_cost')
    expect(trajectory.totals.agent.calls).toBe(2)
  })

  it('on turns, on time and on the context has its own status', async () => {
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

  it('on time ends a longer answer, and submits the work', async () => {
    const slow = { latency: { base_ms: 4000, per_token_ms: 0, spread: 0 } }
    const models = simulated([bash('date >> a.txt')], slow)
    const { work, trajectory, permits } = await workOn({ models, settings: { time_limit: '10s', call_limit: 3 } })
    expect(work).toMatchObject({
      exitStatus: 'submitted (exit_timeout)',
      exit: { message: 'it worked for 10 s (time_limit)' },
    })
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual(['turn', 'turn', 'again', 'autosubmit'])
    expect(trajectory.turns[2]?.inference_ms).toBeLessThanOrEqual(2000)
    // It was sent: its cost is unknown, and counts at its upper bound.
    expect(trajectory.turns[2]).toMatchObject({ cost_usd: null, usage: null })
    expect(permits.settled.map(({ usd }) => usd === null)).toEqual([false, false, true])
    expect(work.spent.priceUsd).toBeGreaterThan(permits.settled.reduce((sum, { usd }) => sum + (usd ?? 0), 0))
  })

  it('on time ends a model that never answers long before its own timeout', async () => {
    const models = simulated([bash('ls')], { failures: { no_answer: 1 } })
    const { work, trajectory, permits } = await workOn({ models, settings: { time_limit: '7s' } })
    expect(work).toMatchObject({ exitStatus: 'exit_timeout', diff: '' })
    expect(trajectory.turns.map(({ kind, inference_ms }) => [kind, inference_ms])).toEqual([
      ['again', 7000],
      ['autosubmit', null],
    ])
    expect(permits.settled).toHaveLength(1)
  })

  it('on time ends a hanging summary', async () => {
    const { 'sim/a': agent = {} } = simulated([bash('date >> a.txt')])
    const models = {
      'sim/a': agent,
      'sim/b': { rules: [{ purpose: 'summary', answer: 'Wrote dates.' }], failures: { no_answer: 1 } },
    }
    const strategy = { strategy: 'llm_summary', hp_sum_n: 2, hp_sum_keep_m: 1, summarizer_model: 'sim/b' }
    const { work, turns } = await workOn({ models, settings: { ...strategy, time_limit: '60s' } })
    expect(work).toMatchObject({ exitStatus: 'submitted (exit_timeout)' })
    expect(turns.map(({ kind }) => kind)).toEqual(['turn', 'turn', 'turn', 'autosubmit'])
    expect(work.spent.inferenceMs).toBeLessThan(61_000)
  })

  it('on the time of all commands counts every command', async () => {
    const { work } = await workOn({ models: forever('sleep 0.3'), settings: { execution_limit: '0.5s' } })
    expect(work.exitStatus).toBe('exit_total_execution_time')
  })

  it('ends a hanging command with a notice, and gives up after three in a row', async () => {
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

  it('on the time of the task submits the work in the middle of a command', async () => {
    const begun = join(folderWith(), 'begun')
    const deadline = new AbortController()
    const working = workOn({
      models: scripted(bash(`echo two > a.txt; touch ${begun}; sleep 1000`)),
      job: { deadline: deadline.signal },
    })
    await appeared(begun)
    deadline.abort()
    const { work } = await working
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

  it('does not turn a cancellation into a submission', async () => {
    const cancelled = new AbortController()
    const work = workOn({ models: scripted(bash('sleep 1000')), job: { signal: cancelled.signal, deadline: calm() } })
    setTimeout(() => cancelled.abort({ kind: 'cancelled', message: 'cancelled' }), 100)
    await expect(work).rejects.toMatchObject({ kind: 'cancelled' })
  })
})

describe('a context that is full', () => {
  it('has its own status', async () => {
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
