import { describe, expect, it } from 'vitest'
import { analyzeBatch } from '../../../src/analyze/batch/analyze-batch.ts'
import { type BatchOptions, spentOn } from '../../../src/analyze/batch/batch.ts'
import { type Attempt, type Observation, observed } from '../../../src/define/observation.ts'
import { aRun, evidenceWith, twoArms } from '../evidence.ts'

const drawing = { seed: 1, resamples: 1000, rng: 'assay' as const }
const analyze = (evidence: Parameters<typeof analyzeBatch>[0], options: BatchOptions = {}) =>
  analyzeBatch(evidence, { drawing, ...options })

/** Two models on that many seeds; the test determines the results. */
function batch(seeds: number, of: (model: string, seed: number) => Partial<Observation>) {
  const runs = ['small', 'large'].flatMap(model =>
    Array.from({ length: seeds }, (_, at) =>
      aRun({ name: `${model}-${at + 1}`, params: { model }, block: { seed: at + 1 }, ...of(model, at + 1) }),
    ),
  )
  return evidenceWith(runs, { blocks: ['seed'], factors: ['model'], levels: { model: ['small', 'large'] } })
}

const failed = (error_class: string): Partial<Observation> => ({ outcome: { kind: 'failed', error_class } })

describe('runs without a verdict', () => {
  const { patterns, variations, metrics } = analyze(
    batch(10, (_, seed) =>
      seed > 8 ? { outcome: { kind: 'timed_out' }, metrics: { score: 99 } } : { metrics: { score: seed } },
    ),
  )

  it('are counted but never scored', () => {
    expect(patterns).toMatchObject({ total_runs: 20, successful_runs: 16, failed_runs: 0, censored_runs: 4 })
    expect(patterns.success_rate).toBe(1)
    expect(patterns.success_rate_bounds).toEqual({ low: 0.8, high: 1 })
    expect(metrics.score).toMatchObject({ count: 16, max: 8, missing: 4, missing_reasons: { timed_out: 4 } })
    expect(variations['1']).toMatchObject({ total_runs: 10, censored_runs: 2, description: 'model=small' })
  })

  it('leave the rate unknown if there are no others', () => {
    const { patterns: none } = analyze(batch(3, () => ({ outcome: { kind: 'infra_error' } })))
    expect(none).toMatchObject({ success_rate: null, best_variation: null, success_factors: [] })
  })
})

describe('the sentence about success', () => {
  const said = (evidence: Parameters<typeof analyze>[0], options: BatchOptions = {}) =>
    analyze(evidence, options).patterns.findings.filter(({ kind }) => kind === 'success')
  const sweep = batch(2, (_, seed) => ({ metrics: { score: seed } }))

  it('is empty if all runs completed and no rule judges them', () => {
    expect(said(sweep)).toEqual([])
    expect(said(sweep, { success: 'score >= 1' })).toMatchObject([
      { sentence: expect.stringMatching(/^4 of 4 judged runs succeeded: 100%/) },
    ])
  })

  it('says "completed" if only outcomes are known', () => {
    expect(said(batch(2, model => (model === 'small' ? failed('E') : {})))).toMatchObject([
      { sentence: expect.stringMatching(/^2 of 4 judged runs completed: 50%/) },
    ])
  })
})

