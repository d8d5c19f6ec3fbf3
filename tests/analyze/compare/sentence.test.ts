import { describe, expect, it } from 'vitest'
import { armsFor } from '../../../src/analyze/arms.ts'
import { compareEvidence } from '../../../src/analyze/compare/compare.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import { filterEvidence } from '../../../src/plan/select/filter-evidence.ts'
import {
  amountText,
  counted,
  listed,
  percentText,
  plainNumber,
  plural,
  pText,
  unitWord,
} from '../../../src/util/words.ts'
import { ask } from '../ask.ts'
import { aRun, evidenceWith, scored, twoArms } from '../evidence.ts'

/** Tasks whose cost falls by about a quarter of a dollar. */
const dear = Array.from({ length: 60 }, (_, index) => 0.4 + ((index * 37) % 60) / 60)
const cheap = dear.map((cost, index) => cost - 0.24 + ((index * 17) % 60) / 200 - 0.15)

function perTask(metric: string, control: readonly number[], candidate: readonly number[], unit = 'task') {
  const arms = { raw: control, observation_masking: candidate }
  const runs = Object.entries(arms).flatMap(([strategy, values]) =>
    values.map((value, index) =>
      aRun({
        name: `${strategy}-${index}`,
        params: { strategy },
        block: { [unit]: `t${index}` },
        metrics: { [metric]: value },
      }),
    ),
  )
  return evidenceWith(runs, { metrics: [], blocks: [unit], factors: ['strategy'] })
}

const sentence = (
  metric: string,
  control: readonly number[],
  candidate: readonly number[],
  question = {},
  unit?: string,
) => {
  const evidence = perTask(metric, control, candidate, unit)
  const arms = armsFor(evidence, { control: { strategy: 'raw' } })
  return ask(evidence, {
    ...arms,
    reading: readingOf(evidence, { metric }),
    method: metric === 'solved' ? 'auto' : 'studentized',
    ...question,
  }).sentence
}

