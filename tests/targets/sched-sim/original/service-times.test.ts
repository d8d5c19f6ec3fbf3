import { expect, test } from 'vitest'
import { AttemptDraws } from '../../../../src/targets/sched-sim/simulate/attempt-draws.ts'
import { stepGraph } from '../../../../src/targets/sched-sim/simulate/graph/step-graph.ts'
import { Workflow } from '../../../../src/targets/sched-sim/simulate/graph/workflow.ts'
import { resourcesOf } from '../../../../src/targets/sched-sim/simulate/queue/resource.ts'
import { settingsWith } from '../support/settings.ts'

/** Durations of the first attempts of a step on its cheap tier, in order, as the original draws them: tails do not time out. */
function durationsOf(step: string, count: number): readonly number[] {
  const settings = settingsWith({ original_rules: true })
  const graph = stepGraph(settings.model, settings)
  const attemptDraws = new AttemptDraws(settings, graph)
  const tier = resourcesOf({ settings, agePerMs: 0 }).get(settings.model.steps[step]?.on ?? '')?.first
  if (tier === undefined) throw new Error(`no tier for ${step}`)
  const nodes = [...graph.stepOf].flatMap((index, node) => (graph.steps[index] === step ? [node] : []))
  const durations: number[] = []
  for (let id = 1; durations.length < count; id++) {
    const workflow = new Workflow(id, 0, graph)
    for (const node of nodes) durations.push(attemptDraws.of(workflow, node, 1, tier).durationMs)
  }
  return durations.sort((a, b) => a - b)
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

// A million samples of the original's sampler gave these.
test.each([
  ['ExtractEvidence', 1101],
  ['Embed', 208],
  ['LoadPDF', 481],
  ['SimilaritySearch', 120 * (1 + 0.02 * 49)],
  ['Chunk', 50 * (1 + 0.02 * 49)],
])('%s takes %f ms on average, as in agent_sched_sim', (step, expected) => {
  const mean = meanOf(durationsOf(step, 200_000))
  expect(Math.abs(mean / expected - 1)).toBeLessThan(0.03)
})

test('the percentiles of an LLM call equal those of agent_sched_sim', () => {
  const durations = durationsOf('ExtractEvidence', 200_000)
  const at = (q: number) => durations[Math.floor(q * durations.length)] ?? 0
  expect(Math.abs(at(0.5) / 411 - 1)).toBeLessThan(0.02)
  expect(Math.abs(at(0.95) / 1801 - 1)).toBeLessThan(0.03)
  expect(Math.abs(at(0.99) / 20_258 - 1)).toBeLessThan(0.05)
})
