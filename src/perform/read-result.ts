import { join } from 'node:path'
import * as z from 'zod'
import { resultFields } from '../define/result-schema.ts'
import type { AttemptResult, Reading, Run } from '../define/run.ts'
import { runFolder, runPlace } from '../record/places.ts'
import { readRegular } from '../util/files.ts'
import type { Json } from '../util/json.ts'
import { isAsWritten } from './meta-file.ts'
import { MetricsFile } from './metrics-file.ts'
import { Reported } from './reporting/reported.ts'

/** The result left by a dead worker; null if there is no complete one. */
export function readResult(experimentDir: string, runName: string): AttemptResult | null {
  const found = writtenIn(runFolder(experimentDir, runName))
  return found && { ...found.result, place: runPlace(runName) }
}

/** An attempt reconstructed from its files, for a journal that does not contain it. */
export interface FoundResult {
  readonly run: Run
  readonly attempt: number
  /** The fingerprint of its definition; null: results of earlier versions don't contain it. */
  readonly fingerprint: string | null
  readonly started_at: number
  readonly result: AttemptResult
}

/** The result in an attempt's folder; null if there is none, or it does not say which run it belongs to. */
export function foundResult(folder: string, place: string): FoundResult | null {
  const found = writtenIn(folder)
  const { data: told } = identity.safeParse(found?.document)
  if (found === null || told === undefined) return null
  const { run_id: name, ablation_name: ablation, ablation_flags: flags, attempt, fingerprint = null } = told
  const { key, params, block, replicate, seed, numbers } = told
  return {
    run: { key, name, params, ablation, flags, block, replicate, seed, ...(numbers !== undefined && { numbers }) },
    attempt,
    fingerprint,
    started_at: Math.round(told.start_time_unix_s * 1000),
    result: { ...found.result, place },
  }
}

interface Written {
  readonly document: unknown
  readonly result: Omit<AttemptResult, 'place'>
}

function writtenIn(folder: string): Written | null {
  return writtenAs(join(folder, 'result.json')) ?? writtenAs(join(folder, 'meta.json'))
}

function writtenAs(file: string): Written | null {
  try {
    const text = readRegular(file) ?? ''
    if (!isAsWritten(text)) return null
    const document: unknown = JSON.parse(text)
    return { document, result: written.parse(document) }
  } catch {
    return null
  }
}

/** Whether a result here was changed after it was written. */
export const isDamagedResult = (folder: string): boolean =>
  ['result.json', 'meta.json'].some(name => {
    const text = readRegular(join(folder, name))
    return text !== null && !isAsWritten(text)
  })

const written = z.lazy(() =>
  z
    .object({
      ...resultFields(),
      wall_time_s: z.number(),
      metrics: z.record(z.string(), z.number()),
      metric_problems: z.record(z.string(), z.string()),
      cmd: z.array(z.string()),
    })
    .transform(({ wall_time_s: wall_s, metrics, metric_problems, cmd: command, ...rest }) => {
      const readings: Reading[] = [
        ...Object.entries(metrics).map(([metric, value]) => ({ metric, value })),
        ...Object.entries(metric_problems).map(([metric, problem]) => ({ metric, problem })),
      ]
      return { ...rest, wall_s, metrics: readings, command } satisfies Omit<AttemptResult, 'place'>
    }),
)

const json: z.ZodType<Json> = z.json()
const values = z.lazy(() => z.record(z.string(), json))

/** Which run and attempt it is of. */
const identity = z.lazy(() =>
  z.object({
    run_id: z.string(),
    key: z.string(),
    params: values,
    ablation_name: z.string().nullable(),
    ablation_flags: z.array(z.string()),
    block: values,
    replicate: z.number(),
    seed: z.number(),
    numbers: z.object({ variant: z.number(), run: z.number(), place: z.number().optional() }).optional(),
    attempt: z.int().min(1),
    fingerprint: z.string().optional(),
    start_time_unix_s: z.number(),
  }),
)

/** The cost that an interrupted attempt had reported. */
export function spentSoFar(experimentDir: string, runName: string): number {
  const reported = new Reported()
  const file = new MetricsFile(runFolder(experimentDir, runName), {
    report: point => reported.add(point),
    problem: message => reported.addProblem(message),
  })
  file.readToEnd()
  return reported.costUsd ?? 0
}
