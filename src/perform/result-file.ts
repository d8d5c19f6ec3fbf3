import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { AttemptResult } from '../define/job.ts'
import { outcomeKinds } from '../define/outcome.ts'
import { runDirectoryOf } from './run-directory.ts'
import { writeAtomically } from './write-atomically.ts'

/** Makes an attempt count: from here on it is finished, even if this process dies before the journal knows. */
export function writeResult(runDir: string, result: AttemptResult): void {
  writeAtomically(join(runDir, 'result.json'), `${JSON.stringify(result)}\n`)
}

/** What a worker that died has left; null when it left nothing whole. */
export function readResult(experimentDir: string, runName: string): AttemptResult | null {
  try {
    const text = readFileSync(join(runDirectoryOf(experimentDir, runName), 'result.json'), 'utf8')
    return resultSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

const numbers = z.array(z.number())

const resultSchema: z.ZodType<AttemptResult> = z.object({
  token: z.string(),
  outcome: z.object({
    kind: z.enum(outcomeKinds),
    exit_code: z.number().nullable().optional(),
    signal: z.string().nullable().optional(),
    error_class: z.string().optional(),
    message: z.string().optional(),
    unsupported_environment: z.boolean().optional(),
  }),
  started_at: z.number(),
  ended_at: z.number(),
  wall_s: z.number(),
  cpu_s: z.number().nullable(),
  max_rss_bytes: z.number().nullable(),
  metrics: z.array(
    z.union([
      z.strictObject({ metric: z.string(), value: z.number() }),
      z.strictObject({ metric: z.string(), problem: z.string() }),
    ]),
  ),
  series: z.array(z.object({ metric: z.string(), steps: numbers, values: numbers })),
  cost_usd: z.number().nullable(),
  command: z.array(z.string()),
  cwd: z.string(),
  has_directory: z.boolean(),
})
