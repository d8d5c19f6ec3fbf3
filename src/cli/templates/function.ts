import type { Template } from '../../define/dialects/for-help.ts'

const experiment = `# yaml-language-server: $schema=@schema@
name: first-function
description: Which step size finds the minimum soonest?

# What a run does: calls this function with the run's parameters. Thousands of short runs a second are fine.
target:
  kind: function
  module: ./descend.mjs

# What varies: all combinations are run, here 3 x 2.
factors:
  step_size: [0.01, 0.1, 0.3]
  momentum: [0, 0.9]

# Every variant meets the same seeds, so that variants can be compared seed by seed.
seeds: 1..20

# What the function returns. A metric that is not listed is kept too.
metrics:
  loss: { goal: minimize, primary: true }
  steps: { goal: minimize }
`

const program = `/** Gets a run's parameters, and a context with its seed, a seeded random(), report() and directory(). */
export default function descend({ step_size, momentum }, { random }) {
  let x = 10 * random() - 5
  let speed = 0
  let steps = 0
  for (; steps < 500 && Math.abs(x) > 1e-3; steps++) {
    const noisySlope = 2 * x + 0.1 * (random() - 0.5)
    speed = momentum * speed - step_size * noisySlope
    x += speed
  }
  return { loss: x * x, steps }
}
`

export const functionTemplate: Template = {
  name: 'function',
  summary: 'call a function in JavaScript or TypeScript',
  config: 'experiment.yaml',
  files: [
    { path: 'experiment.yaml', text: experiment },
    { path: 'descend.mjs', text: program },
  ],
}
