import * as z from 'zod'
import { resultFields } from '../../define/result-schema.ts'
import type { AttemptResult, Job } from '../../define/run.ts'

/** Jobs as the queue carries them: several brief ones together, without their files and their definition. */
export interface WireParcel {
  /** The hash of the work package they belong to. */
  readonly package: string
  readonly jobs: readonly Job[]
  /** How many times a job was sent, by token, for those that came back. */
  readonly again?: { readonly [token: string]: number }
}

const wireParcel = z.lazy(() =>
  z.object({
    package: z.string(),
    jobs: z.array(z.custom<Job>(isJob)),
    again: z.record(z.string(), z.number()).exactOptional(),
  }),
)

/** null: this version does not know its form. */
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

/** Folders of runs and attempts get these names: none may lead out of its parent. */
const isFolderName = (name: unknown): boolean =>
  typeof name === 'string' && name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)

/** A result as the queue carries it. */
export interface WireResult {
  readonly result: AttemptResult
  /** The worker that performed it. */
  readonly worker: string
  /** Its small files; null: they are where the coordinator can see them. */
  readonly files: WireFiles | null
}

export interface WireFiles {
  /** By their path in the run's folder: gzip, as base64. */
  readonly contents: { readonly [path: string]: string }
  /** The files that stayed behind, and where they are. */
  readonly left: FilesLeft | null
}

export interface FilesLeft {
  readonly host: string
  readonly dir: string
  readonly paths: readonly string[]
  /** The folder in an object store that also has them. */
  readonly store?: string
}

/** The end of a job that was taken: its result, or that it was not started and goes to another worker. */
export type WireEnd = WireResult | ReturnedJob

export interface ReturnedJob {
  /** Its token. */
  readonly returned: string
  /** The parcel it was taken in: it may have been sent again since. */
  readonly parcel: string
}

const attemptResult = z.lazy(() =>
  z.object({
    ...resultFields(),
    wall_s: z.number(),
    metrics: z.array(
      z.union([
        z.object({ metric: z.string(), value: z.number() }),
        z.object({ metric: z.string(), problem: z.string() }),
      ]),
    ),
    command: z.array(z.string()),
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

/** null: this version does not know its form. */
export function readWireResult(data: unknown): WireResult | null {
  const parsed = wireResult.safeParse(data)
  return parsed.success ? parsed.data : null
}

/** null: this version does not know its form. */
export function readEnd(data: unknown): WireEnd | null {
  const parsed = wireEnd.safeParse(data)
  return parsed.success ? parsed.data : null
}

/** The end of each job of a parcel, by token; null: this version does not know its form. */
export function readEnds(data: unknown): ReadonlyMap<string, WireEnd> | null {
  const parsed = wireEnds.safeParse(data)
  if (!parsed.success) return null
  return new Map(parsed.data.map(end => ['returned' in end ? end.returned : end.result.token, end]))
}

const wireEnds = z.lazy(() => z.array(wireEnd))