describe('success factors', () => {
  it('name the level that helps, on matched seeds', () => {
    const { patterns } = analyze(
      batch(12, model => (model === 'small' ? failed('RangeError') : { metrics: { score: 1 } })),
    )
    expect(patterns.success_factors).toMatchObject([
      { factor: 'model', level: 'large', risk_difference: 1, direction: 'helps', matched_on: ['seed'], n: 12 },
    ])
    expect(patterns.factor_contrasts).toHaveLength(1)
  })

  it('show nothing if no factor has an effect', () => {
    const { patterns } = analyze(batch(12, (_, seed) => (seed % 2 === 0 ? failed('E') : {})))
    expect(patterns.success_factors).toEqual([])
    expect(patterns.factor_contrasts).toMatchObject([{ risk_difference: 0, is_shown: false }])
  })

  it('name the factor that changed at the same time', () => {
    const evidence = batch(12, model => (model === 'small' ? failed('E') : {}))
    // Each machine ran one model only.
    const runs = evidence.runs.map(run => ({
      ...run,
      params: { ...run.params, machine: `${run.params.model}${Number(run.block.seed) % 2}` },
    }))
    const { patterns } = analyze({ ...evidence, runs, factors: ['model', 'machine'] })
    expect(patterns.factor_contrasts[0]).toMatchObject({ factor: 'model', confounded_with: ['machine'] })
  })

  it('count factors that always change together as one, in contrasts and in concentrations of failures', () => {
    const evidence = batch(12, model => (model === 'small' ? failed('E') : {}))
    const runs = evidence.runs.map(run => ({ ...run, params: { ...run.params, twin: `${run.params.model}!` } }))
    const { patterns } = analyze({ ...evidence, runs, factors: ['model', 'twin'] })
    const alone = analyze(evidence).patterns
    expect(patterns.factor_contrasts).toMatchObject([
      {
        factor: 'model+twin',
        level: 'large+large!',
        matched_on: ['seed'],
        confounded_with: [],
        p_adjusted: alone.factor_contrasts[0]?.p_adjusted,
      },
    ])
    expect(patterns.failure_concentrations).toMatchObject([
      { factor: 'model+twin', level: 'small+small!', p_adjusted: alone.failure_concentrations[0]?.p_adjusted },
    ])
    expect(patterns.failure_modes[0]?.by_variation).toEqual(alone.failure_modes[0]?.by_variation)
    expect(patterns.failure_modes[0]?.by_variation).toHaveLength(1)
  })
})

describe('metrics that correlate with success', () => {
  it('do not include a metric that only follows the seed', () => {
    // Twenty variants on ten seeds: 200 runs, but only ten independent values of `luck`.
    const runs = Array.from({ length: 200 }, (_, at) => {
      const seed = (at % 10) + 1
      const [variant, luck] = [Math.floor(at / 10), Math.sin(seed * 7)]
      return aRun({
        name: `r${at}`,
        params: { variant },
        block: { seed },
        metrics: { luck, score: Math.sin(seed * 3) },
      })
    })
    const evidence = evidenceWith(runs, { blocks: ['seed'], factors: ['variant'] })
    const { patterns } = analyze(evidence, { success: 'score > 0' })
    expect(patterns.metric_associations).toMatchObject([{ name: 'luck', is_shown: false, exploratory: true }])
    expect(patterns.metric_associations[0]?.p).toBeGreaterThan(0.05)
  })

  it('include a metric that correlates in each seed, but none that the rule uses', () => {
    const evidence = batch(15, (model, seed) => ({
      metrics: { score: model === 'large' ? 1 : 0, tokens: (model === 'large' ? 9 : 0) + (seed % 12) },
    }))
    const { patterns } = analyze(evidence, { success: 'score' })
    expect(patterns.metric_associations).toMatchObject([{ name: 'tokens', is_shown: true }])
    expect(patterns.metric_associations[0]?.probability_higher).toBeGreaterThan(0.8)
  })
})

