import { counted, effectText, type PowerPage as Page, powerText } from '../../../analyze/power/power-page.ts'
import { amountText, percentText } from '../../../util/words.ts'
import type { Style } from '../../views/style.ts'
import { tableLines } from '../../views/table.ts'

export type PowerPage = Pick<Page, 'sentence' | 'answer' | 'metric' | 'plans' | 'warnings'>

/** The sentence first; then a small table, and its assumptions. */
export function powerLines(page: PowerPage, columns: number, style: Style): readonly string[] {
  const { sentence, answer, plans, warnings } = page
  const table = plans.length > 0 ? planTable(page, columns) : curveTable(page, columns)
  return [
    style.bold(sentence),
    ...(table.length > 0 ? ['', ...table] : []),
    '',
    ...answer.assumptions.map(assumption => `assumed: ${assumption}`),
    ...answer.notes.map(note => `note: ${note}`),
    ...warnings.map(warning => style.yellow(`warning: ${warning}`)),
  ]
}

function curveTable({ answer, metric }: PowerPage, columns: number): readonly string[] {
  const text = effectText(answer, metric)
  const hasPower = answer.curve.some(({ power }) => power !== null)
  // With a pilot, only the answer is simulated backwards.
  const hasFound = answer.data !== 'pilot'
  const rows = answer.curve.map(({ n, power, detectable, half_width }) => [
    counted(n),
    ...(hasPower ? [power === null ? '–' : powerText(power)] : []),
    ...(hasFound ? [detectable === null ? '–' : text(detectable)] : []),
    half_width === null ? '–' : `± ${text(half_width)}`,
  ])
  const found = `finds with ${percentText(answer.target_power)}`
  return tableLines(
    [
      answer.units,
      ...(hasPower ? ['power'] : []),
      ...(hasFound ? [found] : []),
      `${percentText(1 - answer.alpha)} interval`,
    ],
    rows,
    {
      columns,
    },
  )
}

function planTable({ answer, metric, plans }: PowerPage, columns: number): readonly string[] {
  const text = effectText(answer, metric)
  const rows = plans.map(({ tasks, rollouts, runs, cost_usd, detectable }) => [
    String(rollouts),
    counted(tasks),
    counted(runs),
    amountText('usd')(cost_usd),
    detectable === null ? '–' : text(detectable),
  ])
  return tableLines(['rollouts', 'tasks', 'runs', 'cost', 'finds'], rows, { columns })
}
