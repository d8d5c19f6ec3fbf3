import { readFileSync } from 'node:fs'
import { readingOf } from '../../define/dialects/registry.ts'
import type { Evidence } from '../../define/observation.ts'
import { evidenceOf } from '../../record/evidence/evidence.ts'
import { parseCsv } from '../../util/csv.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import type { Options } from '../options.ts'

/** Runs from the table of a sweep runner, whichever program wrote it; its dialect knows the columns. */
export function sweepTable(
  file: string,
  { group, pairBy }: Options,
  /** The text of the table, if `file` is the folder that it was made from. */
  text?: string,
): Evidence {
  const [header = []] = parseCsv((text ?? textOf(file)).replace(/^\uFEFF/, ''))
  const { levels = [], pairs = [], metrics = [] } = readingOf(header) ?? {}
  const there = (names: readonly string[]) => names.filter(name => header.includes(name))
  const columns = { group: group ?? there(levels), pairBy: pairBy ?? there(pairs), run: null, step: null }
  const evidence = evidenceOf(file, { series: 'all', columns, ...(text !== undefined && { text }) })
  return {
    ...evidence,
    metrics: metrics
      .filter(({ name }) => header.includes(name))
      .map((metric, at) => ({ ...metric, primary: at === 0 })),
    // A failed run has no result, whatever its row contains.
    runs: evidence.runs.map(run =>
      run.columns?.exit_code === undefined || run.columns.exit_code === 0
        ? run
        : { ...run, outcome: { kind: 'failed', error_class: `exit_${String(run.columns.exit_code)}` } },
    ),
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new AssayError('not_found', `${file}: can't be read: ${messageOf(error)}`, { cause: error })
  }
}