describe('failure modes', () => {
  it('are distinguished by the message of the run, not by its exit code', () => {
    const exited = (said: string, code: number) => ({
      outcome: { kind: 'failed' as const, exit_code: code, error_class: `exit_${code}`, said },
    })
    const evidence = batch(12, (model, seed) =>
      model === 'large' && seed <= 4
        ? exited(`KeyError: 'field_${seed}'`, 1)
        : model === 'small'
          ? exited(`connect ECONNREFUSED 127.0.0.1:${8000 + seed}`, seed % 2)
          : { metrics: { score: seed } },
    )
    const { failure_modes, findings } = analyze(evidence).patterns
    expect(failure_modes).toMatchObject([
      { mode: 'failed: connection refused', count: 12, example_runs: ['small-1', 'small-2', 'small-3'] },
      { mode: 'failed: KeyError', count: 4, example_runs: ['large-1', 'large-2', 'large-3'] },
    ])
    expect(findings.filter(({ kind }) => kind === 'failure_mode').map(({ sentence }) => sentence)).toEqual([
      '12 of 24 runs ended as "failed: connection refused": connect ECONNREFUSED 127.0.0.1:8001, e.g. small-1',
      `4 of 24 runs ended as "failed: KeyError": KeyError: 'field_1', e.g. large-1`,
    ])
  })

  it('are distinguished by the output files if the journal has no messages', () => {
    const evidence = batch(6, (_, seed) => (seed > 3 ? {} : { outcome: { kind: 'failed', error_class: 'exit_1' } }))
    const lastLineOf = ({ params }: Observation) => (params.model === 'small' ? 'MemoryError' : 'killed by admin 7')
    expect(analyze(evidence, { lastLineOf }).patterns.failure_modes).toMatchObject([
      { mode: 'failed: killed by admin …', count: 3 },
      { mode: 'failed: out of memory', count: 3 },
    ])
  })

  it('are counted by class, with examples and last messages', () => {
    const evidence = batch(10, (model, seed) =>
      seed <= 4 && model === 'small' ? failed('RangeError') : seed === 10 ? { outcome: { kind: 'cost_limited' } } : {},
    )
    const lastLineOf = ({ name }: Observation) => `bye from ${name}`
    const { failure_modes, failure_concentrations } = analyze(evidence, { lastLineOf }).patterns
    expect(failure_modes).toMatchObject([
      { mode: 'failed: RangeError', count: 4, counts_as: 'failure', last_line: 'bye from small-1' },
      { mode: 'cost limited', count: 2, counts_as: 'censored' },
    ])
    expect(failure_modes[0]?.by_variation).toEqual([{ variation_id: 1, count: 4, of: 10 }])
    expect(failure_concentrations).toEqual([])
  })

  it('that concentrate at one level are reported as exploratory', () => {
    const evidence = batch(10, (model, seed) => (seed <= 8 && model === 'small' ? failed('RangeError') : {}))
    expect(analyze(evidence).patterns.failure_concentrations).toMatchObject([
      { mode: 'failed: RangeError', factor: 'model', level: 'small', exploratory: true },
    ])
  })

  it('that affect a whole block name it', () => {
    const runs = ['a', 'b', 'c'].flatMap(arm =>
      [1, 2, 3].map(task => aRun({ params: { arm }, block: { task }, ...(task === 2 ? failed('E') : {}) })),
    )
    const { patterns } = analyze(evidenceWith(runs, { blocks: ['task'] }))
    expect(patterns.hard_blocks).toEqual([{ block: 'task', levels: ['2'], of: 3 }])
  })
})

describe('costs', () => {
  it('include all attempts of a run, and are assumed if one of them is', () => {
    const attempt = (cost_usd: number | null, cost_assumed = false) => ({ cost_usd, cost_assumed }) as Attempt
    expect(spentOn(observed({ cost_usd: 3 }))).toEqual({ usd: 3, isAssumed: false })
    expect(spentOn(observed({}))).toBeNull()
    expect(spentOn(observed({ cost_usd: 2, attempts: [attempt(1), attempt(2), attempt(null)] }))).toEqual({
      usd: 3,
      isAssumed: false,
    })
    expect(spentOn(observed({ cost_usd: 2, attempts: [attempt(1, true), attempt(2)] }))?.isAssumed).toBe(true)
    expect(spentOn(observed({ attempts: [attempt(null)] }))).toBeNull()
  })

  it('include the cost of failures', () => {
    const evidence = batch(10, (model, seed) => ({
      cost_usd: model === 'large' ? 0.4 : 0.1 + seed / 1000,
      ...(model === 'large' && seed % 2 === 0 ? failed('E') : {}),
    }))
    const { variations, patterns } = analyze(evidence)
    expect(variations['2']?.cost_per_success.value).toBeCloseTo(0.8)
    expect(patterns.cost_efficiency.map(({ variation_id }) => variation_id)).toEqual([1, 2])
    expect(patterns.cost_efficiency[1]?.runs_per_dollar).toBeCloseTo(1.25)
  })

  it('that were not recorded are not 0', () => {
    const { variations, patterns } = analyze(batch(3, () => ({})))
    expect(variations['1']?.cost).toMatchObject({ total: null, mean: null, known: 0, missing: 3 })
    expect(patterns.cost_efficiency).toEqual([])
    expect(patterns.findings.find(({ kind }) => kind === 'cost')?.sentence).toContain('no run recorded a cost')
  })
})

