import { AssayError } from '../../util/errors.ts'
import { longFlag } from '../../util/words.ts'
import type { CompareAsked } from '../compare/compare.ts'
import type { Wish } from './answer.ts'
import { meansModel } from './means.ts'
import type { Aim, PowerModel } from './model.ts'
import { pairedAnswersModel } from './paired-answers.ts'
import { proportionsModel } from './proportions.ts'

/** The options of a question about numbers of runs; as fractions and in the metric's own unit. */
export interface PowerAsked
  extends Pick<
      CompareAsked,
      'metric' | 'goal' | 'summary' | 'control' | 'candidate' | 'unpaired' | 'missing' | 'method'
    >,
    Pick<CompareAsked, 'alpha' | 'side' | 'seed' | 'resamples' | 'filter'> {
  /** The difference to be found. */
  readonly effect?: number | undefined
  readonly runs?: number | undefined
  readonly power?: number | undefined
  /** Of an interval. */
  readonly halfWidth?: number | undefined
  /** Also the power with these numbers. */
  readonly sizes?: readonly number[] | undefined
  /**
   * Known values in place of a pilot: the standard deviation, or the control's share of successes, or of discordant
   * tasks.
   */
  readonly sd?: number | undefined
  readonly baseRate?: number | undefined
  readonly discordant?: number | undefined
  /** Runs of the candidate for each of the control. */
  readonly ratio?: number | undefined
  /** How tasks and rollouts of a task vary, and what they cost. */
  readonly taskSd?: number | undefined
  readonly rolloutSd?: number | undefined
  readonly rollouts?: number | undefined
  readonly taskCost?: number | undefined
  readonly rolloutCost?: number | undefined
  readonly budget?: number | undefined
  readonly trials?: number | undefined
}

export function aimOf({ alpha = 0.05, power = 0.8, side = 'two-sided' }: PowerAsked): Aim {
  if (alpha >= 0.5) throw new AssayError('usage', `--alpha: expected below 0.5, got ${alpha}`)
  if (power <= alpha) throw new AssayError('usage', `--power: expected above alpha (${alpha}), got ${power}`)
  return { alpha, power, alternative: side }
}

/** The question, and whether it is a single one. */
export function wishOf(options: PowerAsked, pilotRuns: number | null): Wish {
  const { effect, runs, halfWidth, sizes } = options
  if (halfWidth !== undefined) refuse(options, '--half-width', ['effect', 'runs', 'power'])
  if (halfWidth === undefined && effect === undefined && runs === undefined && pilotRuns === null)
    throw new AssayError('usage', 'nothing to compute: give the difference to detect, or a number of runs', {
      hint: '--effect 0.5: how many runs detect it; --runs 20: what they can detect; both: with what power; --half-width 0.1: how many runs make the interval that narrow',
    })
  if (runs !== undefined && runs < 2) throw new AssayError('usage', `--runs: expected 2 or more, got ${runs}`)
  requireSide(effect, options)
  return {
    effect,
    halfWidth,
    sizes,
    runs: runs ?? (effect === undefined && pilotRuns !== null ? pilotRuns : undefined),
  }
}

/** A test in the other direction never finds it. */
function requireSide(effect: number | undefined, { side }: PowerAsked): void {
  if (effect === undefined || side === undefined || side === 'two-sided') return
  if (effect > 0 !== (side === 'greater'))
    throw new AssayError('usage', `--side ${side} never finds a difference of ${effect}`, {
      hint: `the difference is candidate minus control: --side ${effect > 0 ? 'greater' : 'less'} looks for it`,
    })
}

/** The model that options alone describe. */
export function modelOf(options: PowerAsked, aim: Aim): PowerModel {
  const { sd, baseRate, discordant, unpaired = false, ratio } = options
  if (ratio !== undefined && !unpaired && baseRate === undefined)
    throw new AssayError('usage', '--ratio is for two groups: add --unpaired')
  if (discordant !== undefined) {
    refuse(options, '--discordant', ['sd', 'baseRate', 'unpaired', 'ratio'])
    requireRoom('--discordant', discordant, options)
    return pairedAnswersModel({ discordant }, aim)
  }
  if (baseRate !== undefined) {
    refuse(options, '--base-rate', ['sd'])
    requireRates(baseRate, options)
    return proportionsModel({ baseRate, ratio: ratio ?? 1 }, aim)
  }
  return meansModel({ isPaired: !unpaired, sd: sd ?? null, ratio: ratio ?? 1 }, aim)
}

function requireRoom(flag: string, most: number, { effect }: PowerAsked): void {
  if (effect !== undefined && Math.abs(effect) > most)
    throw new AssayError(
      'usage',
      `--effect: a difference of ${effect} needs at least so many discordant tasks, got ${flag} ${most}`,
    )
}

function requireRates(baseRate: number, { effect }: PowerAsked): void {
  if (effect !== undefined && (baseRate + effect < 0 || baseRate + effect > 1))
    throw new AssayError(
      'usage',
      `--effect: from ${baseRate} by ${effect} leads to ${Number((baseRate + effect).toPrecision(6))}, which is no share`,
      {
        hint: 'shares are between 0 and 1; 5pts is 0.05',
      },
    )
}

/** Refuses options that contradict this one. */
export function refuse(options: PowerAsked, flag: string, others: readonly (keyof PowerAsked)[]): void {
  for (const other of others)
    if (options[other] !== undefined) throw new AssayError('usage', `${flag} and ${longFlag(other)} do not go together`)
}
