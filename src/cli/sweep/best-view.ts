import { isResolved } from '../../analyze/search/importances.ts'
import { incompleteText, resultText, worthText } from '../../analyze/search/trials.ts'
import type { JsonObject } from '../../util/json.ts'
import { amountText, counted, percentText } from '../../util/words.ts'
import { type Io, tableWidth } from '../io.ts'
import { paramsText } from '../outcome/found-best.ts'
import { styler } from '../views/style.ts'
import { tableLines } from '../views/table.ts'
import type { BestOfSweep } from './best.ts'

/** The winner, how good it is, and what mattered; for a person. */
export function bestLines(found: BestOfSweep, written: string | null, io: Io): readonly string[] {
  const { ranked, name, id } = found
  const style = styler(io.stdout)
  const [winner] = ranked.best
  if (winner === undefined) return []
  return [
    `${name} (${id}): the best of ${counted(ranked.compared, 'variant')}`,
    `  ${style.bold(resultText(winner, ranked))}`,
    ...(ranked.varying.length === 0 ? [] : [`  ${paramsText(winner.varied)}`]),
    ...incompleteLines(found),
    '',
    ...worthLines(found, written),
    ...(written === null ? [...rankedLines(found, io), ...importanceLines(found, io), ...frontLines(found, io)] : []),
  ]
}

function incompleteLines({ ranked }: BestOfSweep): readonly string[] {
  const text = incompleteText(ranked)
  return text === null ? [] : [`  ${text}`]
}

function worthLines({ ranked, next }: BestOfSweep, written: string | null): readonly string[] {
  const why = worthText(ranked)
  if (ranked.compared < 2 && written === null) return [why]
  if (written !== null) return [why, `Written to ${written}, with fresh seeds. To measure it: assay run ${written}`]
  return [`${why} To measure it with fresh seeds:`, ...next.map(line => `  ${line}`)]
}

function rankedLines({ ranked }: BestOfSweep, io: Io): readonly string[] {
  if (ranked.best.length < 2) return []
  const amount = amountText(ranked.metric)
  const rows = ranked.best.map(({ number, varied, result }) => [
    String(number),
    result.mean === null ? '–' : amount(result.mean),
    ...(ranked.runs > 1 ? [intervalText(result.ci, amount)] : []),
    paramsText(varied),
  ])
  const head = ['variant', ranked.metric, ...(ranked.runs > 1 ? ['95% CI'] : []), 'with']
  return ['', ...tableLines(head, rows, { columns: tableWidth(io.stdout) })]
}

const intervalText = (
  ci: { readonly low: number | null; readonly high: number | null } | null,
  amount: (value: number) => string,
): string => (ci === null || ci.low === null || ci.high === null ? '–' : `${amount(ci.low)} to ${amount(ci.high)}`)

function importanceLines({ importances, ranked }: BestOfSweep, io: Io): readonly string[] {
  if (importances.length === 0) return []
  const rows = importances.map(one => [
    one.parameter,
    `${percentText(roundedShare(one.share))} ± ${percentText(roundedShare(one.deviation))}${isResolved(one) ? '' : ' (not resolved)'}`,
  ])
  return [
    '',
    ...tableLines([`spread of ${ranked.metric} over the space goes with`, 'share'], rows, {
      columns: tableWidth(io.stdout),
    }),
  ]
}

/** Whole percents: a forest is no more precise. */
const roundedShare = (share: number): number => Math.round(share * 100) / 100

const mostOfFront = 10

function frontLines({ front, objectives, ranked }: BestOfSweep, io: Io): readonly string[] {
  if (front.length === 0 || ranked.tried < 2) return []
  const varied = (params: JsonObject) =>
    Object.fromEntries(Object.entries(params).filter(([name]) => ranked.varying.includes(name)))
  const rows = front
    .slice(0, mostOfFront)
    .map(({ number, values, params }) => [
      String(number),
      ...objectives.map(({ metric }) => amountText(metric)(values[metric] ?? Number.NaN)),
      paramsText(varied(params)),
    ])
  const more = front.length > mostOfFront ? [`and ${front.length - mostOfFront} more: --json has all`] : []
  const head = ['no variant beats', ...objectives.map(({ metric, goal }) => `${goal} ${metric}`), 'with']
  return ['', ...tableLines(head, rows, { columns: tableWidth(io.stdout) }), ...more]
}
