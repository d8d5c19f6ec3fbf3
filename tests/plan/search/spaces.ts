import type { Domain, Experiment, SearchSpec } from '../../../src/define/experiment.ts'
import { observed as anObservation, type Observation, recordOf } from '../../../src/define/observation.ts'
import type { Run } from '../../../src/define/run.ts'
import { experimentWith, factor } from '../experiment.ts'

/** Experiments that search planners are tried on. */

export const searching = (method: SearchSpec['method'], more: Partial<SearchSpec> = {}): SearchSpec => ({
  method,
  metric: 'loss',
  goal: 'minimize',
  also: [],
  max_runs: null,
  seed: null,
  impute: 'worst',
  initial: null,
  early_stop: null,
  ...more,
})

export const uniform = (min: number, max: number, scale: 'linear' | 'log' = 'linear'): Domain => ({
  kind: 'uniform',
  min,
  max,
  scale,
  step: null,
})

export const numbers = (name: string, domain: Domain, when: string | null = null) => ({
  name,
  levels: [],
  domain,
  when,
})

/** Small enough to be done: 2 + 2 × 3 variants, one forbidden, in two blocks. */
export const finite = (search: SearchSpec): Experiment =>
  experimentWith({
    factors: [factor('kind', ['a', 'b', 'c']), factor('size', [1, 2, 4], "kind != 'a'"), factor('on', [true, false])],
    constraints: ["not (kind == 'b' and size == 4)"],
    blocks: [{ name: 'task', levels: ['t', 'u'] }],
    search,
  })

/** Numbers, a choice, and one that only sometimes applies. */
export const mixed = (search: SearchSpec): Experiment =>
  experimentWith({
    factors: [
      numbers('rate', uniform(1e-5, 1, 'log')),
      numbers('share', uniform(0, 1)),
      factor('kind', ['a', 'b']),
      numbers('depth', { kind: 'uniform', min: 1, max: 9, scale: 'linear', step: { size: 1, from: 1 } }, "kind == 'b'"),
    ],
    constraints: ['share + rate < 1.5'],
    replicates: 2,
    search,
  })

/** Best at rate 0.01, share 0.3 and kind a. */
export function lossOf({ params }: Run): number {
  const { rate, share, kind, depth } = params
  return (
    (Math.log10(Number(rate)) + 2) ** 2 + (Number(share) - 0.3) ** 2 + (kind === 'a' ? 0 : 0.5 + Number(depth) / 10)
  )
}

export const observed = (run: Run, loss: number | null): Observation =>
  anObservation({
    ...recordOf(run),
    outcome: { kind: loss === null ? 'failed' : 'completed' },
    metrics: loss === null ? {} : { loss },
  })
