import { timeLeft } from '../../../engine/status/experiment-status.ts'
import { counted, dollars } from '../../../util/words.ts'
import { forecastText } from '../forecast-text.ts'
import { percent, shortDuration } from '../number.ts'
import { runLine, runLines } from '../run-lines.ts'
import type { Style } from '../style.ts'
import { fitText, oneLine } from '../text-width.ts'
import { drainingTexts } from './draining-text.ts'
import type { LiveState } from './live-state.ts'

export interface LiveOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly columns: number
  readonly style: Style
  readonly budgetUsd: number | null
}

const shownRunning = 4
const shownFailures = 3

/** The live view as lines: title, bar, counts, running runs, failures and why, notices. */
export function renderLive(state: LiveState, options: LiveOptions): string[] {
  const { style, columns } = options
  if (state.name === '') return []
  const cut = (text: string) => fitText(text, columns)
  return [
    titleLine(state, options),
    barLine(state, options),
    cut(countsLine(state, options)),
    ...runningLines(state, options),
    ...failureLines(state, options),
    ...state.stops.flatMap(({ run, reason: text }) => runLines({ mark: '■', run, text }, columns).map(style.dim)),
    ...state.notices.map(notice => style.yellow(cut(`! ${oneLine(notice)}`))),
    ...(state.draining === null ? [] : drainingTexts(state.draining).map(text => style.yellow(cut(text)))),
  ]
}

/** Similar failures share one line: the count takes the place of the run's name. */
function failureLines({ failures }: LiveState, { columns, style }: LiveOptions): string[] {
  const shown = failures
    .slice(-shownFailures)
    .flatMap(({ run, reason: text, count }) =>
      runLines({ mark: '✗', run: count === 1 ? run : `${count} runs, last ${run}`, text }, columns),
    )
  const more = failures.length - shownFailures
  return [...shown, ...(more > 0 ? [fitText(`  and ${counted(more, 'other kind')} of failure`, columns)] : [])].map(
    style.red,
  )
}

function titleLine({ name, dir }: LiveState, { columns, style }: LiveOptions): string {
  const title = fitText(name, columns)
  return `${style.bold(title)}${style.dim(fitText(`  ${dir}`, columns - title.length))}`
}

function barLine(state: LiveState, { now, columns, style }: LiveOptions): string {
  const done = state.completed + state.failed + state.cut
  if (state.planned === null) return fitText(`${done} runs`, columns)
  const share = state.planned === 0 ? 1 : Math.min(1, done / state.planned)
  const left = timeLeftMs(state, now)
  const eta = left === null ? '' : `  ETA ${shortDuration(left)}`
  const text = `  ${done}/${state.planned}  ${percent(share)}${eta}`
  const width = Math.max(0, Math.min(40, columns - text.length))
  const filled = Math.floor(width * share)
  return `${style.green('━'.repeat(filled))}${style.dim('─'.repeat(width - filled))}${fitText(text, columns)}`
}

function timeLeftMs(state: LiveState, now: number): number | null {
  if (state.planned === null || state.ended.count === 0) return null
  const typicalMs = state.ended.wallMs / state.ended.count
  const waiting = state.planned - state.completed - state.failed - state.cut - state.runningAll
  return timeLeft({ typicalMs, waiting, running: [...state.running.values()], lanes: state.jobs }, now)
}

function countsLine(state: LiveState, { budgetUsd }: LiveOptions): string {
  const counts: readonly (readonly [number, string])[] = [
    [state.completed, 'done'],
    [state.runningAll, 'running'],
    [state.failed, 'failed'],
    [state.retrying.size, 'retrying'],
    [state.cut, 'cut'],
    [state.reused, 'reused'],
  ]
  const shown = counts.filter(([count, word]) => count > 0 || word === 'done' || word === 'running')
  const spend =
    budgetUsd === null
      ? state.costUsd > 0
        ? [dollars(state.costUsd)]
        : []
      : [`${dollars(state.costUsd)} of ${dollars(budgetUsd)}`]
  const forecast = state.forecast === null ? [] : [forecastText(state.forecast, budgetUsd)]
  return [...shown.map(([count, word]) => `${count} ${word}`), ...spend, ...forecast].join(' · ')
}

function runningLines({ running }: LiveState, { now, columns, style }: LiveOptions): string[] {
  const oldestFirst = [...running].sort(([, a], [, b]) => a - b)
  const lines = oldestFirst
    .slice(0, shownRunning)
    .map(([run, started]) => runLine({ mark: '▸', run, text: shortDuration(Math.max(0, now - started)) }, columns))
  const more = oldestFirst.length - lines.length
  return more > 0 ? [...lines, style.dim(fitText(`  and ${more} more`, columns))] : lines
}
