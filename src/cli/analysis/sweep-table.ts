import { readFileSync } from 'node:fs'
import type { Evidence } from '../../plan/evidence.ts'
import { evidenceOfTable } from '../../record/evidence/from-table.ts'
import { parseCsv } from '../../util/csv.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import type { Options } from '../options.ts'

/** What the sweep runner varies, and what tells its runs apart besides; the rest of a row are results. */
const varied = ['policy', 'workflows', 'ablation_name']

/** Runs out of the sweep runner's own table, whoever wrote it. */
export function sweepTable(file: string, { group, pairBy }: Options): Evidence {
  const [header = []] = parseCsv(textOf(file).replace(/^\uFEFF/, ''))
  const there = (names: readonly string[]) => names.filter(name => header.includes(name))
  const evidence = evidenceOfTable(file, {
    group: group ?? there(varied),
    pairBy: pairBy ?? there(['seed']),
    run: null,
    step: null,
  })
  return {
    ...evidence,
    metrics: there(['makespan_p95_ms', 'makespan_mean_ms', 'cost_mean']).map((name, at) => ({
      name,
      goal: 'minimize',
      primary: at === 0,
    })),
    // A run that failed has no result, whatever its row says.
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
