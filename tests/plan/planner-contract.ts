import { describe, expect, test } from 'vitest'
import { type Observation, observed, recordOf } from '../../src/define/observation.ts'
import type { Run } from '../../src/define/run.ts'
import { type Planner, plannedRuns } from '../../src/plan/planner.ts'
import type { Json } from '../../src/util/json.ts'

/** The contract of every planner. `make` gives a fresh planner, always the same; `observe` gives the result of a run. */
export function plannerContract(
  name: string,
  make: () => Planner,
  observe: (run: Run) => Observation = completed,
): void {
  describe(`the planner ${name}`, () => {
    test('ends, and proposes no run twice', () => {
      const runs = drive(make(), observe, 3)
      expect(runs.length).toBeGreaterThan(0)
      expect(new Set(runs.map(({ key }) => key)).size).toBe(runs.length)
    })

    test('proposes as many runs as announced', ({ skip }) => {
      const planner = make()
      const count = planner.count()
      if (count === null) return skip(`${name} does not know beforehand how many there will be`)
      expect(drive(planner, observe, 7)).toHaveLength(count)
    })

    test('is deterministic: another instance proposes the same', () => {
      expect(drive(make(), observe, 3)).toEqual(drive(make(), observe, 3))
    })

    test('continues from any state, saved as JSON, in a new process', () => {
      expect(
        drive(make(), observe, 3, state => ({ planner: make(), state: JSON.parse(JSON.stringify(state)) })),
      ).toEqual(drive(make(), observe, 3))
    })

    test('proposes no run twice while results are pending, and ends', () => {
      const planner = make()
      const runs: Run[] = []
      for (let state = planner.start(); ; ) {
        const answer = planner.ask(state, 4)
        if (typeof answer === 'string') break
        runs.push(...answer.runs.map(({ run }) => run))
        state = answer.state
      }
      expect(new Set(runs.map(({ key }) => key)).size).toBe(runs.length)
      if (planner.count() !== null) expect(runs).toHaveLength(planner.count() ?? 0)
    })

    test('its announced first runs do not depend on results', () => {
      const planner = make()
      const certain = planner.certain()
      const foreseen = [...plannedRuns(planner)].map(({ key }) => key)
      const made = drive(make(), observe, 1).map(({ key }) => key)
      expect(foreseen).toEqual(made.slice(0, certain))
    })

    test('ends with results in any order, late or repeated', () => {
      const planner = make()
      const waiting: Run[] = []
      const keys = new Set<string>()
      for (let state = planner.start(); ; ) {
        const answer = planner.ask(state, 3)
        if (typeof answer === 'string') break
        for (const { run } of answer.runs) {
          expect(keys.has(run.key)).toBe(false)
          keys.add(run.key)
          waiting.push(run)
        }
        const told = waiting.length > 5 ? [waiting.pop(), waiting.shift()].filter(run => run !== undefined) : []
        state = planner.tell(planner.tell(answer.state, told.map(observe)), told.map(observe))
      }
      expect(keys.size).toBe(planner.count() ?? keys.size)
    })

    test('uses earlier runs, and proposes only missing ones', ({ skip }) => {
      const planner = make()
      if (planner.keeps === undefined) return skip(`${name} does not start from runs that were made before`)
      const all = drive(make(), observe, 3)
      const before = all.slice(0, Math.ceil(all.length / 2))
      expect(before.every(run => planner.keeps?.(run))).toBe(true)
      const known = planner.tell(planner.start(before), before.map(observe))
      const keys = new Set(before.map(({ key }) => key))
      for (let state = known; ; ) {
        const answer = planner.ask(state, 2)
        if (typeof answer === 'string') break
        for (const { run } of answer.runs) keys.add(run.key)
        state = planner.tell(
          answer.state,
          answer.runs.map(({ run }) => observe(run)),
        )
      }
      expect(keys.size).toBe(all.length)
    })

    test('gives reasons', () => {
      const planner = make()
      const answer = planner.ask(planner.start(), 2)
      if (typeof answer === 'string') throw new Error(answer)
      for (const { why } of answer.runs) expect(why).not.toBe('')
    })

    test('proposes at most the requested number, and stays finished', () => {
      const planner = make()
      let state = planner.start()
      for (;;) {
        const answer = planner.ask(state, 2)
        if (answer === 'wait') throw new Error('waits although every run was observed')
        if (answer === 'done') break
        expect(answer.runs.length).toBeLessThanOrEqual(2)
        state = planner.tell(
          answer.state,
          answer.runs.map(({ run }) => observe(run)),
        )
      }
      expect(planner.ask(state, 2)).toBe('done')
    })
  })
}

type Restart = (state: Json) => { readonly planner: Planner; readonly state: Json }

function drive(first: Planner, observe: (run: Run) => Observation, wanted: number, restart?: Restart): readonly Run[] {
  const runs: Run[] = []
  let planner = first
  let state = planner.start()
  for (;;) {
    const answer = planner.ask(state, wanted)
    if (answer === 'done') return runs
    if (answer === 'wait') throw new Error('waits although every run was observed')
    const proposed = answer.runs.map(({ run }) => run)
    runs.push(...proposed)
    state = planner.tell(answer.state, proposed.map(observe))
    if (restart !== undefined) ({ planner, state } = restart(state))
  }
}

const completed = (run: Run): Observation => observed(recordOf(run))
