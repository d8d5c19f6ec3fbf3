import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import type { Question } from '../../../src/analyze/compare/compare.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { ask, pOf } from '../ask.ts'
import { evidenceWith, scored } from '../evidence.ts'

interface Spread {
  readonly task: number
  readonly seed: number
}

/** Each seed is a model trained under either arm and run on all tasks, which share its effect. */
function crossed(tasks: number, seeds: number, sd: Spread, z: () => number, name = 'seed') {
  const ofTask = Array.from({ length: tasks }, () => sd.task * z())
  const ofSeed = Array.from({ length: seeds }, () => sd.seed * z())
  return ofTask.flatMap((own, task) =>
    ofSeed.flatMap((other, seed) => {
      const block = { task: `t${task}`, [name]: seed + 1 }
      const level = z()
      return [scored({ arm: 'a' }, block, level), scored({ arm: 'b' }, block, level + own + other + z())]
    }),
  )
}

const drawing = { seed: 1, resamples: 199, rng: 'assay' } as const
const claims = (runs: ReturnType<typeof crossed>, blocks: readonly string[]): boolean =>
  pOf(evidenceWith(runs, { blocks }), { drawing }) <= 0.05

describe('the same seeds in every task', () => {
  it.each([
    ['seeds that shift all their tasks', 5, 50, { task: 0, seed: 0.3 }],
    ['three of them, and tasks that differ', 3, 20, { task: 0.5, seed: 0.5 }],
    ['independent rollouts', 5, 50, { task: 0.3, seed: 0 }],
  ] as const)('%s: few false verdicts, whichever block comes first', (_, seeds, tasks, sd) => {
    const z = normalDeviates(counterRandom(11, seeds * 1000 + tasks))
    const trials = 150
    let found = 0
    for (let trial = 0; trial < trials; trial++) {
      const runs = crossed(tasks, seeds, sd, z)
      const isClaimed = claims(runs, ['task', 'seed'])
      if (isClaimed) found++
      // Every claim there is, and some of the others.
      if (isClaimed || trial % 10 === 0) expect(claims(runs, ['seed', 'task'])).toBe(isClaimed)
    }
    // Of a true 5%, more than 10% come out once in two hundred times; before, it was 40% or 20%.
    expect(found / trials).toBeLessThan(0.1)
  })

  it('also shift the tasks of arms with separate tasks (one claim in four was false)', () => {
    const z = normalDeviates(counterRandom(12))
    const trials = 150
    let found = 0
    for (let trial = 0; trial < trials; trial++) {
      const runs = ['a', 'b'].flatMap(arm => {
        const seeds = [1, 2, 3, 4, 5].map(seed => ({ seed, gain: 0.5 * z() }))
        return Array.from({ length: 20 }, (_, task) => ({ task: `${arm}${task}`, level: 0.5 * z() })).flatMap(
          ({ task, level }) => seeds.map(({ seed, gain }) => scored({ arm }, { task, seed }, level + gain + z())),
        )
      })
      if (claims(runs, ['task', 'seed'])) found++
      if (trial === 0)
        expect(ask(evidenceWith(runs, { blocks: ['task', 'seed'] }))).toMatchObject({
          test: expect.stringContaining('tasks crossed with seeds'),
          design: { crossed: [{ block: 'seed', levels: 5 }], text: expect.stringContaining('20 against 20 tasks') },
        })
    }
    expect(found / trials).toBeLessThan(0.1)
  })

  const z = normalDeviates(counterRandom(4))
  const shifting = crossed(20, 5, { task: 0.2, seed: 1.5 }, z)

  it('are reported as crossed, with the size of their shift', () => {
    const evidence = evidenceWith(shifting, { blocks: ['task', 'seed'] })
    const found = ask(evidence)
    expect(pOf(evidence)).toBe(found.p)
    expect(found.design).toMatchObject({ crossed: [{ block: 'seed', levels: 5 }], nested: [] })
    expect(found.design?.crossed[0]?.sd).toBeGreaterThan(0.6)
    expect(found.sentence).toContain('paired on 20 tasks × 5 seeds')
    expect(found.test).toContain('tasks crossed with seeds')
    expect(found.warnings.join()).not.toContain('neither show nor rule out')
  })

  it('warn if the data can’t tell, and are averaged if they only number rollouts', () => {
    const alike = crossed(20, 5, { task: 0.2, seed: 0 }, normalDeviates(counterRandom(6)))
    const found = ask(evidenceWith(alike, { blocks: ['task', 'seed'] }))
    expect(found.warnings.join()).toMatch(
      /the same 5 seeds come back in 20 tasks: .* neither show nor rule out \(sd of such a shift: at most 0\.\d+\)\. If seed only numbers/,
    )
    const rollouts = crossed(20, 5, { task: 0.2, seed: 0 }, normalDeviates(counterRandom(6)), 'rollout')
    const averaged = ask(evidenceWith(rollouts, { blocks: ['task', 'rollout'] }))
    expect(averaged.design).toMatchObject({ crossed: [], nested: ['rollout'] })
    expect(averaged.p).toBe(ask(evidenceWith(alike, { blocks: ['task'] })).p)
    expect(found.p ?? 0).toBeGreaterThanOrEqual(averaged.p ?? 1)
  })

  it('are nested if each task has its own', () => {
    const own = shifting.map(run => ({
      ...run,
      block: { task: run.block.task ?? '', seed: `${run.block.task}/${run.block.seed}` },
    }))
    const found = ask(evidenceWith(own, { blocks: ['task', 'seed'] }))
    expect(found.design).toMatchObject({ crossed: [], nested: ['seed'] })
    expect(found.unit).toBe('task')
  })

  it('also count for margins, and missing cells change little', () => {
    const whole = ask(evidenceWith(shifting, { blocks: ['task', 'seed'] }), { margin: '1' })
    const some = ask(
      evidenceWith(
        shifting.filter((_, at) => at % 41 > 1),
        { blocks: ['task', 'seed'] },
      ),
      { margin: '1' },
    )
    const alone = ask(evidenceWith(shifting, { blocks: ['task'] }), { margin: '1' })
    expect(whole.equivalence?.p ?? 0).toBeGreaterThan(alone.equivalence?.p ?? 1)
    const width = ({ ci }: typeof whole) => (ci?.high ?? 0) - (ci?.low ?? 0)
    expect(width(some) / width(whole)).toBeGreaterThan(0.8)
    expect(width(some) / width(whole)).toBeLessThan(1.25)
    expect(width(whole)).toBeGreaterThan(2 * width(alone))
  })
})

