import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgresBinaries, startPostgres } from '../../tests/support/queue-servers.ts'
import { assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

const bare = fileURLToPath(new URL('../peers/bare-bullmq.mjs', import.meta.url))

/** Two workers on Postgres, each in its own process, compared with BullMQ by itself. */
export const queueBench: Bench = {
  name: 'queue',
  async run() {
    if (postgresBinaries() === null) return []
    const server = await startPostgres()
    try {
      return [...(await noops(server.address)), ...(await shortRuns(server.address)), ...(await flat(server.address))]
    } finally {
      await server.stop()
    }
  },
}

/** Jobs per second, from the first one added to the last one finished. */
async function bareRate(address: string, ...how: readonly string[]): Promise<number> {
  const { stdout } = await measure([process.execPath, bare, address, ...how], { keep: true })
  return Number(stdout)
}

async function noops(address: string): Promise<readonly Row[]> {
  const runs = 4000
  const bullmq = await bareRate(address, `${runs}`, '2')
  const { seconds } = await withWorkers(address, 4, noop(runs))
  const rate = runs / seconds
  return [
    {
      work: `${runs} no-op runs over two workers on Postgres`,
      result: `${Math.round(rate)} runs/s with start and end; BullMQ by itself ${Math.round(bullmq)} jobs/s`,
      mustReach: '≥ 500 runs/s',
      isReached: rate >= 500,
    },
  ]
}

async function shortRuns(address: string): Promise<readonly Row[]> {
  const [runs, slots] = [400, 4]
  const ideal = (runs * 0.05) / slots
  const once = () =>
    withWorkers(address, slots / 2, {
      'wait.mjs': 'export default () => new Promise(resolve => setTimeout(() => resolve({ score: 1 }), 50))\n',
      'experiment.yaml': `name: short\ntarget: { kind: function, module: wait.mjs }\nseeds: 1..${runs}\n`,
    })
  const bullmq = runs / (await bareRate(address, `${runs}`, '2', `${slots / 2}`, '50'))
  const seconds = middleOf([await once(), await once(), await once()].map(({ seconds }) => seconds))
  return [
    {
      work: `${runs} runs of 50 ms on ${slots} slots of two workers`,
      result: `${seconds.toFixed(2)} s with start and end (the middle of three), ${(seconds / ideal).toFixed(2)} × the ideal ${ideal} s; BullMQ by itself ${bullmq.toFixed(2)} s without start and end`,
      mustReach: '≤ 1.15 × the ideal',
      isReached: seconds <= 1.15 * ideal,
    },
  ]
}

function middleOf(three: readonly number[]): number {
  return three.toSorted((a, b) => a - b)[1] ?? Number.NaN
}

/** From two sizes, so that the constant cost of starting and connecting cancels out. */
async function flat(address: string): Promise<readonly Row[]> {
  const cpuOf: number[] = []
  for (const runs of [1_000, 10_000, 100_000]) cpuOf.push((await withWorkers(address, 4, noop(runs))).cpuSeconds)
  const [few = 0, more = 0, many = 0] = cpuOf
  const [first, later] = [(more - few) / 9_000, (many - more) / 90_000]
  const ratio = later / first
  return [
    {
      work: 'CPU of the coordinator for each no-op run from 10,000 to 100,000, against 1,000 to 10,000',
      result: `${(1000 * later).toFixed(2)} ms, ${ratio.toFixed(2)} ×`,
      mustReach: '≤ 1.2 ×',
      isReached: ratio <= 1.2,
    },
  ]
}

const noop = (runs: number): Readonly<Record<string, string>> => ({
  'noop.mjs': 'export default () => ({ score: 1 })\n',
  'experiment.yaml': `name: noop\ntarget: { kind: function, module: noop.mjs }\nseeds: 1..${runs}\n`,
})

function withWorkers(address: string, slots: number, files: Readonly<Record<string, string>>) {
  return inTemporaryFolder(async folder => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const workers = [1, 2].map(at => {
      const args = ['worker', '--json', '--queue', address, '-j', String(slots), '--scratch', join(folder, `s${at}`)]
      return spawn(process.execPath, [assay, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    })
    try {
      await Promise.all(workers.map(({ stdout }) => once(stdout, 'data')))
      for (const { stdout } of workers) stdout.resume()
      return await measure([process.execPath, assay, 'run', '-q', '--queue', address], { cwd: folder })
    } finally {
      await Promise.all(workers.map(ended))
    }
  })
}

async function ended(worker: ChildProcess): Promise<void> {
  const gone = once(worker, 'exit')
  worker.kill('SIGTERM')
  await gone
}
