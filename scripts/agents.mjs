// npm run agents [-- codex claude]: the real programs solve example tasks in boxes without a network, through the model
// proxy, against the simulated provider. Each must pass the tests, cost what the provider bills, stop at a budget, and
// repeat the same from a recording.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesBelow, openExperiment } from './agents/experiment.mjs'
import { install } from './agents/install.mjs'
import { agents } from './agents/known-agents.mjs'
import { tasks } from './agents/tasks.mjs'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = process.env.ASSAY_AGENTS_DIR ?? join(repository, 'node_modules', '.cache', 'assay-agents')

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
for (const agent of chosen) for (const task of tasks) await tryAgent(agent, task)
console.log(failed.length === 0 ? '\nall of it holds' : `\nFAILED: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

async function tryAgent(agent, task) {
  console.log(`\n${agent.package} on ${task.name} (${task.format})`)
  const experiment = openExperiment(agent, task, join(folder, 'node_modules', '.bin'))
  const say = (what, isTrue, result) => tell(`${agent.name} on ${task.name} ${what}`, isTrue, result)
  try {
    const solved = await experiment.run('recorded', '--record', 'tape')
    const isBoxed = solved.outcome.sandbox === 'bubblewrap'
    say('passes the tests, in bubblewrap without a network', isSolved(solved) && isBoxed, solved)
    say('costs what the provider bills', solved.bill.usd > 0 && isSame(solved.cost, solved.bill.usd), solved)

    const replayed = await experiment.run('replayed', '--replay', 'tape')
    const isFree = replayed.cost === 0 && replayed.bill.charges + replayed.bill.refused === 0
    say('does it again from the recording, for $0 and with nothing asked', isSolved(replayed) && isFree, replayed)

    const refused = await experiment.run('refused', '--set', 'limits.run_budget_usd=0.0001')
    const isUnpaid = isLimited(refused) && refused.bill.charges === 0
    say('asks nothing that its budget has no room for', isUnpaid, refused)
    // The first call fits, and later ones do as long as the rest of the budget covers their upper bound.
    const most = Number(/may cost \$([\d.]+),/.exec(refused.outcome.message)?.[1])
    const [first, second] = solved.bill.latest.map(({ usd }) => usd)
    const budget = most + first + second / 2
    const stopped = await experiment.run('stopped', '--set', `limits.run_budget_usd=${budget}`)
    const isInside = stopped.bill.charges > 0 && stopped.bill.charges < solved.bill.charges && stopped.cost <= budget
    const isHeld = isLimited(stopped) && isInside && isSame(stopped.cost, stopped.bill.usd)
    say(`stops at a budget of $${budget.toFixed(6)} in the middle`, isHeld, stopped)

    const found = experiment.filesWithKey()
    say(`leaves the real key nowhere${found.length === 0 ? '' : `: ${found.join(', ')}`}`, found.length === 0, solved)
  } finally {
    experiment.close()
  }
}

function tell(what, isTrue, { outcome, score, cost, bill, seconds, stderr, runFolder }) {
  const paid = `$${cost?.toFixed(6)}, billed $${bill.usd.toFixed(6)} for ${bill.charges} calls`
  console.log(
    `${isTrue ? 'yes' : 'NO '}  ${what} (${outcome.kind}, score ${score ?? 'none'}, ${paid}, ${seconds.toFixed(1)} s)`,
  )
  if (isTrue) return
  failed.push(what)
  console.log(outcome.message ?? '', stderr.slice(-2000))
  for (const file of filesBelow(runFolder).filter(path => /\/logs\/[^/]*\.log$/.test(path)))
    console.log(`${file}:\n${readFileSync(file, 'utf8').slice(-2000)}`)
}

function isSolved({ outcome, score }) {
  return outcome.kind === 'completed' && outcome.error_class === undefined && score === 1
}

function isLimited({ outcome }) {
  return outcome.kind === 'cost_limited' && outcome.limit === 'run_budget_usd'
}

function isSame(a, b) {
  return typeof a === 'number' && Math.abs(a - b) < 1e-9
}
