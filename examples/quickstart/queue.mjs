// One server; jobs arrive at random and take very different times. Prints nothing; writes <out>/summary.csv.
//   node queue.mjs --policy shortest_first --load 0.9 --seed 1 --out /tmp/somewhere
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    policy: { type: 'string', default: 'first_come' },
    load: { type: 'string', default: '0.7' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: '.' },
  },
})

const next = {
  first_come: () => 0,
  shortest_first: waiting => extreme(waiting, (a, b) => a.work < b.work),
  longest_first: waiting => extreme(waiting, (a, b) => a.work > b.work),
}[values.policy]
if (next === undefined) {
  console.error(`unknown policy ${values.policy}`)
  process.exit(2)
}

const waits = serve(arrivals(Number(values.load), Number(values.seed)), next).sort((a, b) => a - b)
mkdirSync(values.out, { recursive: true })
const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length
writeFileSync(
  join(values.out, 'summary.csv'),
  `jobs,wait_mean,wait_p95\n${waits.length},${mean},${waits[Math.floor(0.95 * waits.length)]}\n`,
)

/** Poisson arrivals; work is lognormal with mean 1, so the load is the arrival rate. */
function arrivals(load, seed) {
  const random = generator(seed)
  const sigma = 1.2
  let time = 0
  return Array.from({ length: 20_000 }, () => {
    time += -Math.log(1 - random()) / load
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return { time, work: Math.exp(sigma * normal - sigma ** 2 / 2) }
  })
}

/** The waiting time of each job. */
function serve(jobs, choose) {
  const waiting = []
  const waits = []
  let arrived = 0
  let now = 0
  while (arrived < jobs.length || waiting.length > 0) {
    if (waiting.length === 0) now = Math.max(now, jobs[arrived].time)
    while (arrived < jobs.length && jobs[arrived].time <= now) waiting.push(jobs[arrived++])
    const [job] = waiting.splice(choose(waiting), 1)
    waits.push(now - job.time)
    now += job.work
  }
  return waits
}

function extreme(waiting, isBetter) {
  let best = 0
  for (let i = 1; i < waiting.length; i++) if (isBetter(waiting[i], waiting[best])) best = i
  return best
}

/** mulberry32: small, seeded, good enough for a queue. */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
