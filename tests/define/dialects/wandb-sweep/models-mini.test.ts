import { expect, test } from 'vitest'
import { loadExperiment } from '../../../../src/define/load-experiment.ts'
import { planOf } from '../../../../src/plan/runs/plan.ts'
import { targets } from '../../../../src/targets/registry.ts'
import { folderWith } from '../../example.ts'
import { loadSweep } from './sweep.ts'

const models = '[deepseek-chat, bedrock-qwen3-32b, glm-4.6, kimi-k2, minimax-m2, gpt-4o-mini]'

/** A sweep over models and strategies for context: most parameters matter to some strategies only. */
const sweep = `program: train.mjs
method: grid
metric: { name: submission_rate, goal: maximize }
parameters:
  model: { values: ${models} }
  strategy: { values: [raw, observation_masking, llm_summary, hybrid] }
  summarizer-model: { values: ${models} }
  hp-obs-n: { values: [5, 10, 15] }
  hp-sum-n: { values: [15, 21, 28] }
  hp-sum-keep-m: { values: [7, 10, 12] }
  hp-sum-static-checkpoint: { values: [true, false] }
  hp-sum-extract-actions: { values: [true, false] }
  instances-subset: { value: verified-mini }
command: ["\${env}", node, "\${program}", "\${args}", --wandb]
`

/** The same with the conditions that the sweep format has no words for. */
const canonical = `name: models
target: { kind: command, program: train.mjs, command: ["\${env}", node, "\${program}", "\${args}", --wandb], wandb: shim }
params: { instances-subset: verified-mini }
factors:
  model: ${models}
  strategy: [raw, observation_masking, llm_summary, hybrid]
  summarizer-model: { values: ${models}, when: "strategy in ['llm_summary', 'hybrid']" }
  hp-obs-n: { values: [5, 10, 15], when: "strategy in ['observation_masking', 'hybrid']" }
  hp-sum-n: { values: [15, 21, 28], when: "strategy in ['llm_summary', 'hybrid']" }
  hp-sum-keep-m: { values: [7, 10, 12], when: "strategy in ['llm_summary', 'hybrid']" }
  hp-sum-static-checkpoint: { values: [true, false], when: "strategy in ['llm_summary', 'hybrid']" }
  hp-sum-extract-actions: { values: [true, false], when: "strategy in ['llm_summary', 'hybrid']" }
constraints: ["\`hp-sum-keep-m\` == null or \`hp-sum-keep-m\` < \`hp-sum-n\`"]
metrics: { submission_rate: { goal: maximize } }
`

test('a sweep of 15,552 combinations has 5,208 different variants', () => {
  expect(planOf(loadSweep(sweep), 'listed', 1).count).toBe(15_552)
  const cwd = folderWith({ 'experiment.yaml': canonical, 'train.mjs': '' })
  const experiment = loadExperiment('experiment.yaml', { targets, cwd })
  const plan = planOf(experiment, 'listed', 1)
  expect(plan.count).toBe(5_208)
  expect(new Set(Array.from({ length: plan.count }, (_, index) => plan.at(index).key)).size).toBe(5_208)
})