describe('every statistic of crossed units', () => {
  const z = normalDeviates(counterRandom(4))
  const shifting = crossed(20, 5, { task: 0.2, seed: 1.5 }, z)
  const unlike = (own: ReturnType<typeof crossed>) =>
    own.map(run => ({ ...run, block: { seed: null, ...run.block, task: `${run.params.arm}${run.block.task}` } }))
  const tasks = Array.from({ length: 20 }, (_, task) => `t${task}`)
  const reading = { ...readingOf(evidenceWith(shifting), {}), range: [-20, 20] as const }
  it.each<[string, Partial<Question>, boolean]>([
    ['weights', { weights: Object.fromEntries(tasks.map((task, at) => [task, 1 + (at % 4)])) }, true],
    ['strata', { strata: { groups: { x: tasks.slice(0, 10), y: tasks.slice(10) } } }, true],
    ['bounds of what is missing', { missing: 'bounds', reading }, true],
    ['medians', { statistic: { kind: 'median' } }, true],
    ['trimmed means', { statistic: { kind: 'iqm' } }, true],
    ['trimmed means of two groups', { statistic: { kind: 'iqm' } }, false],
    ['wins of two groups', { statistic: { kind: 'wins' } }, false],
  ])('%s count the effect of a seed on all its tasks', (_, question, isPaired) => {
    const found = (blocks: readonly string[]) =>
      ask(evidenceWith(isPaired ? shifting : unlike(shifting), { blocks }), { drawing, ...question })
    const [counted, averaged] = [found(['task', 'seed']), found(['task'])]
    const width = ({ ci }: typeof counted) => (ci?.high ?? 0) - (ci?.low ?? 0)
    expect(counted.test).toContain('tasks crossed with seeds')
    expect(counted.n.pairs).toBe(isPaired ? 20 : null)
    expect(counted.estimate).toBeCloseTo(averaged.estimate ?? Number.NaN, 9)
    expect(width(counted)).toBeGreaterThan((isPaired ? 2 : 1.3) * width(averaged))
    expect(counted.warnings.join()).not.toContain('takes no account')
  })

  it.each([{ statistic: { kind: 'iqm' } }, { statistic: { kind: 'median' } }, { method: 'studentized' }] as const)(
    'the interval of each arm counts it, too: %o',
    question => {
      const found = (blocks: readonly string[]) => ask(evidenceWith(shifting, { blocks }), { drawing, ...question })
      const width = ({ arms }: ReturnType<typeof found>) =>
        (arms.candidate.ci?.high ?? 0) - (arms.candidate.ci?.low ?? 0)
      expect(width(found(['task', 'seed']))).toBeGreaterThan(2 * width(found(['task'])))
    },
  )

  it('warns that pass@k leaves it out', () => {
    const solved = shifting.map(run => ({ ...run, metrics: { score: Number((run.metrics.score ?? 0) > 0) } }))
    const found = ask(evidenceWith(solved, { blocks: ['task', 'seed'] }), {
      drawing,
      statistic: { kind: 'pass@', k: 2 },
    })
    expect(found.warnings.join()).toContain('the same 5 seeds come back in 20 tasks, and pass@2 takes no account of it')
  })

  it('the only seed of an arm is assumed to vary as in the other arm', () => {
    const few = unlike(shifting).filter(({ params, block }) => params.arm === 'b' || block.seed === 1)
    const found = (blocks: readonly string[]) => ask(evidenceWith(few, { blocks }), { drawing })
    const width = ({ ci }: ReturnType<typeof found>) => (ci?.high ?? 0) - (ci?.low ?? 0)
    expect(found(['task', 'seed']).test).toContain('tasks crossed with seeds')
    // Of five seeds and one more, against the same tasks if seeds did nothing.
    expect(width(found(['task', 'seed']))).toBeGreaterThan(3 * width(found(['task'])))
  })
})

it('tasks within repositories are counted by repository, in any order of blocks', () => {
  const runs = Array.from({ length: 24 }, (_, task) => task).flatMap(task => {
    const block = { task: `t${task}`, repo: `r${task % 8}` }
    return [scored({ arm: 'a' }, block, task), scored({ arm: 'b' }, block, task + Math.sin(task))]
  })
  for (const blocks of [
    ['task', 'repo'],
    ['repo', 'task'],
  ])
    expect(ask(evidenceWith(runs, { blocks }))).toMatchObject({ unit: 'repo', n: { pairs: 8 } })
})
