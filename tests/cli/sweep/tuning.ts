/** A small search that ends in a moment: the lower `x` and the right `kind`, the better. */
export const tuning = {
  'train.mjs': `import { appendFileSync } from 'node:fs'
export default async ({ x, kind }, { runId, seed }) => {
  appendFileSync(new URL('executions', import.meta.url), runId + '\\n')
  await new Promise(resolve => setTimeout(resolve, 5))
  return { loss: 1 + (x - 0.3) ** 2 + (kind === 'b' ? 0.1 : 0) + Math.sin(99 * seed * (x + 1)) / 500 }
}`,
  'tuning.yaml': `name: tuning
target: { kind: function, module: train.mjs }
factors:
  x: { min: 0, max: 1 }
  kind: [a, b]
seeds: 1..2
metrics: { loss: { goal: minimize } }
search: { method: bayes, max_runs: 24 }
limits: { jobs: 1 }
`,
}

export interface SweepFacts {
  readonly id: string
  readonly dir: string
  readonly was: string
  readonly worker: string
  readonly planned: number | null
  readonly completed: number
}
