import { limitFields, limitTable } from '../../define/limits.ts'
import { exitCodeOf, type Summary } from '../../define/outcome.ts'
import { isReached, type Passes } from '../../engine/call.ts'
import { dollars, longFlag, percentText } from '../../util/words.ts'
import { type Failure, type FailureGroup, failureGroups, lastSaid } from './failure-groups.ts'
import { shortDuration } from './number.ts'
import { outcomeFact } from './outcome-text.ts'
import type { Style } from './style.ts'

export interface SummaryFacts {
  readonly name: string
  readonly summary: Summary
  /** The state of the whole experiment, if the call selected a part of it. */
  readonly whole?: Summary | null
  /** A limit, a halt rule, Ctrl-C, …; null if it ran to its end. */
  readonly stoppedBy: string | null
  /** All failed runs, including those of earlier calls. */
  readonly failures: readonly Failure[]
  /** The limits that cut runs, if any did. */
  readonly cutBy?: readonly string[]
  /** The conclusion from the results, and the commands that show more. */
  readonly verdict?: readonly string[]
  /** The command that shows a run's output. */
  readonly logsCommand?: (run: string) => string
  /** The command that reruns them; see retryCommand. */
  readonly retryCommand: string
  /** How to continue after a stop, if not with the same command. */
  readonly goOn?: string | undefined
  /** How many runs passed; null: none reports it. */
  readonly passes?: Passes | null
  /** The same for branches and for runs from the beginning, if there are both. */
  readonly passesByKind?: string | null
}

/** How many lines of failures are shown; the others are counted. */
const shownGroups = 50

/**
 * The final output of `run`, for a person: ends with the verdict, or, if something failed, with the command that
 * retries it.
 */
export function summaryLines(facts: SummaryFacts, style: Style): string[] {
  const { summary, stoppedBy, verdict = [] } = facts
  const lines = [
    `${style.bold(facts.name)}, ${statesText(summary)}`,
    ...wholeLines(facts, style),
    ...passLines(facts, style),
    ...(stoppedBy === null ? [] : [stoppedText(facts, stoppedBy, style)]),
    ...(summary.cost_limited === 0 ? [] : [style.yellow(howToRaise(facts.cutBy ?? []))]),
    `${timeText(summary)}${costText(summary)}`,
    `everything is in ${summary.dir}`,
    ...(verdict.length === 0 ? [] : ['', ...verdict]),
  ]
  return facts.failures.length === 0 ? lines : [...lines, '', ...failureLines(facts, style)]
}

function passLines({ passes = null, passesByKind = null }: SummaryFacts, style: Style): string[] {
  if (passes === null) return []
  const { passed, judged, required } = passes
  if (judged === 0) return [style.red(`required: pass=${percentText(required ?? 0)}; no run says whether it passed`)]
  const said = `passed: ${passed} of ${judged} (${percentText(passed / judged)})${passesByKind === null ? '' : `: ${passesByKind}`}`
  if (required === null) return [passed === judged ? said : style.yellow(said)]
  const text = `${said}, required ${percentText(required)}: ${isReached(passes) ? 'reached' : 'not reached'}`
  return [isReached(passes) ? text : style.red(text)]
}

/** Analysis covers the experiment, not the part that this call selected. */
function wholeLines({ summary, whole = null }: SummaryFacts, style: Style): string[] {
  if (whole === null) return []
  const left = leftOf(whole)
  const selected = `this call selected ${summary.planned} of the experiment's ${whole.planned} runs`
  if (left === 0) return [`${selected}, all of which have ended`]
  return [style.yellow(`${selected}; the experiment is partial: ${whole.planned - left} of them have ended`)]
}

