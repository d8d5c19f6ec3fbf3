import { describe, expect, it } from 'vitest'
import { counterRandom, type RandomSource } from '../../../src/stats/index.ts'
import { ask } from '../ask.ts'
import { evidenceWith, scored } from '../evidence.ts'

const drawing = { seed: 1, resamples: 199, rng: 'assay' } as const
const arms = ['a', 'b'] as const
const places = (n: number): readonly number[] => Array.from({ length: n }, (_, at) => at)

/** Tasks of five runs in either arm, solved or not. */
const tasksOf = (n: number, isSolved: (arm: string, task: number, run: number) => boolean, own = false) =>
  evidenceWith(
    places(n).flatMap(task =>
      arms.flatMap(arm =>
        places(5).map(run => {
          const score = Number(isSolved(arm, task, run))
          return scored({ arm }, { task: own ? `${arm}${task}` : `t${task}` }, score, { replicate: run + 1 })
        }),
      ),
    ),
    { blocks: ['task'] },
  )

const atMargin = (evidence: ReturnType<typeof tasksOf>, margin: string) => ask(evidence, { drawing, margin })

describe('a margin of tasks with several runs, solved or not', () => {
  it('is met by identical tasks only if there are enough of them', () => {
    const always = (n: number, own = false) => tasksOf(n, () => true, own)
    const few = atMargin(always(10), '0.05').equivalence
    expect(few).toMatchObject({ not_worse: false, equivalent: false })
    // None of ten tasks is among the 5% that break: as for one run of each.
    expect(few?.not_worse_p).toBeCloseTo(0.95 ** 10, 12)
    expect(atMargin(always(50), '0.1').equivalence).toMatchObject({ not_worse: true, equivalent: true })
    expect(atMargin(always(50), '0.1').equivalence?.p).toBeCloseTo(0.9 ** 50, 12)
    expect(atMargin(always(10, true), '0.05').equivalence).toMatchObject({ not_worse: false, equivalent: false })
    expect(atMargin(always(200, true), '0.05').equivalence).toMatchObject({ not_worse: true, equivalent: true })
  })

  it('counts the gain of every task', () => {
    const gained = atMargin(
      tasksOf(10, (arm, _, run) => run < (arm === 'a' ? 2 : 4)),
      '0.1',
    ).equivalence
    expect(gained?.not_worse_p).toBeCloseTo((0.9 / 1.4) ** 10, 12)
    expect(gained).toMatchObject({ not_worse: true, equivalent: false })
  })

  it('needs as many tasks as with one run each, and a warning gives the number', () => {
    const nearlyAll = (n: number, own = false) =>
      atMargin(
        tasksOf(n, (arm, task, run) => task + run !== (arm === 'a' ? 6 : 7), own),
        '0.1',
      )
    const warning = (n: number) => nearlyAll(n).warnings.find(text => text.includes('rule out'))
    expect(nearlyAll(12).equivalence?.not_worse_p).toBeCloseTo(0.9 ** 12, 12)
    expect(nearlyAll(12).equivalence?.not_worse).toBe(false)
    expect(warning(12)).toBe(
      'the interval keeps the margin, but 12 tasks in pairs can\'t rule out that the candidate fails every run of 10% of tasks and is as good on the others: in 28.2% of experiments like this one none of those would be among them, so "not worse" is not claimed. 29 would do where the arms are alike (docs/calibration.md, "What a gate lets pass")',
    )
    expect(nearlyAll(28).equivalence?.not_worse).toBe(false)
    expect(nearlyAll(29).equivalence?.not_worse).toBe(true)
    expect(warning(29)).toBeUndefined()
    expect(nearlyAll(12, true).equivalence?.not_worse).toBe(false)
    expect(nearlyAll(40, true).equivalence?.not_worse).toBe(true)
  })

  it('counts breaking tasks exactly, as for single runs', () => {
    // One of 40 tasks lost: as likely as not more than 1 of 40 at a chance of 10%.
    const lost = atMargin(
      tasksOf(40, (arm, task) => arm === 'a' || task !== 3),
      '0.1',
    ).equivalence
    const single = ask(
      evidenceWith(
        places(40).flatMap(task =>
          arms.map(arm => scored({ arm }, { task: `t${task}` }, Number(arm === 'a' || task !== 3))),
        ),
        { blocks: ['task'] },
      ),
      { drawing, margin: '0.1' },
    ).equivalence
    expect(single?.not_worse_p).toBeCloseTo(0.0805, 4)
    expect(lost?.not_worse_p).toBe(single?.not_worse_p)
  })

  it('is not met by luck if tasks break and no run fails otherwise (it was, in 62% and 20%)', () => {
    const random: RandomSource = counterRandom(5)
    const passed = (n: number): number =>
      places(60).filter(() => {
        const broken = new Set(places(n).filter(() => random.next() < 0.05))
        return atMargin(
          tasksOf(n, (arm, task) => arm === 'a' || !broken.has(task)),
          '0.05',
        ).equivalence?.not_worse
      }).length / 60
    expect(passed(10)).toBeLessThan(0.05)
    expect(passed(30)).toBeLessThan(0.05)
  })
})
