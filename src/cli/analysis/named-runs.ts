import { resolve } from 'node:path'
import type { Evidence, Observation } from '../../define/observation.ts'
import type { ReadOptions } from '../../record/evidence/evidence.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import { type FoundRun, RunFinder, sourcesOfRuns } from './find-runs.ts'

/** Whether the arms are given run by run. */
export const namesRuns = ({ pairs, controlRunIds, candidateRunIds }: Options): boolean =>
  pairs !== undefined || controlRunIds !== undefined || candidateRunIds !== undefined

/** Two arms made of named runs: the factor is `arm`, and pairs are blocks. */
export function evidenceOfNamedRuns(options: Options, io: Io, read: ReadOptions): Evidence {
  const { pairs, controlRunIds, candidateRunIds, pairBy } = options
  if (pairs !== undefined && (controlRunIds !== undefined || candidateRunIds !== undefined))
    throw new AssayError('usage', 'give --pairs, or --control-run-ids and --candidate-run-ids, not both')
  const finder = new RunFinder(resolve(io.cwd, options.outRoot ?? '.'), read, io.cwd)
  const named = pairs === undefined ? fromLists(controlRunIds, candidateRunIds, finder) : fromPairs(pairs, finder)
  for (const arm of ['control', 'candidate'] as const) refuseTwice(named, arm)
  return {
    runs: named.runs.map(({ run, arm, pair }) => ({
      ...run,
      params: { ...run.params, arm },
      block: pair === null ? run.block : { ...run.block, pair },
    })),
    metrics: [...new Map(named.runs.flatMap(({ metrics }) => metrics).map(one => [one.name, one])).values()],
    blocks: pairBy ?? (named.isPaired ? ['pair'] : []),
    factors: ['arm'],
    levels: { arm: ['control', 'candidate'] },
    baseline: { arm: 'control' },
    sources: sourcesOfRuns(named.runs),
  }
}

interface NamedRuns {
  readonly runs: readonly (FoundRun & {
    readonly arm: 'control' | 'candidate'
    readonly pair: string | null
  })[]
  readonly isPaired: boolean
}

function fromLists(
  control: readonly string[] | undefined,
  candidate: readonly string[] | undefined,
  finder: RunFinder,
): NamedRuns {
  if (control === undefined || candidate === undefined)
    throw new AssayError('usage', 'both --control-run-ids and --candidate-run-ids are needed')
  const arm = (ids: readonly string[], name: 'control' | 'candidate') =>
    ids.map(id => ({ ...finder.locate(id), arm: name, pair: null }))
  return { runs: [...arm(control, 'control'), ...arm(candidate, 'candidate')], isPaired: false }
}

function fromPairs(texts: readonly string[], finder: RunFinder): NamedRuns {
  const pairs = texts.flatMap(parsePairs)
  if (pairs.length === 0) throw new AssayError('usage', '--pairs: the list is empty')
  return {
    runs: pairs.flatMap(({ control, candidate, seed }, index) => {
      const pair = seed === null ? String(index + 1) : `${index + 1} seed ${seed}`
      return [
        { ...withSeed(finder.locate(control), seed, control), arm: 'control' as const, pair },
        { ...withSeed(finder.locate(candidate), seed, candidate), arm: 'candidate' as const, pair },
      ]
    }),
    isPaired: true,
  }
}

/** One run is one value, no matter how often it is named. */
function refuseTwice({ runs }: NamedRuns, arm: 'control' | 'candidate'): void {
  const seen = new Set<string>()
  for (const { run, dir, arm: own } of runs) {
    if (own !== arm) continue
    if (seen.has(`${dir} ${run.name}`))
      throw new AssayError('usage', `${run.name} is named twice as ${arm}: it would count as two runs`)
    seen.add(`${dir} ${run.name}`)
  }
}

/** A stated seed must match the run's own, if that is known. */
function withSeed<T extends { readonly run: Observation }>(found: T, seed: string | null, wanted: string): T {
  const own = found.run.block.seed
  if (seed !== null && own !== undefined && String(own) !== seed)
    throw new AssayError('usage', `--pairs: ${wanted} was run with seed ${String(own)}, not ${seed}`)
  return found
}

interface NamedPair {
  readonly control: string
  readonly candidate: string
  readonly seed: string | null
}

/** One object, or a list of them. */
function parsePairs(text: string): readonly NamedPair[] {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    throw notAPair(text)
  }
  return (Array.isArray(value) ? value : [value]).map(item => {
    if (!isJsonObject(item) || typeof item.control !== 'string' || typeof item.candidate !== 'string')
      throw notAPair(text)
    return {
      control: item.control,
      candidate: item.candidate,
      seed: item.seed === undefined ? null : String(item.seed),
    }
  })
}

const notAPair = (text: string): AssayError =>
  new AssayError('usage', `--pairs: expected {"control": "<run>", "candidate": "<run>"} or a list of such, got ${text}`)
