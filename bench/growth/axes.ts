/** One way in which an experiment can be large, while everything else stays small. */
export interface Axis {
  readonly name: string
  /** The thing that grows with n. */
  readonly unit: string
  /** The smallest measured size; the others are twice and four times as large. */
  readonly least: number
  /** So small that a command does next to nothing but start. */
  readonly tiny: number
  /** The part of the experiment file that makes it so large. */
  design(n: number): string
  readonly limits?: (n: number) => string
  /** Lines of the program that a run is, before it returns its `metrics`. */
  readonly work?: (n: number) => string
  /** Some of its runs fail: commands that count them as failures end with 1. */
  readonly isFailing?: true
}

const list = (n: number, name: (at: number) => string): string =>
  `[${Array.from({ length: n }, (_, at) => name(at)).join(', ')}]`

export const axes: readonly Axis[] = [
  {
    name: 'runs',
    unit: 'seeds × 4 variants',
    least: 4000,
    tiny: 2,
    design: n => `factors: { a: [1, 2], b: [1, 2] }\nseeds: 1..${n}`,
  },
  {
    name: 'variants',
    unit: 'variants of 4 factors × 2 seeds',
    least: 4096,
    tiny: 8,
    design: n => `factors: { a: [1, 2], b: [1, 2], c: [1, 2], d: 1..${n / 8} }\nseeds: 1..2`,
  },
  {
    name: 'levels',
    unit: 'levels of one factor × 2 seeds',
    least: 4000,
    tiny: 4,
    design: n => `factors: { a: 1..${n} }\nseeds: 1..2`,
  },
  {
    name: 'blocks',
    unit: 'tasks × 2 seeds × 2 variants',
    least: 4000,
    tiny: 4,
    design: n => `factors: { a: [1, 2] }\nblocks: { task: ${list(n, at => `t${at}`)}, seed: 1..2 }`,
  },
  {
    name: 'metrics',
    unit: 'metrics of 20 runs',
    least: 4000,
    tiny: 4,
    design: () => 'factors: { a: 1..4 }\nseeds: 1..5',
    work: n => `for (let at = 1; at < ${n}; at++) metrics['m' + at] = context.random()`,
  },
  {
    name: 'points',
    unit: 'points of a series in each of 10 runs',
    least: 100_000,
    tiny: 4,
    design: () => 'factors: { a: [1, 2] }\nseeds: 1..5',
    work: n => `for (let step = 1; step <= ${n}; step++) context.report('loss', 1 / step + context.random(), step)`,
  },
  {
    name: 'attempts',
    unit: 'attempts at each of 4 of 20 runs',
    least: 1000,
    tiny: 2,
    design: () => 'factors: { a: 1..4 }\nseeds: 1..5',
    limits: n => `, quarantine_after: ${n + 1}, retries: { failed: ${n - 1}, backoff: 0s }`,
    work: () => `if (context.seed === 1) throw new RangeError('too large')`,
    isFailing: true,
  },
]

export const experimentFile = ({ design, limits }: Axis, n: number): string => `name: grown
target: { kind: function, module: work.mjs }
${design(n)}
limits: { jobs: 2${limits?.(n) ?? ''} }
metrics: { score: { goal: maximize, primary: true } }
analysis: { baseline: { a: 1 } }
`

/** A little of everything, so that no two runs are alike. */
export const program = ({ work }: Axis, n: number): string => `export default (params, context) => {
  const sum = Object.values(params).reduce((total, value) => total + (typeof value === 'number' ? value : 0), 0)
  const metrics = { score: Math.sin(sum) + context.random() + 0.01 * Math.sin(sum * context.seed) }
  ${work?.(n) ?? ''}
  return metrics
}
`
