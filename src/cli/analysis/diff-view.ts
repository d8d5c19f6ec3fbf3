import type { Change, ResultsDiff } from '../../analyze/diff.ts'
import type { Provenance } from '../../analyze/provenance/provenance.ts'
import type { CodeChange } from '../../record/provenance/provenance.ts'
import type { Json } from '../../util/json.ts'
import { counted, plainNumber, shortCommit } from '../../util/words.ts'
import type { Style } from '../views/style.ts'
import { tableLines } from '../views/table.ts'

export interface DiffReport {
  readonly before: string
  readonly after: string
  readonly definition: readonly Change[]
  readonly environment: readonly Change[]
  readonly code: {
    readonly before: string | null
    readonly after: string | null
    readonly paths: readonly string[]
    readonly change: CodeChange
  } | null
  readonly results: ResultsDiff
  readonly provenance: Provenance
}

const mostRows = 20

export function diffLines(report: DiffReport, columns: number, style: Style): readonly string[] {
  return [
    style.bold(headline(report)),
    '',
    ...section('definition', report.definition),
    ...section('environment', report.environment),
    ...codeLines(report),
    ...resultLines(report, columns),
  ]
}

function headline({ before, after, definition, results }: DiffReport): string {
  const defined =
    definition.length === 0
      ? 'the same definition'
      : `${definition.length} ${definition.length === 1 ? 'difference' : 'differences'} in definition`
  return `${before} and ${after}: ${defined}; ${differencesText(results)}`
}

/** If nothing can be compared, nothing is the same either. */
function differencesText({ metric, same, parted, one_sided }: ResultsDiff): string {
  const total = same + parted.length
  if (total > 0)
    return parted.length === 0
      ? `${metric} is the same in ${total === 1 ? 'the only place' : `all ${total} places`} that both have`
      : `${metric} differs in ${parted.length} of ${counted(total, 'place')} that both have`
  return one_sided.length === 0
    ? `neither has a value of ${metric}`
    : `there is no place where both have a value of ${metric}`
}

function section(title: string, changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return []
  return [title, ...changes.map(({ path, before, after }) => `  ${path}: ${text(before)} → ${text(after)}`), '']
}

function codeLines({ code }: DiffReport): readonly string[] {
  if (code === null) return []
  const under = code.paths.length === 0 ? '' : ` under ${code.paths.join(', ')}`
  const [before, after] = [code.before, code.after].map(commit => shortCommit(commit ?? 'no commit'))
  const commits = code.before === code.after ? `both at ${before}` : `${before} → ${after}`
  if (code.change.kind === 'unknown')
    return ['code', `  ${commits}; what changed is not known: ${code.change.reason}`, '']
  if (code.change.files.length === 0) return ['code', `  ${commits}; nothing changed${under}`, '']
  return [
    'code',
    `  ${commits}; ${counted(code.change.commits, 'commit')}${under}`,
    ...code.change.files.map(line => `  ${line.trim()}`),
    '',
  ]
}

function resultLines({ results, before, after }: DiffReport, columns: number): readonly string[] {
  const rows = results.parted
    .slice(0, mostRows)
    .map(one => [one.where, plainNumber(one.before), plainNumber(one.after), plainNumber(one.difference)])
  const more = results.parted.length - rows.length
  return [
    ...(rows.length === 0
      ? []
      : tableLines([`where ${results.metric} parts`, before, after, 'difference'], rows, { columns })),
    ...(more > 0 ? [`and ${more} more: --json lists them all`] : []),
    ...oneSidedLines(results, before, after),
  ]
}

/** Usually one side simply has more seeds or levels: a few examples are enough. */
function oneSidedLines({ one_sided }: ResultsDiff, before: string, after: string): readonly string[] {
  const shown = one_sided.length <= 6 ? one_sided : one_sided.slice(0, 5)
  const more = one_sided.length - shown.length
  return [
    ...shown.map(
      ({ where, side, reason }) => `only ${side === 'before' ? before : after} has a value at ${where}: ${reason}`,
    ),
    ...(more > 0 ? [`and ${more} more places that only one of them has`] : []),
  ]
}

function text(value: Json | null): string {
  const written = value === null ? '(not there)' : JSON.stringify(value)
  return written.length > 100 ? `${written.slice(0, 97)}…` : written
}
