import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alternate, assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

const bareProgram = fileURLToPath(new URL('../peers/bare-spawn-pool.mjs', import.meta.url))

const experiment = `
name: truth
target: { kind: command, command: [/bin/true] }
seeds: 1..1000
limits: { jobs: 2 }
`

/** The price of a run that does nothing: journal, files and provenance against a bare pool and GNU parallel. */
export const trueBench: Bench = {
  name: 'true',
  run: () =>
    inTemporaryFolder(async folder => {
      writeFileSync(join(folder, 'experiment.yaml'), experiment)
      let round = 0
      // A new folder each time: deleting thousands of files keeps the disk busy while the next one is measured.
      const timed = (argv: (out: string) => readonly string[]) => async () =>
        (await measure(argv(`out-${round++}`), { cwd: folder })).seconds
      const seconds = await alternate(7, {
        bare: timed(out => [process.execPath, bareProgram, out, '1000', '2']),
        assay: timed(out => [process.execPath, assay, 'run', '-q', '--out-root', out]),
        parallel: hasParallel() ? timed(out => ['bash', '-c', parallelLine, 'bench', out]) : async () => Number.NaN,
      })
      return rows(seconds)
    }),
}

const parallelLine = 'mkdir $1 && seq 1000 | parallel --will-cite -j2 --joblog $1/log --results $1/out /bin/true'

function rows({ bare, assay, parallel }: { bare: number; assay: number; parallel: number }): Row[] {
  const ratio = assay / bare
  const faster = Number.isNaN(parallel) ? null : parallel / assay
  return [
    {
      work: '1,000 × /bin/true, -j2',
      result: `${assay.toFixed(2)} s, ${ratio.toFixed(2)} × a bare Node pool (${bare.toFixed(2)} s)`,
      mustReach: '≤ 1.7 ×',
      isReached: ratio <= 1.7,
    },
    {
      work: '… against GNU parallel --joblog --results',
      result:
        faster === null
          ? 'not installed (apt-get install parallel)'
          : `${faster.toFixed(1)} × faster (${parallel.toFixed(2)} s)`,
      mustReach: '≥ 2 × faster',
      isReached: faster === null ? null : faster >= 2,
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
