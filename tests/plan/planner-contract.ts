import { describe, expect, test } from 'vitest'
import type { Run } from '../../src/define/run.ts'
import type { Observation } from '../../src/plan/observation.ts'
import type { Planner } from '../../src/plan/planner.ts'
import type { Json } from '../../src/util/json.ts'

/** What every planner promises. `make` gives a fresh planner, always the same; `observe` says how a run turned out. */
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

    test('says how many there will be, if it says anything', () => {
      const planner = make()
      const count = planner.count()
      if (count !== null) expect(drive(planner, observe, 7)).toHaveLength(count)
    })

    test('is deterministic: another instance proposes the same', () => {
      expect(drive(make(), observe, 3)).toEqual(drive(make(), observe, 3))
    })

    test('goes on from any state, saved as JSON, in a new process', () => {
      expect(
        drive(make(), observe, 3, state => ({ planner: make(), state: JSON.parse(JSON.stringify(state)) })),
      ).toEqual(drive(make(), observe, 3))
    })

    test('gives at most what is wanted, and stays done', () => {
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

const completed = (run: Run): Observation => ({
  run,
  outcome: { kind: 'completed' },
  metrics: {},
  series: [],
  cost_usd: null,
  wall_s: 1,
})