/** If nothing is left, there is nothing to continue. */
function stoppedText({ summary, goOn }: SummaryFacts, reason: string, style: Style): string {
  const why = (how: string) => (reason.startsWith('stopped ') ? reason : `${how}: ${reason}`)
  if (exitCodeOf(summary, false) === 0) return `${why('ended')}.`
  // A dialect's own message includes the remedy.
  if (/^(Budget limit reached|API rate limit)/.test(reason)) return style.yellow(why('stopped'))
  return style.yellow(`${why('stopped')}. ${goOn ?? howToGoOn(reason)}`)
}

/** Which option to raise to rerun the runs that a limit cut. */
function howToRaise(limits: readonly string[]): string {
  const options = [...new Set(limits.length === 0 ? ['run_budget_usd'] : limits)].map(limit => raising[limit] ?? limit)
  return `Raise ${options.join(' or ')} to rerun what the limit cut.`
}

const raising: { readonly [limit: string]: string } = Object.fromEntries(
  limitFields.flatMap(field => {
    const { cutsRuns, option } = limitTable[field]
    return cutsRuns && option !== null ? [[field, longFlag(option.name)]] : []
  }),
)

const howToGoOn = (stoppedBy: string): string =>
  stoppedBy.includes('budget')
    ? 'To continue, run the same command with a higher --budget.'
    : 'To continue, run the same command again.'

/** `cutOff`: how many of the runs that the journal lists as running have no process. */
export function statesText(summary: Summary, cutOff = 0): string {
  const states: readonly (readonly [number, string])[] = [
    [summary.completed, summary.reused > 0 ? `completed (${summary.reused} reused)` : 'completed'],
    [summary.failed, 'failed'],
    [summary.timed_out, 'timed out'],
    [summary.quarantined, 'quarantined'],
    [summary.infra_error, 'with infrastructure errors'],
    [summary.cost_limited, 'cut by a limit'],
    [summary.rate_limited, 'cut by rate limits'],
    [summary.stopped_early, 'stopped early'],
    [summary.cancelled, 'cancelled'],
    [summary.stale, 'stale'],
    [summary.running - cutOff, 'running elsewhere'],
    [cutOff, 'cut off'],
    [summary.pending, 'pending'],
  ]
  const shown = states.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return `${summary.planned} ${summary.planned === 1 ? 'run' : 'runs'}: ${shown.length === 0 ? 'nothing to do' : shown.join(', ')}`
}

/** Runs that have not ended: never begun, running, interrupted from outside, or made with an earlier definition. */
export const leftOf = ({ pending, running, stale, cancelled, rate_limited }: Summary): number =>
  pending + running + stale + cancelled + rate_limited

/** Attempts are those of all calls; the time is that of this one. */
function timeText({ attempts, wall_s }: Summary): string {
  return `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} so far, ${shortDuration(wall_s * 1000)} this time`
}

function costText({ cost_usd, overrun_usd }: Summary): string {
  const overrun = overrun_usd > 0 ? ` (${dollars(overrun_usd)} above its caps)` : ''
  return cost_usd > 0 || overrun_usd > 0 ? `, ${dollars(cost_usd)}${overrun}` : ''
}

function failureLines({ failures, retryCommand, logsCommand }: SummaryFacts, style: Style): string[] {
  const groups = failureGroups(failures)
  const shown = groups.slice(0, shownGroups)
  const more = failures.length - shown.reduce((sum, { runs }) => sum + runs.length, 0)
  const [example = ''] = shown[0]?.runs ?? []
  return [
    style.red(`failures=${failures.length}`),
    ...shown.map(failureLine),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
    ...(logsCommand === undefined ? [] : ['Output of one of them:', logsCommand(example), '']),
    'To run them again:',
    retryCommand,
  ]
}

/** The line of a single run begins as in Cascade's sweep runner, so that scripts can read both. */
function failureLine({ first: { run, outcome, stderrTail = '' }, runs }: FailureGroup): string {
  const said = lastSaid(outcome, stderrTail)
  const text = `${outcomeFact(outcome)}${said && `  ${said}`}`
  return runs.length === 1 ? `- ${run}: ${text}` : `- ${runs.length} runs: ${text}  (e.g. ${run})`
}