describe('the best variant', () => {
  it('follows the goal', () => {
    const evidence = twoArms([1, 2, 3, 4, 5, 6], [2.5, 3, 4.2, 5, 6.1, 7.4])
    expect(analyze(evidence).patterns.best_variation).toMatchObject({ description: 'arm=b', tied_with: [] })
    const minimize = [{ name: 'score', goal: 'minimize' as const, primary: true }]
    expect(analyze({ ...evidence, metrics: minimize }).patterns.best_variation?.description).toBe('arm=a')
  })

  it('names the variants that are tied with it', () => {
    const { best_variation: best } = analyze(twoArms([1, 5, 2, 6, 3], [5, 1.2, 6, 2, 3.1])).patterns
    expect(best?.tied_with).toHaveLength(1)
    expect(best?.p_best).toBeLessThan(0.9)
  })

  it('leaves out a variant with values for only a few blocks', () => {
    const { ranking } = analyze(twoArms([9, null, null, null, null, null], [1, 2, 3, 4, 5, 6])).patterns
    expect(ranking.variations.find(({ description }) => description === 'arm=a')?.p_best).toBeNull()
  })

  const bestSentence = (evidence: Parameters<typeof analyze>[0], options?: BatchOptions) =>
    analyze(evidence, options).patterns.findings.find(({ kind }) => kind === 'best')?.sentence
  const tasks = (count: number, value: (at: number) => number | null) =>
    Array.from({ length: count }, (_, at) => value(at))

  it('does not exist if the leader has values for the easy blocks only', () => {
    const evidence = twoArms(
      tasks(40, at => (at < 18 ? 1 : 0)),
      tasks(40, at => (at < 18 ? 1 : null)),
    )
    const { patterns } = analyze(evidence)
    expect(patterns.best_variation).toBeNull()
    expect(patterns.ranking).toMatchObject({ method: null, blocks_used: 0, blocks_left_out: 40 })
    expect(patterns.ranking.variations.map(({ p_best }) => p_best)).toEqual([null, null])
    expect(bestSentence(evidence)).toBe(
      'nothing can be ranked on score: only one variant has a value for half of the 40 seeds or more (arm=b lacks 22)',
    )
  })

  it('does not exist if the variants share few blocks', () => {
    const evidence = twoArms(
      tasks(10, at => (at < 6 ? at : null)),
      tasks(10, at => (at < 3 ? null : at + 5)),
    )
    expect(bestSentence(evidence)).toBe(
      'nothing can be ranked on score: only 3 of 10 seeds have a value of every variant (arm=a lacks 4; arm=b lacks 3)',
    )
  })

  it('is chosen among independent runs if every variant has its own blocks', () => {
    const { runs, ...rest } = twoArms([1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15, 16])
    const apart = runs.map(run => ({ ...run, block: { seed: `${run.params.arm}${run.block.seed}` } }))
    const { ranking, best_variation } = analyze({ ...rest, runs: apart }).patterns
    expect([ranking.method, best_variation?.description]).toEqual(['independent', 'arm=b'])
  })

  it('is reported with the number of its runs without a value', () => {
    const evidence = twoArms([1, 2, 3, 4, 5, 6, 7, 8], [null, 12, 13, null, 15, 16, 17, 19])
    expect(bestSentence(evidence)).toContain('(2 of its 8 runs without a value); it comes first')
  })

  it('is distinguished on few blocks by t, as in compare', () => {
    // p = 0.00004 in a paired t; the joint bootstrap of six blocks does not see it.
    const evidence = twoArms([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6.1, 7.5])
    expect(analyze(evidence).patterns.best_variation).toMatchObject({ description: 'arm=b', tied_with: [] })
    const noisy = twoArms([1, 2, 3, 4, 5, 6], [4, 1, 6, 3, 8, 5])
    expect(analyze(noisy).patterns.best_variation?.tied_with).toHaveLength(1)
  })

  it('is not distinguished by three yes against three no', () => {
    expect(analyze(twoArms([0, 0, 0], [1, 1, 1])).patterns.best_variation?.tied_with).toHaveLength(1)
    expect(analyze(twoArms([0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1])).patterns.best_variation?.tied_with).toEqual([])
  })

  it('separates tied variants by semicolons, because levels are separated by commas', () => {
    const runs = ['x', 'y'].flatMap(a =>
      ['x', 'y'].flatMap(b =>
        [1, 2, 3, 4, 5].map(seed =>
          aRun({
            params: { a, b },
            block: { seed },
            metrics: { score: Math.sin(seed * (a + b).charCodeAt(0) + (a === b ? 2 : seed)) },
          }),
        ),
      ),
    )
    const sentence = bestSentence(evidenceWith(runs, { blocks: ['seed'], factors: ['a', 'b'] }))
    expect(sentence).toMatch(/, but a=., b=.; a=., b=.; a=., b=. can't be told from it$/)
  })
})

it('the same evidence gives the same bytes', () => {
  const evidence = twoArms([1, 2, null, 4, 5, 6], [2, 3, 4, 5, 6, 8])
  expect(JSON.stringify(analyze(evidence))).toBe(JSON.stringify(analyze(evidence)))
})

describe('runs without blocks', () => {
  const replicated = (of: (model: string, size: string, replicate: number) => Partial<Observation>) =>
    evidenceWith(
      ['small', 'large'].flatMap(model =>
        ['short', 'long'].flatMap(size =>
          Array.from({ length: 10 }, (_, at) =>
            aRun({
              name: `${model}-${size}-${at}`,
              params: { model, size },
              replicate: at + 1,
              ...of(model, size, at + 1),
            }),
          ),
        ),
      ),
      { factors: ['model', 'size'] },
    )

  it('are independent: replicates count individually', () => {
    const { patterns } = analyze(replicated((model, _, at) => (model === 'small' && at <= 7 ? failed('E') : {})))
    expect(patterns.success_factors).toMatchObject([
      { factor: 'model', level: 'large', matched_on: [], n: 20, test: 'unconditional score', confounded_with: [] },
    ])
  })

  it('say so if another factor is unevenly distributed', () => {
    const evidence = replicated(model => (model === 'small' ? failed('E') : {}))
    const runs = evidence.runs.filter(({ params }) => params.model === 'large' || params.size === 'short')
    expect(analyze({ ...evidence, runs }).patterns.success_factors[0]?.confounded_with).toEqual(['size'])
  })
})

it('treats a metric as a rate only if it is 0 or 1 in every run', () => {
  const { variations } = analyze(twoArms([1, 1, 1], [1, 2, 3]))
  expect(variations['1']?.metrics.score).toMatchObject({ ci: null, reason: 'zero variance' })
})

it('names no best variant if all are the same', () => {
  const { findings } = analyze(twoArms([1, 1, 1], [1, 1, 1])).patterns
  expect(findings.find(({ kind }) => kind === 'best')?.sentence).toBe(
    'all 2 variants have the same mean on score: 1.00',
  )
})

describe('tasks with several rollouts', () => {
  /** Ten tasks, twenty rollouts of two variants each: t0 is solved by the good one alone, the others now and then. */
  const rollouts = (tasks: number, more: Partial<Observation> = {}) =>
    evidenceWith(
      ['good', 'poor'].flatMap(model =>
        Array.from({ length: tasks * 20 }, (_, at) => {
          const task = Math.floor(at / 20)
          const score = Number(task === 0 ? model === 'good' : at % 20 < 13)
          const block = { task: `tasks/t${task}` }
          return aRun({
            name: `${model}-${at}`,
            params: { model },
            block,
            replicate: at % 20,
            metrics: { score },
            ...more,
          })
        }),
      ),
      { blocks: ['task'], factors: ['model'], levels: { model: ['good', 'poor'] } },
    )
  const sentences = (evidence: Parameters<typeof analyze>[0]) =>
    analyze(evidence).patterns.findings.flatMap(({ kind, sentence }) => (kind === 'tasks' ? [sentence] : []))

  it('are named if they are flaky, separate the variants, or are outliers', () => {
    const { tasks } = analyze(rollouts(10)).patterns
    expect(tasks).toMatchObject({
      tasks: 10,
      separating: [{ task: 't0', better: 'good', worse: 'poor' }],
      outliers: [
        { task: 't0', variant: 'good', mean: 1 },
        { task: 't0', variant: 'poor', mean: 0 },
      ],
    })
    expect(tasks?.flaky).toHaveLength(18)
    expect(tasks?.flaky[0]).toEqual({ task: 't1', variant: 'good', resolved: 13, scored: 20 })
    expect(sentences(rollouts(10))).toEqual([
      '9 of 10 tasks are flaky, some rollouts passed and some failed: t1 (good: 13 of 20, poor: 13 of 20), t2 (good: 13 of 20, poor: 13 of 20), t3 (good: 13 of 20, poor: 13 of 20), t4 (good: 13 of 20, poor: 13 of 20) and 5 more',
      '1 of 10 tasks separates the variants: good is better than poor on t0',
      '1 of 10 tasks is far from the other tasks of the same variant: t0 (good: mean 1.00, poor: mean 0)',
    ])
  })

  it('are not mentioned if nothing was scored, and seeds are not tasks', () => {
    expect(analyze(rollouts(3, { metrics: {} })).patterns.tasks).toBeNull()
    expect(analyze(batch(10, (_, seed) => ({ metrics: { score: seed % 2 } }))).patterns.tasks).toBeNull()
  })
})
