import { copyFileSync, linkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { type AttemptResult, attemptModes, type Job, type Reading } from '../define/job.ts'
import { type Outcome, outcomeKinds } from '../define/outcome.ts'
import { runFolder, runPlace } from '../record/places.ts'
import { systemCode } from '../util/errors.ts'
import { readRegular } from '../util/files.ts'

/**
 * Makes an attempt count: from here on it is finished, even if this process dies before the journal knows. One document
 * under two names, as making a second file costs as much as all the rest: `meta.json` is what the original's scripts
 * read (its ten keys come first, in its order), `result.json` what a crash is recovered from. Written in place: half a
 * document does not parse, so it can't be taken for a whole one.
 */
export function writeMeta(runDir: string, job: Job, result: AttemptResult): void {
  const meta = join(runDir, 'meta.json')
  writeFileSync(meta, metaText(job, result))
  try {
    linkSync(meta, join(runDir, 'result.json'))
  } catch (error) {
    // A program may have written a file of that name; it stays, and meta.json has to do.
    if (systemCode(error) === 'EEXIST') return
    // Some file systems have no second names.
    copyFileSync(meta, join(runDir, 'result.json'))
  }
}

function metaText(job: Job, result: AttemptResult): string {
  const { run } = job
  const meta = {
    ablation_flags: run.flags,
    ablation_name: run.ablation,
    cmd: result.command,
    cwd: result.cwd,
    end_time_unix_s: job.started_at / 1000 + result.wall_s,
    exit_code: exitCodeOf(result.outcome),
    params: run.params,
    run_id: run.name,
    start_time_unix_s: job.started_at / 1000,
    wall_time_s: result.wall_s,
    key: run.key,
    block: run.block,
    replicate: run.replicate,
    seed: run.seed,
    attempt: job.attempt,
    mode: result.mode,
    continues: job.continues?.attempt ?? null,
    token: result.token,
    outcome: result.outcome,
    cpu_s: result.cpu_s,
    max_rss_bytes: result.max_rss_bytes,
    cost_usd: result.cost_usd,
    cost_at_least_usd: result.cost_at_least_usd,
    cost_assumed: result.cost_assumed,
    calls: result.calls,
    tokens: result.tokens,
    outputs: result.outputs,
    metrics: Object.fromEntries(
      result.metrics.flatMap(reading => ('value' in reading ? [[reading.metric, reading.value]] : [])),
    ),
    metric_problems: Object.fromEntries(
      result.metrics.flatMap(reading => ('problem' in reading ? [[reading.metric, reading.problem]] : [])),
    ),
  }
  // Series stand on one line each: a number a line would bury what people look for.
  const series = result.series.map(one => `    ${JSON.stringify(one)}`).join(',\n')
  const text = JSON.stringify(meta, null, 2).slice(0, -2)
  return `${text},\n  "series": [${series === '' ? '' : `\n${series}\n  `}]\n}\n`
}

/** As Python's subprocess says it: negative is the number of a signal. */
function exitCodeOf(outcome: Outcome): number | null {
  if (!outcome.signal) return outcome.exit_code ?? null
  const named = Object.entries(constants.signals).find(([name]) => name === outcome.signal)
  const number = named?.[1] ?? Number(/^SIG(\d+)$/.exec(outcome.signal)?.[1])
  return Number.isNaN(number) ? null : -number
}

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
