import type { EngineEvent, Listener } from '../../../engine/call.ts'
import { type Io, writeLines } from '../../io.ts'
import { shortDuration, significant } from '../number.ts'
import { lastWords, outcomeFact } from '../outcome-text.ts'
import { oneLine } from '../text-width.ts'
import { drainingTexts } from './draining-text.ts'
import type { Verbosity } from './listener.ts'

/** Lines for logs and pipes: one per finished run, spelt as in Cascade's sweep runner. Failures go to stderr. */
export function plainView(io: Pick<Io, 'stdout' | 'stderr'>, verbosity: Verbosity): Listener {
  let progress: PlainProgress = { finished: 0, toRun: null }
  return event => {
    const { lines, next } = plainLines(progress, event)
    progress = next
    const wanted = lines.filter(line => line.from <= verbosity)
    writeLines(io.stdout, texts(wanted, 'stdout'))
    writeLines(io.stderr, texts(wanted, 'stderr'))
  }
}

export interface PlainProgress {
  readonly finished: number
  readonly toRun: number | null
}

export interface PlainLine {
  readonly to: 'stdout' | 'stderr'
  /** The lowest verbosity at which it is shown. */
  readonly from: Verbosity
  readonly text: string
}

export function plainLines(before: PlainProgress, event: EngineEvent): { lines: PlainLine[]; next: PlainProgress } {
  switch (event.kind) {
    case 'started': {
      const toRun = event.planned === null ? null : event.to_run
      const most = event.at_most === undefined ? '' : ` at_most=${event.at_most}`
      const counts = `planned_runs=${event.planned ?? '?'}${most} to_run=${toRun ?? '?'} skipped=${event.planned === null ? event.reused : event.planned - event.to_run} jobs=${event.jobs}`
      return { lines: [out(1, `experiment: ${event.dir}`), out(1, counts)], next: { finished: 0, toRun } }
    }
    case 'attempt_started':
      return {
        lines: [out(2, `[RUN]  ${event.run}${event.attempt > 1 ? ` attempt ${event.attempt}` : ''}`)],
        next: before,
      }
    case 'attempt_ended':
      return attemptEnded(before, event)
    case 'notice':
      return {
        lines: [event.level === 'warning' ? err(0, `[WARN] ${event.message}`) : out(3, `[NOTE] ${event.message}`)],
        next: before,
      }
    case 'draining':
      return { lines: [err(1, `[STOP] ${drainingTexts(event).join('; ')}`)], next: before }
    case 'progress':
    case 'summary':
      return { lines: [], next: before }
  }
}

type Ended = Extract<EngineEvent, { kind: 'attempt_ended' }>

function attemptEnded(before: PlainProgress, event: Ended): { lines: PlainLine[]; next: PlainProgress } {
  // Only a worker's runs are run again: the other workers, or the next one, take them.
  if (event.retry_in_ms !== null && event.outcome.kind === 'cancelled')
    return { lines: [err(1, `[STOP] ${event.run} cancelled: given back, for other workers or the next`)], next: before }
  if (event.retry_in_ms !== null) {
    const text = `[RETRY] ${event.run} ${outcomeFact(event.outcome)}, again in ${shortDuration(event.retry_in_ms)}`
    return { lines: [err(1, text)], next: before }
  }
  const finished = before.finished + 1
  // Runs of a dead process come on top of those that were to be run.
  const next = { finished, toRun: before.toRun === null ? null : Math.max(before.toRun, finished) }
  const count = next.toRun === null ? `(${next.finished})` : `(${next.finished}/${next.toRun})`
  const lines = [endLine(event, count), ...event.metrics.map(reading => out(3, `       ${metricText(reading)}`))]
  return { lines, next }
}

function endLine(event: Ended, count: string): PlainLine {
  const { kind, message } = event.outcome
  if (kind === 'completed') return out(1, `[OK]   ${event.run} ${count}`)
  if (kind === 'cancelled') return out(1, `[STOP] ${event.run} ${kind} ${count}`)
  if (kind === 'stopped_early') return out(1, `[STOP] ${event.run} ${kind} ${count} ${oneLine(message ?? '')}`)
  // Up to the count it is the line of Cascade's sweep runner; the reason follows: the program's last line, or our
  // description.
  const lastOutput = lastWords(event.outcome, event.stderr_tail)
  const quarantined = event.quarantined ? ' quarantined' : ''
  return err(
    0,
    `[FAIL] ${event.run} ${outcomeFact(event.outcome)}${quarantined} ${count}${lastOutput && ` ${lastOutput}`}`,
  )
}

const metricText = (reading: Ended['metrics'][number]): string =>
  'value' in reading ? `${reading.metric}=${significant(reading.value, 6)}` : `${reading.metric}: ${reading.problem}`

const out = (from: Verbosity, text: string): PlainLine => ({ to: 'stdout', from, text })
const err = (from: Verbosity, text: string): PlainLine => ({ to: 'stderr', from, text })

const texts = (lines: readonly PlainLine[], to: PlainLine['to']): string[] =>
  lines.filter(line => line.to === to).map(line => line.text)
