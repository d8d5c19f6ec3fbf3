import { expect, test } from 'vitest'
import { defaultModel } from '../../../../../src/targets/sched-sim/model/default-model.ts'
import { graphSize } from '../../../../../src/targets/sched-sim/simulate/graph/graph-size.ts'
import { type StepGraph, stepGraph } from '../../../../../src/targets/sched-sim/simulate/graph/step-graph.ts'
import { simulate } from '../../../../../src/targets/sched-sim/simulate/simulation.ts'
import { settingsWith } from '../../support/settings.ts'

/** Ids as in the files: from 1. */
const idsOf = (graph: StepGraph, step: string) =>
  [...graph.stepOf].flatMap((index, node) => (graph.steps[index] === step ? [node + 1] : []))
const parentsOf = (graph: StepGraph, id: number) =>
  graph.children.flatMap((children, node) => (children.includes(id - 1) ? [node + 1] : []))
const namesBefore = (graph: StepGraph, id: number) =>
  new Set(parentsOf(graph, id).map(parent => graph.steps[graph.stepOf[parent - 1] ?? 0]))

const usual = stepGraph(defaultModel, { pdfs: 10, subqueries: 4 })

test('an iteration has agent_sched_sim’s nodes, with its ids', () => {
  expect(usual.nodes).toBe(113)
  expect(idsOf(usual, 'Plan')).toEqual([1])
  expect(idsOf(usual, 'LoadPDF').slice(0, 3)).toEqual([2, 13, 24])
  expect(idsOf(usual, 'Embed')[0]).toBe(4)
  expect(idsOf(usual, 'SimilaritySearch').slice(0, 5)).toEqual([5, 7, 9, 11, 16])
  expect(idsOf(usual, 'ExtractEvidence').slice(0, 5)).toEqual([6, 8, 10, 12, 17])
  expect(idsOf(usual, 'Aggregate')).toEqual([112])
  expect(idsOf(usual, 'DecideNext')).toEqual([113])
  const counts = Object.fromEntries(usual.steps.map((step, index) => [step, usual.nodesPerStep[index]]))
  expect(counts).toMatchObject({ LoadPDF: 10, Chunk: 10, Embed: 10, SimilaritySearch: 40, ExtractEvidence: 40 })
})

test.each([
  [1, 1],
  [3, 2],
  [7, 0],
  [60, 9],
])('%i documents and %i searches make 1 + P·(3 + 2K) + 2 nodes', (pdfs, subqueries) => {
  const { nodes } = stepGraph(defaultModel, { pdfs, subqueries })
  expect(nodes).toBe(1 + pdfs * (3 + 2 * subqueries) + 2)
  expect(graphSize(defaultModel, { pdfs, subqueries }).nodes).toBe(nodes)
})

test('a node waits for those of its document and search, the aggregate for all', () => {
  expect(parentsOf(usual, 2)).toEqual([1])
  expect(parentsOf(usual, 17)).toEqual([16])
  expect(parentsOf(usual, 16)).toEqual([15])
  expect(parentsOf(usual, 112)).toEqual(idsOf(usual, 'ExtractEvidence'))
  expect(parentsOf(usual, 113)).toEqual([112])
})

test('without searches the aggregate waits for the embeddings', () => {
  const graph = stepGraph(defaultModel, { pdfs: 3, subqueries: 0 })
  const [aggregate = 0] = idsOf(graph, 'Aggregate')
  expect(parentsOf(graph, aggregate)).toEqual(idsOf(graph, 'Embed'))
  const { workflows } = simulate(settingsWith({ workflows: 2, pdfs: 3, subqueries: 0 }))
  expect(workflows.map(({ status, totals }) => [status, totals.iterations])).toEqual([
    ['completed', 3],
    ['completed', 3],
  ])
})

test('steps repeated over different things wait for all of each other', () => {
  const step = { on: 'cpu', after: [], size: 0, service_ms: 1, critical: false, decides: false }
  const steps = {
    a: { ...step, for_each: ['pdfs' as const] },
    b: { ...step, after: ['a'], for_each: ['subqueries' as const] },
  }
  const graph = stepGraph({ steps }, { pdfs: 2, subqueries: 3 })
  for (const id of idsOf(graph, 'b')) expect(parentsOf(graph, id)).toEqual(idsOf(graph, 'a'))
  expect(graphSize({ steps }, { pdfs: 2, subqueries: 3 })).toEqual({ nodes: 5, waits: 6 })
})

test('creates a hundred thousand nodes at once', () => {
  const graph = stepGraph(defaultModel, { pdfs: 1, subqueries: 50_000 })
  expect(graph.nodes).toBe(100_006)
  expect(namesBefore(graph, 100_005)).toEqual(new Set(['ExtractEvidence']))
})
