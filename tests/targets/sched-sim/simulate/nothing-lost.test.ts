import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitrarySimulation, sameExamples } from '../support/arbitrary-simulation.ts'
import { type Ended, grouped, record } from '../support/record.ts'

const holds = (check: (recording: ReturnType<typeof record>) => void) =>
  fc.assert(
    fc.property(arbitrarySimulation, settings => check(record(settings))),
    sameExamples,
  )

test('every workflow ends once, without later events', () => {
  holds(({ settings, result, happenings }) => {
    const ids = Array.from({ length: settings.workflows }, (_, index) => index + 1)
    expect(result.workflows.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids)
    for (const [, own] of grouped(happenings, ({ workflow }) => String(workflow))) {
      expect(own.filter(({ kind }) => kind === 'done')).toHaveLength(1)
      expect(own.at(-1)?.kind).toBe('done')
    }
  })
})

test('every node of a completed workflow succeeds once in each iteration', () => {
  holds(({ result, ended }) => {
    const successes = grouped(
      ended.filter(({ ending }) => ending === 'ok'),
      ({ key }) => key,
    )
    for (const [, own] of successes) expect(own).toHaveLength(1)
    for (const { id, status, totals } of result.workflows) {
      if (status !== 'completed') continue
      const all = [...successes.keys()].filter(key => key.startsWith(`${id}/`))
      expect(all).toHaveLength(result.graph.nodes * totals.iterations)
    }
  })
})

test('a node becomes runnable once, when all its dependencies have succeeded', () => {
  holds(({ result, happenings }) => {
    const missing = new Map<string, number>()
    const runnable = new Set<string>()
    for (const happening of happenings) {
      if (happening.kind === 'runnable') {
        const { key, node } = happening
        expect(runnable.has(key)).toBe(false)
        runnable.add(key)
        expect(missing.get(key) ?? result.graph.waitsFor[node]).toBe(0)
      }
      if (happening.kind !== 'ended' || happening.ending !== 'ok') continue
      for (const child of result.graph.children[happening.node] ?? []) {
        const key = `${happening.key.slice(0, happening.key.lastIndexOf('/'))}/${child}`
        missing.set(key, (missing.get(key) ?? result.graph.waitsFor[child] ?? 0) - 1)
      }
    }
  })
})

test('every started call ends once, and never late', () => {
  holds(({ started, ended }) => {
    const ends = new Map<object, Ended>()
    for (const end of ended) {
      expect(ends.has(end.attempt)).toBe(false)
      ends.set(end.attempt, end)
      const { startedAt, durationMs } = end.attempt
      if (end.ending === 'cancelled') expect(end.at).toBeLessThanOrEqual(startedAt + durationMs)
      else expect(end.at).toBe(startedAt + durationMs)
    }
    for (const { attempt } of started) expect(ends.has(attempt)).toBe(true)
    expect(ended).toHaveLength(started.length)
  })
})

test('a node has one call at a time, or a call and its hedge', () => {
  holds(({ happenings }) => {
    const running = new Map<string, boolean[]>()
    for (const happening of happenings) {
      if (happening.kind !== 'started' && happening.kind !== 'ended') continue
      const now = [...(running.get(happening.key) ?? [])]
      if (happening.kind === 'ended') now.splice(now.indexOf(happening.attempt.isHedge), 1)
      else now.push(happening.attempt.isHedge)
      running.set(happening.key, now)
      expect(now.filter(isHedge => !isHedge).length).toBeLessThanOrEqual(1)
      expect(now.filter(isHedge => isHedge).length).toBeLessThanOrEqual(1)
    }
  })
})

test('tables count all events', () => {
  holds(({ result, started, ended }) => {
    const count = (ending: Ended['ending']) => ended.filter(end => end.ending === ending).length
    const tiers = result.resources.flatMap(resource => resource.tiers)
    const sum = (part: 'attempts' | 'completed' | 'failed' | 'timed_out' | 'cancelled' | 'hedges') =>
      tiers.reduce((all, { totals }) => all + totals[part], 0)
    expect(sum('attempts')).toBe(started.length)
    expect(sum('completed')).toBe(count('ok'))
    expect(sum('failed')).toBe(count('failed'))
    expect(sum('timed_out')).toBe(count('timeout'))
    expect(sum('cancelled')).toBe(count('cancelled'))
    expect(sum('hedges')).toBe(started.filter(({ attempt }) => attempt.isHedge).length)
  })
})
