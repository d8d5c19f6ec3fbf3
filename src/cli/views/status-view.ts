import { limitTexts } from '../../define/limits.ts'
import type { ExperimentStatus } from '../../engine/status/experiment-status.ts'
import { dollars, shellQuote } from '../../util/words.ts'
import { failureGroups } from './failure-groups.ts'
import { forecastText } from './forecast-text.ts'
import { shortDuration } from './number.ts'
import { outcomeReason } from './outcome-text.ts'
import { rateLine } from './rate-lines.ts'
import { runLine, runLines } from './run-lines.ts'
import type { Style } from './style.ts'
import { leftOf, statesText } from './summary-view.ts'
import { fitText } from './text-width.ts'

/** Recent events of the experiment: calls, changed limits, stops and their reasons. */
export function logLines({ log }: ExperimentStatus): string[] {
  const when = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  return log.map(
    ({ at, kind, data }) =>
      `  ${when(at)} UTC  ${kind}  ${kind === 'set' ? limitTexts(data).join(' ') : JSON.stringify(data)}`,
  )
}

/** The state of an experiment, for a person. */
export function statusLines(status: ExperimentStatus, style: Style, columns: number, now: number): string[] {
  const { summary, labels } = status
  const cut = (text: string) => fitText(text, columns)
  return [
    `${style.bold(status.name)}: ${statesText({ ...summary, reused: 0 }, status.running.filter(isCutOff).length)}`,
    `  in ${summary.dir}`,
    ...trialLines(status),
    ...partialLines(status),
    ...outsideLines(status),
    ...costLines(status),
    ...status.rates.map(rate => `  ${rateLine(rate)}`),
    ...limitLines(status),
    ...(labels.tags.length > 0 ? [`  tags: ${labels.tags.join(', ')}`] : []),
    ...labels.notes.map(note => cut(`  note: ${note}`)),
    `  ${activityText(status)}`,
    ...status.running.map(({ run, started_at, is_cut_off }) =>
      is_cut_off
        ? runLine(
            { mark: '  ·', run, text: 'interrupted: its process is gone, and the next run continues it' },
            columns,
          )
        : runLine({ mark: '  ▸', run, text: shortDuration(Math.max(0, now - started_at)) }, columns),
    ),
    ...failureLines(status, columns).map(style.red),
  ]
}

/** Similar failures share one line; only the newest failures are known here. */
const failureLines = ({ failures }: ExperimentStatus, columns: number): string[] =>
  failureGroups(failures).flatMap(({ first: { run, outcome, stderrTail }, runs }) => {
    const name = runs.length === 1 ? run : `${runs.length} of the last ${failures.length}, e.g. ${run}`
    return runLines({ mark: '  ✗', run: name, text: outcomeReason(outcome, stderrTail) }, columns)
  })

const isCutOff = ({ is_cut_off }: ExperimentStatus['running'][number]): boolean => is_cut_off

function limitLines({ limitsSet }: ExperimentStatus): string[] {
  const texts = limitTexts(limitsSet)
  return texts.length === 0 ? [] : [`  limits set: ${texts.map(shellQuote).join(' ')}`]
}

function costLines({ summary, forecast, budgetUsd }: ExperimentStatus): string[] {
  if (summary.cost_usd === 0) return []
  const rest = forecast === null ? '' : `, ${forecastText(forecast, budgetUsd)}`
  return [`  ${dollars(summary.cost_usd)} spent${rest}`]
}

/** What is missing, and whether the last call was to execute it. */
function partialLines({ summary, selected }: ExperimentStatus): string[] {
  const left = leftOf(summary)
  const asked = selected === null ? '' : `; the last call selected ${selected.planned} of them`
  return left === 0 ? [] : [`  partial: ${summary.planned - left} of ${summary.planned} runs have ended${asked}`]
}

/** If a search counts variants: their numbers; runs are counted above. */
function trialLines({ trials }: ExperimentStatus): string[] {
  if (trials === null) return []
  const parts = [
    `${trials.finished} finished`,
    ...(trials.stopped_early > 0 ? [`${trials.stopped_early} stopped early`] : []),
    ...(trials.open > 0 ? [`${trials.open} begun`] : []),
    ...(trials.pending > 0 ? [`${trials.pending} not begun`] : []),
  ]
  return [`  trials (variants over all blocks): ${parts.join(', ')}`]
}

function outsideLines({ outside }: ExperimentStatus): string[] {
  if (outside.runs === 0) return []
  const failed = outside.failed > 0 ? `, ${outside.failed} of them failed` : ''
  return [
    `  also in the journal: ${outside.runs} finished ${outside.runs === 1 ? 'run' : 'runs'} that ${outside.runs === 1 ? 'is' : 'are'} no longer in the definition${failed}`,
  ]
}

function activityText({ workers, control }: ExperimentStatus): string {
  const asked = { go: '', pause: ' (paused)', stop: ' (asked to stop)', stop_now: ' (asked to stop now)' }[control]
  if (workers.length === 0) return `no process is running it${control === 'pause' ? asked : ''}`
  return `at work: ${workers.map(({ kind, host, pid, slots }) => `${kind} on ${host}, process ${pid}, ${slots} at a time`).join('; ')}${asked}`
}
