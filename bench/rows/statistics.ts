import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isAvailable } from '../../src/stats/estimate.ts'
import { bootstrapInterval, counterRandom, resamplePairs } from '../../src/stats/index.ts'
import { alternate } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

const pairs = 500
const resamples = 10_000
const peer = fileURLToPath(new URL('../peers/scipy-bootstrap.py', import.meta.url))

/** The cost of every comparison: a paired bootstrap with its interval, counting only computation on both sides. */
export const statisticsBench: Bench = {
  name: 'statistics',
  async run() {
    const python = pythonWithScipy()
    const seconds = await alternate(3, {
      assay: async () => Math.min(...Array.from({ length: 3 }, secondsOfOurs)),
      scipy: async () => (python === undefined ? Number.NaN : secondsOfScipy(python)),
    })
    return rows(seconds)
  },
}

function rows({ assay, scipy }: { assay: number; scipy: number }): Row[] {
  const work = 'paired bootstrap, 10,000 resamples of 500 pairs'
  const isMissing = Number.isNaN(scipy)
  return [
    { work, result: `${assay.toFixed(3)} s`, mustReach: '≤ 0.15 s', isReached: assay <= 0.15 },
    {
      work: '… against scipy.stats.bootstrap',
      result: isMissing
        ? 'not installed (apt-get install python3-scipy)'
        : `${(scipy / assay).toFixed(1)} × faster (${scipy.toFixed(3)} s)`,
      mustReach: 'no slower',
      isReached: isMissing ? null : assay <= scipy,
    },
  ]
}

function secondsOfOurs(): number {
  const random = counterRandom(1)
  const control = Array.from({ length: pairs }, () => random.next())
  const candidate = control.map(value => value + random.next() - 0.4)
  const started = performance.now()
  const resampled = resamplePairs(candidate, control, { random, resamples })
  if (isAvailable(resampled)) bootstrapInterval(resampled)
  return (performance.now() - started) / 1000
}

function secondsOfScipy(python: string): number {
  return Number(execFileSync(python, [peer, String(pairs), String(resamples)], { encoding: 'utf8' }))
}

function pythonWithScipy(): string | undefined {
  return ['python3', '/usr/bin/python3'].find(python => {
    try {
      execFileSync(python, ['-c', 'import scipy.stats'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}