describe('one sentence', () => {
  it('names the winner, the difference, the uncertainty and the number of units', () => {
    expect(sentence('cost_usd', dear, cheap)).toBe(
      'observation_masking is cheaper than raw by $0.24 per task (95% CI $0.22 to $0.26), paired on 60 tasks',
    )
    expect(sentence('cost_usd', cheap, dear)).toMatch(
      /^observation_masking is more expensive than raw by \$0\.24 per task/,
    )
  })

  it('gives shares in percentage points', () => {
    const few = Array.from({ length: 50 }, (_, index) => Number(index % 5 === 0))
    const many = Array.from({ length: 50 }, (_, index) => Number(index % 5 !== 1))
    expect(
      sentence('solved', few, many, {
        reading: { metric: 'solved', goal: 'maximize', isGoalKnown: true, summary: null },
      }),
    ).toBe(
      'observation_masking is better on solved than raw by 60.0 percentage points (95% CI 45.2 to 73.6), paired on 50 tasks',
    )
  })

  it('says instances if a column is called instance_id', () => {
    expect(sentence('cost_usd', dear, cheap, {}, 'instance_id')).toMatch(/per instance \(.*\), paired on 60 instances$/)
  })

  it('says faster and slower for times', () => {
    expect(sentence('wait_ms', dear, cheap)).toMatch(
      /is faster on wait_ms than raw by 0\.24\d ms per task \(95% CI 0\.\d+ ms to/,
    )
  })

  it('uses dollars only if the name of the cost says so', () => {
    expect(sentence('cost', dear, cheap)).toMatch(
      /^observation_masking is (better|lower) on cost than raw by 0\.243 per task \(95% CI 0\.2\d+ to 0\.2\d+\)/,
    )
  })

  it('calls nothing better if the metric has no goal', () => {
    expect(sentence('depth', dear, cheap)).toMatch(/^observation_masking is lower on depth than raw by/)
  })

  it('gives the detectable difference if none was found', () => {
    const same = dear.map((cost, index) => cost + (((index * 17) % 60) - 29.5) / 60)
    expect(sentence('cost_usd', dear, same, { method: 'auto' })).toMatch(
      /^no difference between observation_masking and raw on cost_usd is shown: −?\$[\d.]+ per task \(95% CI −\$0\.0\d+ to \$0\.0\d+\), paired on 60 tasks; a difference of about \$0\.1\d would have been found 80% of the time$/,
    )
  })

  it('says if that is based on the width of the interval instead of the power of the test', () => {
    const same = dear.map((cost, index) => cost + (((index * 17) % 60) - 29.5) / 60)
    const going = 'going by the width of the interval alone, a difference of about $0.'
    for (const more of [{ statistic: { kind: 'median' }, method: 'auto' }, { method: 'bca' }] as const)
      expect(sentence('cost_usd', dear, same, more)).toContain(`; ${going}`)
    expect(sentence('cost_usd', dear, same, { method: 't' })).not.toContain('going by')
  })

  it('gives the margin of equivalence', () => {
    expect(
      sentence(
        'cost_usd',
        dear,
        dear.map((cost, index) => cost + 0.01 * (index % 2)),
        { margin: '0.05' },
      ),
    ).toBe(
      'observation_masking and raw are equivalent on cost_usd within ±$0.05 (90% CI $0.004 to $0.006), paired on 60 tasks',
    )
  })

  it('gives one end of a one-sided interval', () => {
    expect(sentence('cost_usd', dear, cheap, { alternative: 'less' })).toMatch(
      /by \$0\.24 per task \(95% CI from \$0\.2\d\)/,
    )
  })

  it('names groups if nothing is paired, and one seed in the singular', () => {
    expect(ask(twoArms([1, 2, 3], [7, 8, 10]), { isPaired: false }).sentence).toBe(
      'b is better on score than a by 6.33 (95% CI 3.21 to 9.45), 3 against 3 seeds',
    )
    expect(ask(twoArms([1], [2])).sentence).toBe("b and a can't be compared on score: too few values (1 seed)")
  })

  it('reports identical differences without an interval', () => {
    const base = [0.2, 0.5, 0.3, 0.7, 0.4]
    const shifted = ask(
      twoArms(
        base,
        base.map(value => value + 2 / 15),
      ),
    )
    expect(shifted).toMatchObject({ verdict: 'inconclusive', ci: null, p: 2 / 32 })
    expect(shifted.sentence).toBe(
      'b is higher on score than a by the same 0.133 on each of 5 seeds; as the differences do not vary, there is no interval; p = 0.063 by sign-flip permutation',
    )
    expect(ask(twoArms(base, base)).sentence).toBe(
      'b and a give the same score on each of 5 seeds; as the differences do not vary, there is no interval and no test',
    )
    expect(ask(twoArms([0.3, 0.3, 0.3], [0.1 + 0.2, 0.1 + 0.2, 0.1 + 0.2])).sentence).toContain('give the same score')
    expect(ask(twoArms([2, 2, 2], [1.5, 1.5, 1.5]), { isPaired: false }).sentence).toBe(
      'b is lower on score than a by 0.500, 3 against 3 seeds; as the values of each arm do not vary, there is no interval; p = 0.100 by permutation',
    )
  })
})

describe('readable numbers', () => {
  it.each([
    [0, '0'],
    [-5.891, '−5.89'],
    [0.00012345, '0.000123'],
    [1234.5, '1235'],
    [45678.9, '45,679'],
    [-45678.9, '−45,679'],
    [3e-9, '3.00e-9'],
    [2.5e12, '2.50e12'],
    [0.99996, '1.00'],
    [-9.9999, '−10.0'],
  ])('%s', (value, text) => expect(plainNumber(value)).toBe(text))

  it.each([
    [0.2377, '$0.24'],
    [-0.2377, '−$0.24'],
    [1.2885, '$1.29'],
    [0.0021046, '$0.0021'],
    [0.05, '$0.05'],
    [0.0999, '$0.10'],
    [12345.678, '$12,345.68'],
    [0, '$0.00'],
  ])('%s dollars', (value, text) => expect(amountText('cost_usd')(value)).toBe(text))

  it.each([
    [0, 'p < 0.0001'],
    [0.00009, 'p < 0.0001'],
    [0.0002, 'p = 0.00020'],
    [0.0406, 'p = 0.041'],
    [0.0496, 'p = 0.0496'],
    [0.05, 'p = 0.05'],
    [0.8736, 'p = 0.874'],
    [1, 'p = 1'],
    [1.1024, 'p = 1.102'],
  ])('p %s', (p, text) => expect(pText(p)).toBe(text))

  it('percent', () => expect([0.95, 0.4761, 1 / 3].map(percentText)).toEqual(['95%', '47.6%', '33.3%']))

  it('units', () => {
    expect(amountText('wait_ms')(12)).toBe('12.0 ms')
    expect(amountText('wall_s')(-1.5)).toBe('−1.50 s')
    expect(amountText('costume')(1)).toBe('1.00')
  })
})

describe('words', () => {
  it('counts', () => {
    expect(['seed', 'query', 'box', 'class', 'day'].map(plural)).toEqual([
      'seeds',
      'queries',
      'boxes',
      'classes',
      'days',
    ])
    expect([counted(1, 'task'), counted(500, 'task')]).toEqual(['1 task', '500 tasks'])
    expect(['instance_id', 'task_name', 'id', 'seed', 'test_case'].map(unitWord)).toEqual([
      'instance',
      'task',
      'id',
      'seed',
      'test case',
    ])
    expect([listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c', 'd', 'e'])]).toEqual([
      'a',
      'a and b',
      'a, b, c, d and 1 more',
    ])
  })
})

describe('warnings', () => {
  const of = (...runs: Parameters<typeof scored>[]) =>
    ask(
      evidenceWith(
        runs.map(run => scored(...run)),
        { blocks: ['seed'], factors: ['arm', 'load'] },
      ),
    ).warnings.join('\n')
  const arms = (a: object, b: object) =>
    of(
      ...[1, 2, 3, 5].flatMap(seed => [
        [{ arm: 'a' }, { seed }, seed, a] as Parameters<typeof scored>,
        [{ arm: 'b' }, { seed }, seed * 2, b] as Parameters<typeof scored>,
      ]),
    )

  it('report another parameter in which the arms differ', () => {
    expect(
      arms({ params: { arm: 'a', curriculum: 'terrain_1' } }, { params: { arm: 'b', curriculum: 'terrain_2' } }),
    ).toContain('the arms differ in curriculum: a has terrain_1, b has terrain_2')
    expect(arms({ params: { arm: 'a' } }, { params: { arm: 'b', keep: 7 } })).toContain('a has none, b has 7')
    expect(arms({}, {})).not.toContain('the arms differ')
  })

  it('ignore a factor that applies to one arm only, unless it has several levels there', () => {
    const nested = (...loads: readonly number[]) => {
      const runs = [1, 2, 3, 5].flatMap((seed, at) => [
        scored({ arm: 'a' }, { seed }, seed),
        scored({ arm: 'b', load: loads[at % loads.length] ?? 0 }, { seed }, seed * 2),
      ])
      const evidence = evidenceWith(runs, { blocks: ['seed'], factors: ['arm', 'load'] })
      const { compared } = compareEvidence(evidence, { control: { arm: 'a' }, candidate: [{ arm: 'b' }] })
      return compared.flatMap(({ comparison }) => comparison.warnings).join('\n')
    }
    expect(nested(7)).not.toContain('the arms differ')
    expect(nested(7, 8)).toContain('the arms differ in load: a has none, b has 7 and 8')
  })

  it('report different or uncommitted code', () => {
    expect(arms({ code: 'abc' }, { code: 'def' })).toContain(
      'the arms were run with different versions of the code: a with abc, b with def',
    )
    expect(arms({ code: 'abc+' }, { code: 'abc+' }).split('\n').slice(0, 2).join('\n')).toBe(
      "some runs were made with changes that were not committed\n4 seeds in pairs can't give a p below 0.13 in a distribution-free test: run more",
    )
    expect(arms({ code: 'abc' }, { code: null })).toContain('a with abc, b with unknown')
  })

  it('report an arm with more capacity', () => {
    const score = { score: 1 }
    expect(
      ask(
        twoArms([1, 2, 4], [2, 4, 7], {
          runs: twoArms([1, 2, 4], [2, 4, 7]).runs.map(run => ({
            ...run,
            metrics: { ...score, ...run.metrics, parameters: run.params.arm === 'a' ? 1_000_000 : 1_250_000 },
          })),
        }),
      ).warnings.join(),
    ).toContain('the arms differ in capacity: b has 25% more parameters (1,250,000 against 1,000,000)')
  })

  it('report averaging, exclusions and what these may hide', () => {
    const runs = ['a', 'b'].flatMap(arm =>
      [0.7, 0.9].flatMap(load =>
        [1, 2, 3].map(seed =>
          scored({ arm, load }, { seed }, seed === 3 && arm === 'b' && load === 0.9 ? null : Number(seed === 2)),
        ),
      ),
    )
    const found = ask(
      evidenceWith(runs, { blocks: ['seed'], factors: ['arm', 'load'] }),
      armsFor(evidenceWith(runs), { control: { arm: 'a' } }),
    )
    expect(found.warnings.slice(0, 5)).toEqual([
      'the difference is an average over load: a filter (--filter) looks at one level alone',
      '1 of 6 runs of b has no value and is left out: 1 failed',
      'the arms lost different shares of their runs (0 of 6 of a, 1 of 6 of b): if hard cases fail first, what is left favours b; --missing worst-rank counts failed and cut-off runs as worse than every value, --missing bounds allows for everything they could have given',
      '1 without a partner, left out: seed=3 load=0.9',
      'whatever the missing values would have been, the difference on all 3 seeds is between 0.0 and 16.7 pts',
    ])
    expect(found.missing.bounds?.high).toBeCloseTo(1 / 6, 12)
  })

  it('distinguish started from planned tasks, and report an estimate that leaves one out', () => {
    const control = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1]
    const runs = twoArms(
      control,
      Array.from({ length: 10 }, () => 1),
    ).runs.map(({ block, ...run }) => ({
      ...run,
      block: { task: Number(block.seed) },
    }))
    const source = { name: 'experiment', path: '/experiment', planned: 40 }
    const evidence = evidenceWith(runs, { blocks: ['task'], sources: [source] })
    const found = ask(evidence)
    expect(found.estimate).toBe(0.5)
    expect(found.missing).toMatchObject({ not_run: 19, bounds: { units: 11 } })
    expect(found.warnings.slice(0, 3)).toEqual([
      '19 of the 40 planned runs have not been made: nothing here covers what they would have given',
      '1 without a partner, left out: task 11',
      'whatever the missing values would have been, the difference on all 11 tasks that were begun is between 36.4 and 45.5 pts: not where the estimate is, which leaves out what has no partner',
    ])
    // The number of planned runs within a filter is unknown.
    const part = ask(filterEvidence(evidence, ['task > 1']))
    expect(part.missing.not_run).toBeNull()
    expect(part.warnings[0]).toBe('partial: 21 of 40 planned runs have ended, and the filter chose among these')
    // Nor is a median bounded by the bounds of a mean.
    expect(ask(evidence, { statistic: { kind: 'median' } }).missing.bounds).toBeNull()
  })

  it('name the arm that is favoured by counting a missing cost as 0', () => {
    const evidence = twoArms([1, null, 3], [2, 3, 4], { metrics: [{ name: 'score', goal: 'minimize', primary: true }] })
    expect(ask(evidence, { missing: 'zero' }).warnings).toContainEqual(
      'a missing score counted as 0 is the best there can be: that favours the arm that failed more',
    )
  })
})
