import { join } from 'node:path'
import * as z from 'zod'
import { outcomeKinds } from '../define/outcome.ts'
import { type AttemptResult, attemptModes, type Reading } from '../define/run.ts'
import { runFolder, runPlace } from '../record/places.ts'
import { readRegular } from '../util/files.ts'
import { MetricsFile } from './metrics-file.ts'
import { Reported } from './reported.ts'

/** What a worker that died has left in the folder of a run. */

/** The result that a worker which died has left; null when it left nothing whole. */
export function readResult(experimentDir: string, runName: string): AttemptResult | null {
  const dir = runFolder(experimentDir, runName)
  const written = writtenIn(join(dir, 'result.json')) ?? writtenIn(join(dir, 'meta.json'))
  return written && resultOf(written, runPlace(runName))
}

function writtenIn(file: string): Written | null {
  try {
    return written.parse(JSON.parse(readRegular(file) ?? ''))
  } catch {
    return null
  }
}

const numbers = z.array(z.number())

const written = z.object({
  token: z.string(),
  outcome: z.object({
    kind: z.enum(outcomeKinds),
    exit_code: z.number().nullable().optional(),
    signal: z.string().nullable().optional(),
    error_class: z.string().optional(),
    message: z.string().optional(),
    unsupported_environment: z.boolean().optional(),
    limit: z.string().optional(),
    limit_at: z.number().nullable().optional(),
    only_scoring_left: z.boolean().optional(),
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
})

type Written = z.infer<typeof written>

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

/** What an attempt that was cut off had reported to have cost. */
export function spentSoFar(experimentDir: string, runName: string): number {
  const reported = new Reported()
  const file = new MetricsFile(runFolder(experimentDir, runName), {
    report: point => reported.add(point),
    problem: message => reported.addProblem(message),
  })
  file.readToEnd()
  return reported.costUsd ?? 0
}
