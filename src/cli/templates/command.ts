import type { Template } from '../../define/dialects/for-help.ts'

const experiment = `# yaml-language-server: $schema=@schema@
name: first-sweep
description: Which policy serves the queue fastest?

# What a run does. {name} stands for a factor's level, {seed} for the block's seed, {out_dir} for the run's own folder.
target:
  kind: command
  command: [node, simulate.mjs, --policy, "{policy}", --load, "{load}", --seed, "{seed}", --out, "{out_dir}"]

# What varies: all combinations are run, here 2 x 3.
factors:
  policy: [fifo, priority]
  load: [0.5, 0.7, 0.9]

# Every variant meets the same seeds, so that variants can be compared seed by seed.
seeds: 1..5

# What is allowed. Limits can be changed at any time without running anything again.
limits:
  jobs: 2
  timeout: 1m

# Numbers to read from what a run wrote.
metrics:
  wait_ms: { json: out/result.json, goal: minimize, primary: true }
  served: { json: out/result.json, goal: maximize }
`

const program = `// Stands in for your own program: a queue with random arrivals. Any program that writes its numbers to a file will do.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { policy: { type: 'string' }, load: { type: 'string' }, seed: { type: 'string' }, out: { type: 'string' } },
})

let state = Number(values.seed) * 2654435761
const random = () => {
  state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0
  return (state >>> 0) / 2 ** 32
}

let queue = 0
let waited = 0
let served = 0
for (let step = 0; step < 2000; step++) {
  if (random() < Number(values.load)) queue += 1
  const speed = values.policy === 'priority' ? 0.97 : 0.93
  if (queue > 0 && random() < speed) {
    queue -= 1
    served += 1
  }
  waited += queue
}

writeFileSync(\`\${values.out}/result.json\`, JSON.stringify({ wait_ms: (10 * waited) / served, served }))
`

export const commandTemplate: Template = {
  name: 'command',
  summary: 'run a program with different arguments',
  config: 'experiment.yaml',
  files: [
    { path: 'experiment.yaml', text: experiment },
    { path: 'simulate.mjs', text: program },
  ],
}
