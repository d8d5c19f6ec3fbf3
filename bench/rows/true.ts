import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
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
      const inFolder = (name: string, argv: readonly string[]) => async () => {
        rmSync(join(folder, name), { recursive: true, force: true })
        return (await measure(argv, { cwd: folder })).seconds
      }
      const seconds = await alternate(5, {
        bare: inFolder('bare', [process.execPath, bareProgram, 'bare', '1000', '2']),
        assay: inFolder('results', [process.execPath, assay, 'run', '-q']),
        parallel: hasParallel()
          ? inFolder('parallel', [
              'bash',
              '-c',
              'mkdir parallel && seq 1000 | parallel --will-cite -j2 --joblog parallel/log --results parallel/out /bin/true',
            ])
          : async () => Number.NaN,
      })
      return rows(seconds)
    }),
}

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
