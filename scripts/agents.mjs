// npm run agents [-- codex claude]: the real programs, through the model proxy, against the simulated provider. Each has to
// solve a small task, pay what the provider bills, stop at a budget, and do the same again from a recording.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LimitReached } from '../src/define/permits.ts'
import { fileStore } from '../src/models/cache/call-store.ts'
import { openModels } from '../src/models/open-models.ts'
import { openProxy } from '../src/models/proxy/proxy.ts'
import { startSimServer } from '../src/models/sim/server/sim-server.ts'
import { install } from './agents/install.mjs'
import { agents } from './agents/known-agents.mjs'
import { openPlace } from './agents/place.mjs'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = process.env.ASSAY_AGENTS_DIR ?? join(repository, 'node_modules', '.cache', 'assay-agents')
const realKey = 'sk-real-9f8e7d6c5b4a'
const price = [{ above: 0, input: 1, cached_input: 0.1, cache_write: 1.25, output: 10 }]

const wanted = process.argv.slice(2)
const chosen = agents.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
if (chosen.length === 0 || wanted.some(name => !agents.some(agent => agent.name === name))) {
  console.error(`there are ${agents.map(({ name }) => name).join(' and ')}`)
  process.exit(2)
}
install(
  folder,
  chosen.map(agent => agent.package),
)
const failed = []
for (const agent of chosen) await tryAgent(agent)
console.log(failed.length === 0 ? '\nall of it holds' : `\nFAILED: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

async function tryAgent(agent) {
  console.log(`\n${agent.package}, a plain process on ${process.platform} (no box yet)`)
  const place = openPlace()
  const tape = join(place.home, '..', 'tape')
  try {
    const solved = await attempt(agent, place, { mode: 'record', tape })
    say(agent, 'solves the task', solved.code === 0 && solved.isSolved, solved)
    say(agent, 'costs what the provider bills', same(solved.cost, solved.bill.usd), solved)
    say(agent, 'never sees the real key', !solved.hasKey, solved)
    const replayed = await attempt(agent, place, { mode: 'replay', tape })
    const isFree = replayed.bill.charges === 0 && replayed.cost === 0
    say(agent, 'does it again from the recording', replayed.code === 0 && replayed.isSolved && isFree, replayed)
    // Room for the first two calls, and not for the third.
    const [, , third] = solved.asked
    const room = (third ?? 0) + (solved.settled[0] ?? 0) + (solved.settled[1] ?? 0) - 1e-6
    const stopped = await attempt(agent, place, { budget: room })
    const isWithin = stopped.bill.charges === 2 && stopped.bill.usd <= room && same(stopped.cost, stopped.bill.usd)
    say(agent, 'stops at a budget in the middle', stopped.limit !== null && stopped.code !== 0 && isWithin, stopped)
  } finally {
    place.close()
  }
}

/** One run of the agent in a fresh copy of the task. */
async function attempt(agent, place, { mode, tape, budget = Number.POSITIVE_INFINITY }) {
  const { model, provider } = agent
  place.reset()
  const served = { [model]: { price, rules: [...agent.rules(place), { answer: 'Fine.' }] } }
  const server = await startSimServer({ settings: served, port: 0, seed: 1, keys: [realKey] })
  const names =
    provider === 'openai' ? ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] : ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']
  const env = { [names[0]]: realKey, [names[1]]: server.address }
  const models = openModels({ env, settings: { [model]: { provider, price } } })
  const permits = budgetPermits(budget)
  const keeping = mode === undefined ? null : { mode, store: fileStore(tape, models.redact), scope: {} }
  const proxy = await openProxy({
    ...{ models, env, signal: new AbortController().signal, listen: { port: 0 } },
    run: { permits, seed: 1, keeping },
  })
  const started = performance.now()
  try {
    const [program, ...args] = agent.argv({ ...place, model, port: proxy.port })
    const variables = { ...agent.variables(place), ...proxy.variables() }
    const { code, output } = await place.run([join(folder, 'node_modules', '.bin', program), ...args], variables)
    const seconds = (performance.now() - started) / 1000
    const { code: tested } = await place.run([process.execPath, 'test.js'], {})
    const { calls, cached_calls, cost_usd } = proxy.totals()
    return {
      ...{ code, output, seconds, calls, cached_calls, cost: cost_usd, bill: server.bill(), limit: proxy.limit },
      ...{ asked: permits.asked, settled: permits.settled, isSolved: tested === 0 },
      hasKey: `${output}\n${place.everything()}`.includes(realKey),
    }
  } finally {
    await proxy.close()
    await server.close()
  }
}

/** A budget as a run has it: the most that a call can cost is set aside before, what is left of it comes back. */
function budgetPermits(budget) {
  let left = budget
  const asked = []
  const settled = []
  return {
    asked,
    settled,
    async acquire(ask) {
      if (ask.usd > left) throw new LimitReached('run_budget_usd', `the run's budget of $${budget} is used up`, budget)
      left -= ask.usd
      asked.push(ask.usd)
      return { id: asked.length, ask }
    },
    settle({ ask }, { usd }) {
      left += ask.usd - (usd ?? ask.usd)
      settled.push(usd ?? ask.usd)
    },
  }
}

function say({ name }, what, isTrue, { seconds, calls, cached_calls, cost, bill, output }) {
  const facts = `${calls} calls, ${cached_calls} replayed, $${cost?.toFixed(6)}, billed $${bill.usd?.toFixed(6)}, ${seconds.toFixed(1)} s`
  console.log(`${isTrue ? 'yes' : 'NO '}  ${name} ${what} (${facts})`)
  if (isTrue) return
  failed.push(`${name} ${what}`)
  console.log(output.slice(-3000))
}

function same(a, b) {
  return a !== null && b !== null && Math.abs(a - b) < 1e-9
}
