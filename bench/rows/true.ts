import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alternate, assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

const bareProgram = fileURLToPath(new URL('../peers/bare-spawn-pool.mjs', import.meta.url))

const experiment = (runs: number) => `
name: truth
target: { kind: command, command: [/bin/true] }
seeds: 1..${runs}
limits: { jobs: 2 }
`

/**
 * The overhead of an empty run: journal, files and provenance against xargs, which keeps none of these, a bare
 * Node pool and GNU parallel. Measured in
 * memory if possible: ext4 avoids inodes freed in the last five minutes, and searches for others
 * for longer than all three programs take together after thousands of deletions. The result on disk is shown beside it.
 */
export const trueBench: Bench = {
  name: 'true',
  async run() {
    const disk = await measured(tmpdir())
    const memory = existsSync(memoryRoot) ? await measured(memoryRoot) : disk
    return rows(memory, disk)
  },
}

const memoryRoot = '/dev/shm'

/** `start`: the time of assay with a single run, which precedes the first of a thousand; together with `xargs` it is the floor. */
type Seconds = Readonly<Record<'bare' | 'assay' | 'start' | 'xargs' | 'parallel' | 'assayCpu' | 'xargsCpu', number>>

const measured = (root: string): Promise<Seconds> =>
  inTemporaryFolder(async folder => {
    writeFileSync(join(folder, 'experiment.yaml'), experiment(1000))
    writeFileSync(join(folder, 'one.yaml'), experiment(1))
    let round = 0
    // A new folder each time: deleting thousands of files keeps the disk busy while the next one is measured.
    const timed =
      (argv: (out: string) => readonly string[], cpu: number[] = []) =>
      async () => {
        const { seconds, cpuSeconds } = await measure(argv(`out-${round++}`), { cwd: folder })
        cpu.push(cpuSeconds)
        return seconds
      }
    const assayCpu: number[] = []
    const xargsCpu: number[] = []
    const seconds = await alternate(5, {
      bare: timed(out => [process.execPath, bareProgram, out, '1000', '2']),
      xargs: timed(() => ['bash', '-c', xargsLine], xargsCpu),
      assay: timed(out => [process.execPath, assay, 'run', '-q', '--out-root', out], assayCpu),
      start: timed(out => [process.execPath, assay, 'run', 'one.yaml', '-q', '--out-root', out]),
      parallel: hasParallel() ? timed(out => ['bash', '-c', parallelLine, 'bench', out]) : async () => Number.NaN,
    })
    return { ...seconds, assayCpu: Math.min(...assayCpu), xargsCpu: Math.min(...xargsCpu) }
  }, root)

const xargsLine = 'seq 1000 | xargs -n1 -P2 /bin/true'
const parallelLine = 'mkdir $1 && seq 1000 | parallel --will-cite -j2 --joblog $1/log --results $1/out /bin/true'

function rows(memory: Seconds, disk: Seconds): Row[] {
  const ratio = (seconds: Seconds) => seconds.assay / seconds.bare
  const faster = ({ assay, parallel }: Seconds) => (Number.isNaN(parallel) ? null : parallel / assay)
  const gain = faster(memory)
  const overXargs = memory.assay / memory.xargs
  const floor = 1 + memory.start / memory.xargs
  return [
    {
      work: '1,000 × /bin/true, -j2, against `xargs -P2`',
      result: `${memory.assay.toFixed(2)} s, ${overXargs.toFixed(2)} × xargs (${memory.xargs.toFixed(2)} s); ${memory.assayCpu.toFixed(2)} s of CPU against ${memory.xargsCpu.toFixed(2)} s, programs included. To start assay for one run (${memory.start.toFixed(2)} s) and then spawn as xargs does would be ${floor.toFixed(2)} ×`,
      mustReach: '≤ 1.2 ×',
      isReached: overXargs <= 1.2,
    },
    {
      work: '… against a bare Node pool',
      result: `${memory.assay.toFixed(2)} s, ${ratio(memory).toFixed(2)} × a bare Node pool (${memory.bare.toFixed(2)} s)`,
      mustReach: '≤ 1.7 ×',
      isReached: ratio(memory) <= 1.7,
    },
    {
      work: '… against GNU parallel --joblog --results',
      result:
        gain === null
          ? 'not installed (apt-get install parallel)'
          : `${gain.toFixed(2)} × faster (${memory.parallel.toFixed(2)} s)`,
      mustReach: '≥ 2 × faster',
      isReached: gain === null ? null : gain >= 2,
    },
    {
      work: '… both on this disk, as it is now',
      result: `${disk.assay.toFixed(2)} s, ${ratio(disk).toFixed(2)} × the pool, ${faster(disk)?.toFixed(2) ?? '?'} × faster than parallel`,
      mustReach: '',
      isReached: null,
    },
  ]
}

function hasParallel(): boolean {
  try {
    execFileSync('parallel', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
