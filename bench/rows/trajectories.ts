import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Permits } from '../../src/define/permits.ts'
import type { Message } from '../../src/models/model-call.ts'
import { openModels } from '../../src/models/open-models.ts'
import { RunTrace } from '../../src/models/trace/run-trace.ts'
import { callCacheIn } from '../../src/record/places.ts'
import { alternate, assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'
import { startServer, timed } from './models.ts'
import { openPermits } from './permits.ts'

const turns = 60
const trajectories = 4
const mustReach = 50

/** Agents whose conversation grows with each turn by a tool call and two kilobytes of its result. */
export const trajectoriesBench: Bench = {
  name: 'trajectories',
  run: () =>
    inTemporaryFolder(async folder => {
      writeFiles(folder)
      const { child, address } = await startServer(folder)
      const { permits, close } = openPermits(folder)
      let number = 0
      try {
        const busy = { client: Number.POSITIVE_INFINITY, runs: Number.POSITIVE_INFINITY }
        const least = await alternate(5, {
          async client() {
            const before = process.cpuUsage()
            const ms = await timed(trajectory({ folder, address, permits, number: ++number }))
            const { user, system } = process.cpuUsage(before)
            busy.client = Math.min(busy.client, (user + system) / 1000)
            return ms
          },
          async runs() {
            const { seconds, cpuSeconds } = await measure(runs(folder, address, ++number), { cwd: folder })
            busy.runs = Math.min(busy.runs, cpuSeconds * 1000)
            return seconds * 1000
          },
        })
        const [one, four] = [turns, turns * trajectories]
        return [
          rowOf(
            `${turns} turns with tools in a row, through client, cache, ledger and trace`,
            one,
            least.client,
            busy.client,
          ),
          rowOf(
            `${trajectories} × ${turns} turns of functions in 2 threads, from start to end`,
            four,
            least.runs,
            busy.runs,
          ),
        ]
      } finally {
        close()
        child.kill()
        await once(child, 'close')
      }
    }),
}

/** `busyMs`: CPU time, which other programs on this machine don't affect. */
function rowOf(work: string, count: number, ms: number, busyMs: number): Row {
  const perSecond = (count / ms) * 1000
  return {
    work,
    result: `${perSecond.toFixed(0)} turns/s, ${(busyMs / count).toFixed(1)} ms of processor time each`,
    mustReach: `≥ ${mustReach} turns/s`,
    isReached: perSecond >= mustReach,
  }
}

const rule = { tool: { name: 'bash', arguments: { command: 'ls -l # {turn}' } } }
const parameters = { type: 'object', properties: { command: { type: 'string' } } }
const tools = [{ name: 'bash', description: 'Runs a command.', parameters }]
const listing = '-rw-r--r-- 1 agent agent  4096 Jan  1 12:00 some-file-of-the-project.ts\n'.repeat(28)
const start: readonly Message[] = [
  { role: 'system', content: 'You fix bugs.' },
  { role: 'user', content: 'Fix it.' },
]

interface Place {
  readonly folder: string
  readonly address: string
  readonly permits: Permits
  readonly number: number
}

async function trajectory({ folder, address, permits, number }: Place): Promise<void> {
  const path = join(folder, `trace-${number}.jsonl`)
  const trace = new RunTrace({ path: () => path, id: path, content: true, redact: text => text })
  const keeping = { folder: callCacheIn(folder), mode: 'cache', scope: { number } } as const
  const model = { ...agentAt(address), price: [{ above: 0, input: 1, output: 4 }] }
  const client = openModels({ env: {}, settings: { model } }).client({ permits, seed: number, trace, keeping })
  const { signal } = new AbortController()
  const messages = [...start]
  for (let turn = 0; turn < turns; turn++) {
    const { text, tool_calls } = await client.call({ model: 'model', messages, tools, purpose: 'agent' }, signal)
    messages.push({ role: 'assistant', content: text, tool_calls })
    for (const { id, name } of tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, name, content: `${turn}\n${listing}` })
  }
  await trace.close()
  if (messages.length !== 2 + 2 * turns) throw new Error(`there are ${messages.length} messages`)
}

const agentAt = (address: string) => ({
  provider: 'openai-compatible',
  model: 'sim/agent',
  address,
  context: 200_000,
})

/** The experiment with the served simulated model, and the same agent as a function. */
function writeFiles(folder: string): void {
  const target = { kind: 'command', command: ['true'] }
  write(folder, 'experiment.json', { name: 'served', target, models: { 'sim/agent': { rules: [rule] } } })
  writeFileSync(
    join(folder, 'agent.mjs'),
    `const tools = ${JSON.stringify(tools)}
export default async function agent(_, { models }) {
  const messages = ${JSON.stringify(start)}
  for (let turn = 0; turn < ${turns}; turn++) {
    const { text, tool_calls } = await models.call({ model: 'model', messages, tools })
    messages.push({ role: 'assistant', content: text, tool_calls })
    for (const { id, name } of tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, name, content: turn + ${JSON.stringify(`\n${listing}`)} })
  }
  if (messages.length !== ${2 + 2 * turns}) throw new Error('there are ' + messages.length + ' messages')
}
`,
  )
}

function runs(folder: string, address: string, number: number): readonly string[] {
  const file = `agents-${number}.json`
  write(folder, file, {
    name: `agents-${number}`,
    target: { kind: 'function', module: 'agent.mjs' },
    models: { model: { ...agentAt(address), price: { input: 1, output: 4 } } },
    // Other seeds each time, so that the cache is empty.
    seeds: Array.from({ length: trajectories }, (_, index) => number * 1000 + index),
    limits: { jobs: 2, budget_usd: 1000 },
  })
  return [process.execPath, assay, 'run', file, '-q']
}

const write = (folder: string, file: string, content: object): void =>
  writeFileSync(join(folder, file), JSON.stringify(content))
