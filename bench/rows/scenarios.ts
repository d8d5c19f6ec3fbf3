import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

const runs = 40
const parallel = 4
const turns = 3
/** Each turn: both actors decide at once, then the narrator tells the outcome. */
const roundsPerTurn = 2
const callsPerTurn = 3
const latencyMs = 200

const actor = (name: string) => `name: ${name}\nshort_name: ${name}\nllm_model: sim/actor\nsystem_prompt: Negotiate.\n`

const files = {
  'scenario/scenario.yaml': `name: Bench\ninitial_world_state: Two sides meet.\nturn_duration: 1 day\nturns: ${turns}\nactors: [one, two]\nworld_state_model: sim/actor\nmax_communications_per_turn: 0\n`,
  'scenario/actors/one.yaml': actor('one'),
  'scenario/actors/two.yaml': actor('two'),
}

const batch = (name: string, latency: number) => `experiment_name: ${name}
base_scenario: scenario
output_dir: ${name}
runs_per_variation: ${runs}
max_parallel: ${parallel}
budget_limit: 100
aggregate_metrics: false
assay:
  models:
    sim/actor: { price: { input: 1, output: 2 }, latency: { base: ${latency}ms }, rules: [{ answer: "**ACTION:** We wait.\\n**UPDATED WORLD STATE:** Nothing changes." }] }
`

/** The time of a batch beyond that of its models. */
export const scenariosBench: Bench = {
  name: 'scenarios',
  run: () =>
    inTemporaryFolder(async folder => {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
      const slow = await timed(folder, 'slow', latencyMs)
      const fast = await timed(folder, 'fast', 0)
      const ideal = ((runs / parallel) * turns * roundsPerTurn * latencyMs) / 1000
      const calls = runs * turns * callsPerTurn
      const own = (1000 * fast.cpuSeconds) / calls
      return [
        {
          work: `${runs} runs of a scenario, ${latencyMs} ms a call, max_parallel ${parallel}`,
          result: `${slow.seconds.toFixed(1)} s, ideal ${ideal.toFixed(1)} s (${(slow.seconds / ideal).toFixed(2)} ×)`,
          mustReach: '≤ 1.15 × the ideal',
          isReached: slow.seconds <= 1.15 * ideal,
        },
        {
          work: `the same ${calls} calls without any latency`,
          result: `${own.toFixed(2)} ms of CPU a call, start of the program included`,
          mustReach: '≤ 3 ms',
          isReached: own <= 3,
        },
      ]
    }),
}

/** From the start of the first run to the end of the last. */
async function timed(folder: string, name: string, latency: number) {
  writeFileSync(join(folder, `${name}.yaml`), batch(name, latency))
  const { cpuSeconds } = await measure([process.execPath, assay, 'run', `${name}.yaml`, '-q'], { cwd: folder })
  const { duration_seconds, runs_completed } = JSON.parse(
    readFileSync(join(folder, name, 'batch-summary.json'), 'utf8'),
  )
  if (runs_completed !== runs) throw new Error(`${runs_completed} of ${runs} runs completed`)
  return { seconds: Number(duration_seconds), cpuSeconds }
}
