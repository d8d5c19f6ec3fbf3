// npm run bench [-- name[:part] …]: assay's performance targets, measured now on this machine, with peers in the same run.
import { availableParallelism, loadavg } from 'node:os'
import type { Bench, Row } from './row.ts'
import { analysisBench } from './rows/analysis.ts'
import { dashboardBench } from './rows/dashboard.ts'
import { finishedBench } from './rows/finished.ts'
import { flatBench } from './rows/flat.ts'
import { functionBench } from './rows/functions.ts'
import { gridBench } from './rows/grid-22500.ts'
import { growthBench } from './rows/growth.ts'
import { helpBench } from './rows/help.ts'
import { modelsBench } from './rows/models.ts'
import { permitsBench } from './rows/permits.ts'
import { planBench } from './rows/plan-million.ts'
import { proxyBench } from './rows/proxy.ts'
import { queueBench } from './rows/queue.ts'
import { reportBench } from './rows/report.ts'
import { rolloutsBench } from './rows/rollouts.ts'
import { scenariosBench } from './rows/scenarios.ts'
import { schedSimBench } from './rows/sched-sim.ts'
import { searchBench } from './rows/search.ts'
import { slurmBench } from './rows/slurm.ts'
import { statisticsBench } from './rows/statistics.ts'
import { tasksBench } from './rows/tasks.ts'
import { trajectoriesBench } from './rows/trajectories.ts'
import { trajectoryFilesBench } from './rows/trajectory-files.ts'
import { trueBench } from './rows/true.ts'

const benches: readonly Bench[] = [
  trueBench,
  functionBench,
  flatBench,
  planBench,
  finishedBench,
  helpBench,
  schedSimBench,
  searchBench,
  gridBench,
  statisticsBench,
  analysisBench,
  modelsBench,
  permitsBench,
  tasksBench,
  proxyBench,
  rolloutsBench,
  queueBench,
  slurmBench,
  scenariosBench,
  trajectoriesBench,
  trajectoryFilesBench,
  reportBench,
  dashboardBench,
  growthBench,
]

const wanted = process.argv.slice(2)
const partsOf = (name: string): readonly string[] =>
  wanted.filter(one => one.startsWith(`${name}:`)).map(one => one.slice(name.length + 1))
const isWanted = ({ name, isLong = false }: Bench): boolean =>
  wanted.length === 0 ? !isLong : wanted.includes(name) || partsOf(name).length > 0
const unknown = wanted.filter(one => !benches.some(({ name }) => name === one.split(':')[0]))
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}: there are ${benches.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const chosen = benches.filter(isWanted)
const rows: Row[] = []
for (const bench of chosen) {
  process.stderr.write(`measuring ${bench.name} …\n`)
  rows.push(...(await bench.run(partsOf(bench.name))))
}

const load = loadavg()[0]?.toFixed(1)
console.log(`\nNode ${process.version}, ${availableParallelism()} cores, load ${load}\n`)
console.log('| work | measured | must reach | |')
console.log('|---|---|---|---|')
for (const { work, result, mustReach, isReached } of rows)
  console.log(`| ${work} | ${result} | ${mustReach} | ${isReached === null ? '–' : isReached ? 'yes' : 'NO'} |`)
process.exitCode = rows.some(row => row.isReached === false) ? 1 : 0
