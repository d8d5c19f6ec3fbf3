import { counted, listed } from '../../util/words.ts'
import type { Style } from '../views/style.ts'
import { tableLines } from '../views/table.ts'
import type { ParsedFolder, ParsedInstance } from './parsed-folder.ts'

/** More are in --json. */
const mostRows = 50
const mostNamed = 20

/**
 * The output of `assay parse`: the numbers in sections, how the work ended, a row for each instance, and what could not
 * be read.
 */
export function parsedLines(folder: string, parsed: ParsedFolder, columns: number, style: Style): readonly string[] {
  const { summary, instances } = parsed
  const of = (name: string): number | null => summary[name] ?? null
  const section = (title: string, rows: readonly (readonly [string, string])[]): readonly string[] => [
    '',
    style.bold(title),
    ...rows.map(([name, value]) => `  ${name.padEnd(24)}${value}`),
  ]
  return [
    style.bold(`${folder}: ${counted(instances.length, 'trajectory')}`),
    ...section('Instances', [
      ['instances', count(of('n_instances'))],
      ['submitted', `${count(of('n_submitted'))} (${percent(of('submission_rate'))})`],
    ]),
    ...section('Cost', [
      ['total', usd(of('total_cost'))],
      ['average', usd(of('avg_cost'))],
      ['agent', usd(of('total_agent_cost'))],
      ['summariser', `${usd(of('total_summary_cost'))} (${percent(of('summary_cost_fraction'))})`],
      ['retry loop', `${usd(of('total_rloop_cost'))} (${percent(of('rloop_cost_fraction'))})`],
    ]),
    ...section('Turns and calls', [
      ['turns', `${count(of('total_turns'))} (average ${decimal(of('avg_turns'))})`],
      ['calls of the agent', `${count(of('total_api_calls'))} (average ${decimal(of('avg_api_calls'))})`],
      ['calls of the summariser', count(of('total_summary_api_calls'))],
      ['calls of the retry loop', count(of('total_rloop_api_calls'))],
    ]),
    ...section('Tokens', [
      ['raw input', count(of('total_raw_input_tokens'))],
      ['cached input', count(of('total_cached_input_tokens'))],
      ['output', count(of('total_output_tokens'))],
      ['reasoning', count(of('total_internal_reasoning_tokens'))],
      ['cache hit rate', percent(of('cache_hit_rate'))],
    ]),
    ...section(
      'Exit categories',
      [...parsed.exits].map(([category, n]) => [category, count(n)] as const),
    ),
    '',
    ...instanceLines(instances, columns, style),
    ...repeatedLines(parsed, style),
    ...brokenLines(parsed, style),
  ]
}

function instanceLines(instances: readonly ParsedInstance[], columns: number, style: Style): readonly string[] {
  // Only what distinguishes the files.
  const about = (['model', 'strategy'] as const).filter(name => new Set(instances.map(one => one[name])).size > 1)
  const rows = instances
    .slice(0, mostRows)
    .map(({ row, ...one }) => [
      row.instance_id,
      ...about.map(name => one[name] ?? ''),
      row.exit_status,
      count(row.n_turns),
      count(row.agent_api_calls),
      usd(row.total_cost),
    ])
  const left = instances.length - rows.length
  return [
    ...tableLines(['instance', ...about, 'exit status', 'turns', 'calls', 'cost'], rows, { columns, head: style.bold }),
    ...(left > 0 ? [`… and ${left} more: --json lists them all`] : []),
  ]
}

function repeatedLines({ repeated }: ParsedFolder, style: Style): readonly string[] {
  if (repeated.size === 0) return []
  const shown = [...repeated].slice(0, mostNamed).map(([id, files]) => `  ${id}: ${listed(files)}`)
  const left = repeated.size - shown.length
  return [
    '',
    style.yellow(`! ${counted(repeated.size, 'instance')} in several files; each file counts:`),
    ...shown,
    ...more(left),
  ]
}

/** The files that are not trajectories, each with the reason. */
export function brokenLines({ broken }: Pick<ParsedFolder, 'broken'>, style: Style): readonly string[] {
  if (broken.length === 0) return []
  const shown = broken.slice(0, mostNamed).map(({ file, reason }) => `  ${file}: ${reason}`)
  return [
    '',
    style.yellow(`! ${counted(broken.length, 'file')} could not be read:`),
    ...shown,
    ...more(broken.length - shown.length),
  ]
}

const more = (left: number): readonly string[] => (left > 0 ? [`  … and ${left} more: --json lists them all`] : [])

const unknown = 'unknown'
const usd = (value: number | null): string => (value === null ? unknown : `$${value.toFixed(4)}`)
const percent = (share: number | null): string => (share === null ? unknown : `${(100 * share).toFixed(1)}%`)
const count = (value: number | null): string => (value === null ? unknown : value.toLocaleString('en-US'))
const decimal = (value: number | null): string => (value === null ? unknown : value.toFixed(1))
