import type { Observation } from '../../../define/observation.ts'
import { namedFailure } from '../../../define/outcome.ts'
import { wordsFor } from '../../reading.ts'
import type { Batch } from '../batch.ts'
import type { Judgement } from '../success.ts'

/** One way in which runs did not succeed. */
export interface FailureMode {
  /** `failed: KeyError`, `failed: RangeError: context is full`, `timed out`, `completed, but not score >= 0.8`. */
  readonly mode: string
  readonly outcome: string
  readonly error_class: string | null
  readonly counts_as: Exclude<Judgement, 'success'>
  readonly count: number
  readonly share_of_runs: number
  readonly example_runs: readonly string[]
  /** The message of its first run. */
  readonly message: string | null
  /** The last output line of the first example that kept any. */
  readonly last_line: string | null
  readonly by_variation: readonly { readonly variation_id: number; readonly count: number; readonly of: number }[]
  /** The scenario turn in which runs ended, the earliest first; only for runs that were cut off during a turn. */
  readonly by_turn?: readonly { readonly turn: number; readonly count: number }[]
}

/** A mode with its runs. */
export interface FailedRuns {
  readonly mode: FailureMode
  readonly runs: readonly Observation[]
}

const examples = 3

/** The runs without success, by mode, the most frequent first. */
export function failureModes(batch: Batch): readonly FailedRuns[] {
  const { evidence, judgements } = batch
  const groups = Map.groupBy(
    evidence.runs.filter(run => judgements.get(run) !== 'success'),
    run => modeOf(run, judgements.get(run) ?? 'unknown', batch),
  )
  return [...groups]
    .map(([mode, runs]) => ({ mode: described(batch, mode, runs), runs }))
    .sort((a, b) => b.runs.length - a.runs.length || (a.mode.mode < b.mode.mode ? -1 : 1))
}

function modeOf(run: Observation, judgement: Judgement, { rule: { text }, lastLineOf }: Batch): string {
  const { outcome } = run
  if (outcome.kind !== 'completed') {
    // Journals of earlier versions have the program's message only in its files.
    const isInFile = outcome.said === undefined && outcome.error_class?.startsWith('exit_')
    return namedFailure(outcome, (isInFile ? lastLineOf(run) : null) ?? '')
  }
  if (judgement === 'unknown') return `completed without what "${text}" needs`
  const metric = /^(\S+) is 1$/.exec(text)?.[1]
  return metric === undefined ? `completed, but not ${text}` : `completed, but ${metric} is 0`
}

function described(batch: Batch, mode: string, runs: readonly Observation[]): FailureMode {
  const { evidence, judgements, variants, lastLineOf } = batch
  const [first] = runs
  const shown = runs.slice(0, examples)
  const its = new Set(runs)
  const turns = [
    ...Map.groupBy(
      runs.map(turnOfEnd).filter(turn => turn !== null),
      turn => turn,
    ),
  ]
  return {
    mode,
    outcome: first?.outcome.kind ?? 'failed',
    error_class: first?.outcome.error_class ?? null,
    counts_as: countsAs(first === undefined ? undefined : judgements.get(first)),
    count: runs.length,
    share_of_runs: runs.length / evidence.runs.length,
    example_runs: shown.map(({ name }) => name),
    message: runs.find(run => run.outcome.message !== undefined)?.outcome.message ?? missingMetric(batch, first),
    last_line: shown.map(run => run.outcome.said ?? lastLineOf(run)).find(line => line !== null && line !== '') ?? null,
    by_variation: variants.flatMap(({ id, runs: own }) => {
      const count = own.filter(run => its.has(run)).length
      return count === 0 ? [] : [{ variation_id: id, count, of: own.length }]
    }),
    ...(turns.length > 0 && {
      by_turn: turns.map(([turn, ended]) => ({ turn, count: ended.length })).sort((a, b) => a.turn - b.turn),
    }),
  }
}

/**
 * A check ends a run after its turn, any other cause in the middle of one; null: not a scenario, or it reached its end.
 */
function turnOfEnd({ params, outcome, metrics: { turns } }: Observation): number | null {
  if (typeof params.scenario !== 'string' || outcome.kind === 'completed' || turns === undefined) return null
  return outcome.error_class === 'halted_by_check' ? turns : turns + 1
}

/** Why a run could not be judged, in the run's own words. */
function missingMetric({ rule, judgements }: Batch, run: Observation | undefined): string | null {
  if (run === undefined || judgements.get(run) !== 'unknown') return null
  const missing = [...rule.metrics].filter(metric => run.metrics[metric] === undefined)
  const reasons = missing.map(metric => run.problems[metric] ?? `${metric}: ${wordsFor('no_data')}`)
  return reasons.length === 0 ? null : reasons.join('; ')
}

const countsAs = (judgement: Judgement | undefined): FailureMode['counts_as'] =>
  judgement === 'failure' || judgement === 'censored' ? judgement : 'unknown'
