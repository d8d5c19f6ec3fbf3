import { join } from 'node:path'
import * as z from 'zod'
import { outcomeKinds } from '../define/outcome.ts'
import { type AttemptResult, attemptModes, type Reading, type Run } from '../define/run.ts'
import { runFolder, runPlace } from '../record/places.ts'
import { readRegular } from '../util/files.ts'
import type { Json } from '../util/json.ts'
import { isAsWritten } from './meta-file.ts'
import { MetricsFile } from './metrics-file.ts'
import { Reported } from './reporting/reported.ts'

/** The result left by a dead worker; null if there is no complete one. */
export function readResult(experimentDir: string, runName: string): AttemptResult | null {
  const written = writtenIn(runFolder(experimentDir, runName))
  return written && resultOf(written, runPlace(runName))
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
  const written = writtenIn(folder)
  const { data: told } = identity.safeParse(written)
  if (written === null || told === undefined) return null
  const { run_id: name, ablation_name: ablation, ablation_flags: flags, attempt, fingerprint = null } = told
  const { key, params, block, replicate, seed, numbers } = told
  return {
    run: { key, name, params, ablation, flags, block, replicate, seed, ...(numbers !== undefined && { numbers }) },
    attempt,
    fingerprint,
    started_at: Math.round(told.start_time_unix_s * 1000),
    result: resultOf(written, place),
  }
}

function writtenIn(folder: string): Written | null {
  return writtenAs(join(folder, 'result.json')) ?? writtenAs(join(folder, 'meta.json'))
}

function writtenAs(file: string): Written | null {
  try {
    const text = readRegular(file) ?? ''
    return isAsWritten(text) ? written.parse(JSON.parse(text)) : null
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

const numbers = z.lazy(() => z.array(z.number()))

const written = z.lazy(() =>
  z.looseObject({
    token: z.string(),
    outcome: z.object({
      kind: z.enum(outcomeKinds),
      exit_code: z.number().nullable().optional(),
      signal: z.string().nullable().optional(),
      error_class: z.string().optional(),
      message: z.string().optional(),
      said: z.string().optional(),
      unsupported_environment: z.boolean().optional(),
      sandbox: z.string().optional(),
      limit: z.string().optional(),
      limit_at: z.number().nullable().optional(),
      only_scoring_left: z.boolean().optional(),
      exit_status: z.string().optional(),
    }),
    mode: z.enum(attemptModes).default('run'),
    wall_time_s: z.number(),
    cpu_s: z.number().nullable(),
    max_rss_bytes: z.number().nullable(),
    metrics: z.record(z.string(), z.number()),
    metric_problems: z.record(z.string(), z.string()),
    series: z.array(z.object({ metric: z.string(), steps: numbers, values: numbers })),
    cost_usd: z.number().nullable(),
    cost_at_least_usd: z.number(),
    cost_assumed: z.boolean().optional(),
    calls: z.number().default(0),
    tokens: z.number().default(0),
    outputs: z.array(z.string()),
    cmd: z.array(z.string()),
    cwd: z.string(),
  }),
)

type Written = z.infer<typeof written>

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

function resultOf(meta: Written, place: string): AttemptResult {
  const { token, mode, outcome, cpu_s, max_rss_bytes, series, cost_usd, cost_at_least_usd, outputs, cmd, cwd } = meta
  const { cost_assumed = false, calls, tokens } = meta
  const metrics: Reading[] = [
    ...Object.entries(meta.metrics).map(([metric, value]) => ({ metric, value })),
    ...Object.entries(meta.metric_problems).map(([metric, problem]) => ({ metric, problem })),
  ]
  return {
    token,
    mode,
    outcome,
    wall_s: meta.wall_time_s,
    cpu_s,
    max_rss_bytes,
    metrics,
    series,
    cost_usd,
    cost_at_least_usd,
    ...(cost_assumed && { cost_assumed }),
    calls,
    tokens,
    outputs,
    command: cmd,
    cwd,
    place,
  }
}

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
