import { expect, test } from 'vitest'
import type { Model } from '../../../../src/targets/sched-sim/model/model-schema.ts'
import { Estimates } from '../../../../src/targets/sched-sim/simulate/estimates.ts'
import { stepGraph } from '../../../../src/targets/sched-sim/simulate/graph/step-graph.ts'
import { Workflow } from '../../../../src/targets/sched-sim/simulate/graph/workflow.ts'
import { resourcesOf } from '../../../../src/targets/sched-sim/simulate/queue/resource.ts'
import type { Tier } from '../../../../src/targets/sched-sim/simulate/queue/tier.ts'
import { settingsWith } from '../support/settings.ts'

function estimatesOf(rules: Partial<Model['rules']> = {}) {
  const { model: usual, ...settings } = settingsWith()
  const model = { ...usual, rules: { ...usual.rules, ...rules } }
  const graph = stepGraph(model, settings)
  const resources = resourcesOf({ settings: { ...settings, model }, agePerMs: 0 })
  const tiersOf = (step: string) => resources.get(model.steps[step]?.on ?? '')?.order ?? []
  const estimates = new Estimates(
    graph,
    model,
    graph.steps.map(step => tiersOf(step)[0] as Tier),
  )
  const workflow = new Workflow(1, 0, graph)
  const at = (step: string) => graph.steps.indexOf(step)
  return {
    workflow,
    learn: (step: string, ms: number, tier = 0) => estimates.learn(at(step), tiersOf(step)[tier] as Tier, ms),
    decide: (goesOn: boolean) => estimates.learnDecision(goesOn),
    median: (step: string, tier: number) => estimates.median(at(step), tiersOf(step)[tier] as Tier),
    path: (step: string, iters = 1) => estimates.remainingPath(at(step), workflow, iters),
    slack: (step: string) => estimates.slack(at(step), workflow),
    finish: (...steps: string[]) => {
      for (const step of steps) workflow.unfinished[at(step)] = 0
    },
  }
}

test('a critical path is the sum of the medians of remaining steps', () => {
  const { path, learn } = estimatesOf()
  // Eight steps of which nothing is known, 100 ms each.
  expect([path('Plan'), path('LoadPDF'), path('ExtractEvidence'), path('DecideNext')]).toEqual([800, 700, 300, 100])
  for (const ms of [400, 500, 9000]) learn('ExtractEvidence', ms)
  learn('SimilaritySearch', 120)
  expect([path('Plan'), path('SimilaritySearch'), path('DecideNext')]).toEqual([1220, 820, 100])
})

test('before a decision the next iteration counts with its observed frequency', () => {
  const { path, decide, workflow } = estimatesOf()
  expect(path('DecideNext', 3)).toBe(100 + 800 / 2)
  for (let times = 0; times < 8; times++) decide(false)
  expect(path('DecideNext', 3)).toBeCloseTo(100 + 800 / 10, 9)
  decide(true)
  expect(path('Plan', 3)).toBeCloseTo(800 + (2 / 11) * 800, 9)
  workflow.iteration = 2
  expect(path('DecideNext', 3)).toBe(100)
})

test('the original rules ignore everything after a plan or a decision', () => {
  const { path } = estimatesOf({ gates_count: false })
  expect([path('Plan', 3), path('LoadPDF', 3), path('DecideNext', 3)]).toEqual([100, 700, 100])
})

test('slack is the difference to the longest remaining path', () => {
  const { slack, finish } = estimatesOf()
  finish('Plan')
  expect([slack('LoadPDF'), slack('Embed'), slack('ExtractEvidence')]).toEqual([0, 200, 400])
  finish('LoadPDF', 'Chunk', 'Embed', 'SimilaritySearch')
  expect(slack('ExtractEvidence')).toBe(0)
})

test('an unused tier is estimated from the first, at its own speed', () => {
  const { median, learn } = estimatesOf()
  learn('Plan', 700)
  expect([median('Plan', 0), median('Plan', 1)]).toEqual([700, 700])
  learn('Plan', 300, 1)
  expect([median('Plan', 0), median('Plan', 1)]).toEqual([700, 300])
})
