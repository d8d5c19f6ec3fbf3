import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSim } from '../../src/targets/sched-sim/sim.ts'
import { alternate, assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

const defaultSweep = fileURLToPath(new URL('../../examples/matrix-json/default.json', import.meta.url))
const sizes = [1_250, 2_500, 5_000, 10_000]

/** The built-in simulator under its most expensive policy, alone and in a sweep. */
export const schedSimBench: Bench = {
  name: 'sched-sim',
  run: async () => [await hundred(), await sweep(), await tenThousand(), await growth()],
}

/** Seconds of one call of `simulate`: no files, no process. */
async function simulated(workflows: number): Promise<number> {
  const here = { folder: process.cwd(), cwd: process.cwd() }
  const sim = openSim({ workflows, policy: 'full', enable_model_routing: true }, here)
  const started = performance.now()
  sim.simulate()
  return (performance.now() - started) / 1000
}

async function hundred(): Promise<Row> {
  const { full } = await alternate(20, { full: () => simulated(100) })
  return {
    work: 'sched-sim: 100 workflows under `full` with routing, the simulation call in-process, best of 20',
    result: `${Math.round(full * 1000)} ms`,
    mustReach: '< 150 ms',
    isReached: full < 0.15,
  }
}

function sweep(): Promise<Row> {
  return inTemporaryFolder(async folder => {
    writeFileSync(join(folder, 'default.json'), readFileSync(defaultSweep))
    const { seconds } = await measure([process.execPath, assay, 'run', '-q', '-c', 'default.json'], { cwd: folder })
    return {
      work: '… the 96-run default sweep, `assay run -c default.json` (2 jobs, all files)',
      result: `${seconds.toFixed(1)} s`,
      mustReach: '< 15 s',
      isReached: seconds < 15,
    }
  })
}

function tenThousand(): Promise<Row> {
  return inTemporaryFolder(async folder => {
    const flags = ['--workflows', '10000', '--enable_model_routing', '--trace', 'attempts', '-q']
    const { seconds, megabytes } = await measure([process.execPath, assay, 'sim', ...flags], { cwd: folder })
    return {
      work: '… 10,000 workflows (1.1 million steps), `assay sim --trace attempts`, whole process',
      result: `${seconds.toFixed(1)} s, ${megabytes === null ? 'memory unknown' : `${Math.round(megabytes)} MB at the peak`}`,
      mustReach: '< 20 s, < 1,000 MB',
      isReached: seconds < 20 && (megabytes ?? 0) < 1000,
    }
  })
}

async function growth(): Promise<Row> {
  const tasks = Object.fromEntries(sizes.map(size => [size, () => simulated(size)]))
  const seconds = await alternate(3, tasks)
  const perWorkflow = sizes.map(size => (seconds[size] ?? Number.NaN) / size)
  const ratios = perWorkflow.slice(1).map((time, index) => time / (perWorkflow[index] ?? Number.NaN))
  return {
    work: '… time per workflow, each doubling from 1,250 to 10,000 (in-process, best of 3)',
    result: `× ${ratios.map(ratio => ratio.toFixed(2)).join(', × ')} (${perWorkflow.map(time => (time * 1000).toFixed(2)).join(', ')} ms)`,
    mustReach: '≤ × 1.3',
    isReached: ratios.every(ratio => ratio <= 1.3),
  }
}
