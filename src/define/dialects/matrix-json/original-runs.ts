import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, join, posix } from 'node:path'
import * as z from 'zod'
import { parseCsv } from '../../../util/csv.ts'
import { AssayError } from '../../../util/errors.ts'
import { readRegular } from '../../../util/files.ts'
import { canonicalJson, isJsonObject, type Json } from '../../../util/json.ts'
import type { Experiment } from '../../experiment.ts'
import type { Outcome } from '../../outcome.ts'
import type { Run } from '../../run.ts'
import { jsonSource } from '../../source/json-source.ts'
import { type Source, valueAt } from '../../source/source.ts'
import { pythonJson, pythonText } from '../../spelling/spelling.ts'
import type { OriginalResult } from '../dialect.ts'

/**
 * The file that Cascade's sweep runner writes next to a run's results; before the run has ended, without the last three
 * fields.
 */
const metaSchema = z.lazy(() =>
  z.object({
    run_id: z.string().optional(),
    params: z.record(z.string(), z.json()),
    ablation_name: z.string(),
    ablation_flags: z.array(z.string()),
    cmd: z.array(z.string()),
    cwd: z.string().optional(),
    start_time_unix_s: z.number().optional(),
    end_time_unix_s: z.number().optional(),
    wall_time_s: z.number().optional(),
    exit_code: z.number().optional(),
  }),
)

const summaryFile = join('out', 'summary.csv')

/**
 * The result of a run that Cascade's sweep runner made, by its own rule: a table of results, and a meta.json with the
 * same parameters, ablation and program. The place of the folder does not matter, the program's exit code does.
 */
export function originalResult(runDir: string, run: Run, { target }: Experiment): OriginalResult | null {
  const found = existsSync(join(runDir, summaryFile)) ? metaIn(runDir) : null
  if (found === null) return null
  const { params, ablation_name, ablation_flags, cmd, cwd = '', ...meta } = found.meta
  const standsInFor = target.stands_in_for
  const program = Array.isArray(target.command) ? target.command[0] : standsInFor
  const isSame =
    (meta.run_id ?? run.name) === run.name &&
    canonicalJson(params) === canonicalJson(run.params) &&
    ablation_name === (run.ablation ?? 'baseline') &&
    canonicalJson(ablation_flags) === canonicalJson(run.flags) &&
    isSameProgram(String(program ?? ''), cmd[0] ?? '')
  const { exit_code, wall_time_s, start_time_unix_s } = meta
  if (!isSame || exit_code === undefined || wall_time_s === undefined || start_time_unix_s === undefined) return null
  return {
    outcome: outcomeOf(exit_code),
    started_at: Math.round(start_time_unix_s * 1000),
    wall_s: wall_time_s,
    command: cmd,
    cwd,
    ...(typeof standsInFor === 'string' && { madeBy: standsInFor }),
  }
}

/** `./build/sim` as it is written, or where it was found. */
const isSameProgram = (written: string, found: string): boolean =>
  found === written || (written !== '' && found.endsWith(posix.join('/', written)))

/** In Python's convention for subprocesses: negative is the number of a signal. */
function outcomeOf(code: number): Outcome {
  if (code === 0) return { kind: 'completed', exit_code: 0, signal: null }
  if (code > 0)
    return {
      kind: 'failed',
      exit_code: code,
      signal: null,
      error_class: `exit_${code}`,
      message: `the program ended with exit code ${code}`,
    }
  const signal = Object.entries(constants.signals).find(([, number]) => number === -code)?.[0] ?? `SIG${-code}`
  return {
    kind: 'failed',
    exit_code: null,
    signal,
    error_class: `signal_${signal}`,
    message: `the program ended by ${signal}`,
  }
}

function metaIn(runDir: string): { readonly meta: z.output<typeof metaSchema>; readonly source: Source } | null {
  const file = join(runDir, 'meta.json')
  const text = readRegular(file)
  if (text === null) return null
  try {
    const source = jsonSource(file, text, { strict: true })
    const { data } = metaSchema.safeParse(source.value)
    // Results made by assay itself are in its journal, and `assay repair` finds them.
    return data === undefined || valueAt(source.value, ['token']) !== undefined ? null : { meta: data, source }
  } catch (error) {
    // A truncated document is not a result.
    if (error instanceof AssayError) return null
    throw error
  }
}

/** A run's row in the table of Cascade's collector, cell by cell as it writes them; null: this folder contains no run. */
export function originalRow(runDir: string): { readonly [column: string]: string } | null {
  const found = metaIn(runDir)
  if (found === null) return null
  const { meta, source } = found
  const text = (value: number | undefined, key: string) =>
    value === undefined ? '' : pythonText(pythonJson(value, () => source.spellingOf([key])))
  return {
    ...cellsOf(meta.params, source, ['params']),
    run_id: meta.run_id ?? basename(runDir),
    run_dir: runDir,
    ablation_name: meta.ablation_name,
    ablation_flags: meta.ablation_flags.join(' '),
    exit_code: text(meta.exit_code, 'exit_code'),
    wall_time_s: text(meta.wall_time_s, 'wall_time_s'),
    start_time_unix_s: text(meta.start_time_unix_s, 'start_time_unix_s'),
    end_time_unix_s: text(meta.end_time_unix_s, 'end_time_unix_s'),
    ...Object.fromEntries(
      ['disable_hedging', 'disable_escalation', 'disable_dag_priority'].map(part => [
        part,
        meta.ablation_flags.includes(`--${part}`) ? 'True' : 'False',
      ]),
    ),
    ...summaryCells(runDir),
    ...tierCells(runDir),
  }
}

/** Parameters as Python prints them; nested ones by their path: `optimizer.lr`. */
function cellsOf(
  map: { readonly [key: string]: Json },
  source: Source,
  path: readonly string[],
): Record<string, string> {
  const cells: Record<string, string> = {}
  for (const [key, value] of Object.entries(map)) {
    const at = [...path, key]
    const name = at.slice(1).join('.')
    if (isJsonObject(value)) Object.assign(cells, cellsOf(value, source, at))
    else
      cells[name] = value === null ? '' : pythonText(pythonJson(value, inner => source.spellingOf([...at, ...inner])))
  }
  return cells
}

const tableIn = (file: string): readonly (readonly string[])[] =>
  parseCsv((readRegular(file) ?? '').replace(/^\uFEFF/, ''))

function summaryCells(runDir: string): Record<string, string> {
  const [header = [], row] = tableIn(join(runDir, summaryFile))
  return row === undefined ? {} : Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']))
}

/** One row for each tier of a provider: `llm_provider_tier1_utilization`. */
function tierCells(runDir: string): Record<string, string> {
  const [header = [], ...rows] = tableIn(join(runDir, 'out', 'tiers.csv'))
  const cells: Record<string, string> = {}
  for (const row of rows) {
    const of = Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']))
    const { provider = 'provider', tier_id = 'x', ...others } = of
    const prefix = `${provider.replaceAll(/\W+/g, '_').replaceAll(/^_+|_+$/g, '') || 'x'}_tier${tier_id}`
    for (const [name, value] of Object.entries(others)) cells[`${prefix}_${name}`] = value
  }
  return cells
}
