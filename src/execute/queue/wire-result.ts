import * as z from 'zod'
import { outcomeKinds } from '../../define/outcome.ts'
import { type AttemptResult, attemptModes, type Job } from '../../define/run.ts'

/** Jobs as the queue carries them: several of brief ones together. Their files and their definition are not in it. */
export interface WireParcel {
  /** The hash of the work package that they belong to. */
  readonly package: string
  readonly jobs: readonly Job[]
  /** By the tokens of those that had been sent before and came back: how many times. */
  readonly again?: { readonly [token: string]: number }
}

const wireParcel = z.lazy(() =>
  z.object({
    package: z.string(),
    jobs: z.array(z.custom<Job>(isJob)),
    again: z.record(z.string(), z.number()).exactOptional(),
  }),
)

/** null: it is of a form that this version does not know. */
export function readParcel(data: unknown): WireParcel | null {
  const parsed = wireParcel.safeParse(data)
  return parsed.success ? parsed.data : null
}

export function isJob(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('run' in value) || !('token' in value)) return false
  const { run, token } = value
  if (typeof run !== 'object' || run === null || !('name' in run) || !('key' in run)) return false
  return isFolderName(token) && isFolderName(run.name)
}

/** Folders of runs and attempts are made by these names: none may lead out of where they belong. */
const isFolderName = (name: unknown): boolean =>
  typeof name === 'string' && name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)

/** A result as the queue carries it. */
export interface WireResult {
  readonly result: AttemptResult
  /** Who performed it. */
  readonly worker: string
  /** Its small files; null: they are where the coordinator sees them. */
  readonly files: WireFiles | null
}

export interface WireFiles {
  /** By their path in the run's folder: gzip, as base64. */
  readonly contents: { readonly [path: string]: string }
  /** Those that stayed, and where that is. */
  readonly left: FilesLeft | null
}

export interface FilesLeft {
  readonly host: string
  readonly dir: string
  readonly paths: readonly string[]
  /** The folder of an object store that has them as well. */
  readonly store?: string
}

/** What became of a job that was taken: its result, or that it was not begun and is another's to perform. */
export type WireEnd = WireResult | ReturnedJob

export interface ReturnedJob {
  /** Its token. */
  readonly returned: string
  /** What it was taken in: it may have been sent again since. */
  readonly parcel: string
}

const numbers = z.lazy(() => z.array(z.number()))

const attemptResult = z.lazy(() =>
  z.object({
    token: z.string(),
    mode: z.enum(attemptModes),
    outcome: z.looseObject({ kind: z.enum(outcomeKinds) }),
    wall_s: z.number(),
    cpu_s: z.number().nullable(),
    max_rss_bytes: z.number().nullable(),
    metrics: z.array(
      z.union([
        z.object({ metric: z.string(), value: z.number() }),
        z.object({ metric: z.string(), problem: z.string() }),
      ]),
    ),
    series: z.array(z.object({ metric: z.string(), steps: numbers, values: numbers })),
    cost_usd: z.number().nullable(),
    cost_at_least_usd: z.number(),
    cost_assumed: z.boolean().exactOptional(),
    calls: z.number(),
    tokens: z.number(),
    outputs: z.array(z.string()),
    command: z.array(z.string()),
    cwd: z.string(),
    place: z.string().nullable(),
  }),
)

const wireResult = z.lazy(() =>
  z.object({
    result: attemptResult,
    worker: z.string(),
    files: z
      .object({
        contents: z.record(z.string(), z.string()),
        left: z
          .object({ host: z.string(), dir: z.string(), paths: z.array(z.string()), store: z.string().exactOptional() })
          .nullable(),
      })
      .nullable(),
  }),
)

const wireEnd = z.lazy(() => z.union([wireResult, z.object({ returned: z.string(), parcel: z.string() })]))

/** null: it is of a form that this version does not know. */
export function readWireResult(data: unknown): WireResult | null {
  const parsed = wireResult.safeParse(data)
  return parsed.success ? parsed.data : null
}

/** null: it is of a form that this version does not know. */
export function readEnd(data: unknown): WireEnd | null {
  const parsed = wireEnd.safeParse(data)
  return parsed.success ? parsed.data : null
}

/** What became of each job of a parcel, by its token; null: it is of a form that this version does not know. */
export function readEnds(data: unknown): ReadonlyMap<string, WireEnd> | null {
  const parsed = wireEnds.safeParse(data)
  if (!parsed.success) return null
  return new Map(parsed.data.map(end => ['returned' in end ? end.returned : end.result.token, end]))
}

const wireEnds = z.lazy(() => z.array(wireEnd))
