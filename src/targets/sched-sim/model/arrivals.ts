import { AssayError } from '../../../util/errors.ts'
import { Draws } from '../simulate/random/draws.ts'
import { readColumn } from './latencies.ts'
import type { Arrivals } from './model-schema.ts'

/** When each workflow is submitted, in milliseconds from the start, in order. */
export function arrivalTimes(arrivals: Arrivals, workflows: number, seed: bigint): Float64Array {
  const times = new Float64Array(workflows)
  if (arrivals === 'all_at_once') return times
  if ('trace' in arrivals) return traced(arrivals.trace, times)
  const draws = new Draws(seed)
  draws.startAt(0xa221, 0, 0, 0)
  let now = 0
  for (let index = 0; index < workflows; index++) {
    now += (-Math.log(1 - draws.uniform()) * 1000) / arrivals.poisson_per_s
    times[index] = now
  }
  return times
}

function traced(file: string, times: Float64Array): Float64Array {
  const recorded = readColumn(file, 'arrival_ms', { folder: '.' })
  if (recorded.length < times.length)
    throw new AssayError(
      'config',
      `${file}: has ${recorded.length} arrivals, and ${times.length} workflows are wanted`,
      {
        hint: `ask for at most ${recorded.length} workflows`,
      },
    )
  const sorted = [...recorded].sort((a, b) => a - b)
  return times.map((_, index) => sorted[index] ?? 0)
}

/** `all_at_once`, `poisson:0.5` (per second) or `trace:arrivals.csv`, as an option or a factor has it. */
export function parseArrivals(text: string): Arrivals {
  if (text === 'all_at_once') return 'all_at_once'
  const [, kind, rest = ''] = /^(poisson|trace):(.+)$/.exec(text) ?? []
  const rate = Number(rest)
  if (kind === 'poisson' && rate > 0 && Number.isFinite(rate)) return { poisson_per_s: rate }
  if (kind === 'trace') return { trace: rest }
  throw new AssayError(
    'usage',
    `expected arrivals as all_at_once, poisson:<per second> or trace:<file.csv>, got "${text}"`,
  )
}
