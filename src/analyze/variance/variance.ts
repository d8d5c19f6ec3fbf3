import { type Evidence, levelOf, type Observation } from '../../define/observation.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson, type JsonObject } from '../../util/json.ts'
import { counted, listed, percentText, plainNumber, plural, unitWord } from '../../util/words.ts'
import { labelOf, levelKey, levelsOf, placesOf } from '../arms.ts'
import { type Asked, type Drawing, drawingOf, type Told } from '../choices.ts'
import { type Provenance, provenanceOf } from '../provenance/provenance.ts'
import { describeSummary, type Reading, readValue } from '../reading.ts'
import { clusteredRuns, clusteredValues } from './clustered.ts'
import { type NamedReadings, varianceReadings } from './readings.ts'
import { type RunVariation, variationOf } from './variation.ts'
import { warningsFor } from './warnings.ts'

/** The question: how much do runs of the same variant differ, and are there enough of them? */
export interface VarianceQuestion {
  readonly readings: NamedReadings
  /** As a share: 0.05 is 5%. */
  readonly threshold: number
  /** Of the intervals. */
  readonly level: number
  readonly drawing: Drawing
}

/** How much the runs of one variant differ. Plain data: the output of `--json`. */
export type { RunVariation }

export interface Variance {
  readonly metric: string
  /** null: there is only one. */
  readonly variant: string | null
  readonly threshold: number
  readonly level: number
  /** The runs used, in the order in which they count. */
  readonly runs: readonly string[]
  /** What counts once, as in comparisons: `run`, or the block whose runs are averaged first, such as `task`. */
  readonly unit: string
  /** Null where every run counts for itself. */
  readonly units: readonly string[] | null
  readonly left_out: readonly { readonly run: string; readonly reason: string }[]
  readonly statistics: readonly RunVariation[]
  readonly sentence: string
  readonly warnings: readonly string[]
  /** Why there are no statistics, if there are none. */
  readonly reason: string | null
  readonly seed: number
}

export { varianceReadings }

export interface VarianceAsked
  extends Pick<Asked, 'metric' | 'summary' | 'alpha' | 'seed' | 'resamples' | 'rng' | 'filter'> {
  readonly slopeWindow?: Parameters<typeof varianceReadings>[1]['slopeWindow']
  /** As a share: 0.05 is 5%. */
  readonly threshold?: number | undefined
}

export type VarianceAnswer = Told<Variance | { readonly kind: 'variances'; readonly variances: readonly Variance[] }>

export function varianceAnswer(
  evidence: Evidence,
  asked: VarianceAsked,
): { readonly all: readonly Variance[]; readonly answer: VarianceAnswer } {
  const { threshold = 0.05, alpha = 0.05 } = asked
  const question: VarianceQuestion = {
    readings: varianceReadings(evidence, asked),
    threshold,
    level: 1 - alpha,
    drawing: drawingOf(asked),
  }
  const all = variances(evidence, question)
  if (all.every(({ statistics }) => statistics.length === 0)) throw tooFew(all)
  const provenance = varianceProvenance(evidence, question, all, asked.filter)
  const [only] = all
  const answer =
    only !== undefined && all.length === 1
      ? { ...only, provenance }
      : { kind: 'variances' as const, variances: all, provenance }
  return { all, answer }
}

function tooFew(all: readonly Variance[]): AssayError {
  const reasons = all.flatMap(({ left_out }) => left_out.map(({ run, reason }) => `${run}: ${reason}`))
  const variants = all.length === 1 ? '' : ` in any of ${all.length} variants`
  const hint =
    reasons.length > 0
      ? `left out: ${reasons.slice(0, 5).join('; ')}${reasons.length > 5 ? `; and ${reasons.length - 5} more` : ''}`
      : all.length > 1
        ? 'runs that differ in a factor are no repetitions of each other; give several seeds or replicates of one variant'
        : 'variation shows between runs: run more seeds'
  return new AssayError('usage', `it takes two usable runs to see how they differ, and there are not${variants}`, {
    hint,
  })
}

/** The arms are the variants, each with the runs used. */
function varianceProvenance(
  evidence: Evidence,
  { threshold, level, drawing }: VarianceQuestion,
  found: readonly Variance[],
  filter: readonly string[] | undefined,
): Provenance {
  const labelOf = (at: number): string => found[at]?.variant ?? 'all runs'
  const statistics = found.flatMap(one => one.statistics)
  return provenanceOf(evidence, {
    filter,
    arms: variantsIn(evidence).map(({ runs }, at) => {
      const used = new Set(found[at]?.runs)
      return { label: labelOf(at), runs: runs.filter(run => used.has(run.name)) }
    }),
    excluded: found.flatMap(({ left_out }, at) =>
      left_out.map(({ run, reason }) => ({ arm: labelOf(at), what: run, reason })),
    ),
    settings: {
      metric: found[0]?.metric ?? null,
      summary: [...new Set(statistics.map(({ name, summary }) => summary ?? name))],
      intervals: [...new Set(statistics.flatMap(({ ci }) => ci?.method ?? []))],
      threshold,
      alpha: Number((1 - level).toPrecision(12)),
      seed: drawing.seed,
      rng: drawing.rng,
    },
  })
}

/** One answer for each variant: runs that differ in a factor are not repetitions of each other. */
export function variances(evidence: Evidence, question: VarianceQuestion): readonly Variance[] {
  const isYesNo = question.readings.map(({ reading }) => isYesOrNo(evidence, reading))
  return variantsIn(evidence).map(variant => varianceOf(evidence, variant, question, isYesNo))
}

/** A property of the metric, not of some of its values: those of one variant may all be 1. */
function isYesOrNo({ runs }: Evidence, reading: Reading): boolean {
  if (reading.summary !== null) return false
  const values = new Set(runs.flatMap(run => valueIn(readValue(run, reading))))
  return values.size === 2 && values.has(0) && values.has(1)
}

const valueIn = (read: ReturnType<typeof readValue>): readonly number[] => ('value' in read ? [read.value] : [])

function varianceOf(
  evidence: Evidence,
  variant: VariantRuns,
  question: VarianceQuestion,
  isYesNo: readonly boolean[],
): Variance {
  const { threshold, level, drawing, readings } = question
  const read = variant.runs.map(run => ({ run, ...readAll(run, question) }))
  const usable = read.flatMap(({ run, values }) => (values === null ? [] : [{ run, values }]))
  const metric = readings[0]?.reading.metric ?? ''
  const runs = usable.map(({ run }) => run)
  const clusters = clusteredRuns(evidence, runs)
  const statistics =
    usable.length < 2
      ? []
      : readings.map(({ name, reading }, index) =>
          variationOf(
            { name, summary: reading.summary === null ? null : describeSummary(reading.summary) },
            clusteredValues(
              clusters,
              usable.map(({ values }) => values[index] ?? Number.NaN),
            ),
            { threshold, level, drawing, isYesNo: isYesNo[index] ?? false },
          ),
        )
  const found = {
    metric,
    variant: variant.label,
    threshold,
    level,
    runs: runs.map(run => run.name),
    unit: clusters.unit,
    units: clusters.unit === 'run' ? null : clusters.units,
    left_out: read.flatMap(({ run, problem }) => (problem === null ? [] : [{ run: run.name, reason: problem }])),
    statistics,
    warnings: warningsFor(evidence, runs, metric, clusters),
    reason: usable.length < 2 ? `${usable.length} of ${read.length} runs can be used, and it takes two` : null,
    seed: drawing.seed,
  }
  return { ...found, sentence: sentenceOf(found) }
}

/** Every statistic of a run; a run that lacks any of them is left out of all, so that they cover the same runs. */
function readAll(
  run: Observation,
  { readings }: VarianceQuestion,
): { readonly values: readonly number[] | null; readonly problem: string | null } {
  const values: number[] = []
  for (const { name, reading } of readings) {
    const found = readValue(run, reading)
    const problem =
      'problem' in found ? found.problem : Number.isFinite(found.value) ? null : `its value is ${found.value}`
    if (problem !== null || 'problem' in found)
      return { values: null, problem: readings.length > 1 ? `${name}: ${problem}` : problem }
    values.push(found.value)
  }
  return { values, problem: null }
}

/** The answer in one sentence, about the first statistic. */
function sentenceOf(found: Omit<Variance, 'sentence'>): string {
  const [first] = found.statistics
  const of = found.variant === null ? '' : ` of ${found.variant}`
  if (first === undefined) return `nothing can be said about ${found.metric}${of}: ${found.reason}`
  return `${finding(found, first, of)}${precision(found, first)}`
}

function finding(found: Omit<Variance, 'sentence'>, first: RunVariation, of: string): string {
  const { metric, threshold } = found
  const { name, cv, ci, enough, would_be_enough: wouldBe, reason, mean, share, values } = first
  const what = first.summary === null ? `${metric}${of}` : `${metric}${of} (${name})`
  const n = values.length
  const each = unitsText(found)
  if (share !== null) {
    const ci = `${percentText(share.level)} CI ${percentText(share.low ?? 0)} to ${percentText(share.high ?? 1)}${crossedText(found, first)}`
    return `${what} is yes or no: ${shareText(found, share.yes, mean)} (${ci}), and of that there is no coefficient of variation`
  }
  if (reason === 'zero variance')
    return `all ${n} ${each} give the same ${what}, ${plainNumber(mean)}: there is no variation between them to measure`
  if (cv === null) return `${what} has no coefficient of variation over these ${n} ${each}: ${reason}`
  if (ci?.high === null)
    return `the mean of ${what} may be 0 (${n} ${each}), and then there is no coefficient of variation to bound`
  const under = percentText(threshold)
  const known = `CV ${percentText(cv)}${boundsText(ci)}`
  if (enough !== null)
    return `${what} varies by less than ${under} between ${each}: ${known}, shown by ${enough} of the ${n} ${each}`
  if (ci !== null && ci.low > threshold)
    return `${what} varies by more than ${under} between ${each}, which no number of ${each} will change: ${known}`
  const open = `${n} ${each} do not show that ${what} varies by less than ${under} between ${each}: ${known}`
  return wouldBe === null ? open : `${open}; about ${wouldBe} would, if that is the true CV`
}

/** Units with more runs than others make the share of all runs another number than the mean of the units. */
function shareText({ runs, unit, units }: Omit<Variance, 'sentence'>, yes: number, mean: number): string {
  const ofRuns = percentText(yes / runs.length)
  if (units === null) return `${yes} of ${runs.length} runs say yes, ${ofRuns}`
  const count = counted(units.length, unitWord(unit))
  return ofRuns === percentText(mean)
    ? `${yes} of ${runs.length} runs (${count}) say yes, ${ofRuns}`
    : `${yes} of ${runs.length} runs say yes (${ofRuns}), and the mean of ${count}, each counted once, is ${percentText(mean)}`
}

/** What the interval of the mean allows for besides other units: `, tasks crossed with seeds`. */
function crossedText(found: Pick<Variance, 'unit'>, { crossed_with: blocks }: RunVariation): string {
  return blocks.length === 0 ? '' : `, ${unitsText(found)} crossed with ${listed(blocksText(blocks))}`
}

/** `seed` as `seeds`. */
export const blocksText = (blocks: readonly string[]): readonly string[] => blocks.map(block => plural(unitWord(block)))

/** What is counted: `runs`, or `tasks`. */
export const unitsText = ({ unit }: Pick<Variance, 'unit'>): string => plural(unitWord(unit))

/** The precision of the mean, which the number of units determines. */
function precision(found: Omit<Variance, 'sentence'>, first: RunVariation): string {
  const { precision, ci, values } = first
  const { runs, level, units } = found
  const averaged = units === null ? '' : ` over ${counted(units.length, unitWord(found.unit))} (${runs.length} runs)`
  if (ci?.high === null) return ''
  const share = precision.find(({ n }) => n === values.length)?.relative_half_width ?? null
  return share === null
    ? ''
    : `; the mean${averaged} is known to ± ${percentText(share)} (${percentText(level)} CI${crossedText(found, first)})`
}

export function boundsText(ci: RunVariation['ci']): string {
  if (ci === null) return ''
  const high = ci.high === null ? 'without an upper bound' : `to ${percentText(ci.high)}`
  return ` (${percentText(ci.level)} CI ${percentText(ci.low)} ${high})`
}

interface VariantRuns {
  /** null: there is only one. */
  readonly label: string | null
  readonly runs: readonly Observation[]
}

/** The runs by variant, in the order in which the levels were written: runs themselves come in any order. */
export function variantsIn(evidence: Evidence): readonly VariantRuns[] {
  const varying = evidence.factors.filter(factor => levelsOf(evidence, factor).length > 1)
  const groups = inWrittenOrder(evidence, varying, [...groupsBy(evidence.runs, varying).values()])
  // If each experiment has its own levels, its name adds nothing.
  const others = varying.filter(factor => factor !== 'experiment')
  const shown = groupsBy(evidence.runs, others).size === groups.length ? others : varying
  return groups.map(runs => {
    const [first] = runs
    return { label: first === undefined || groups.length === 1 ? null : labelOf(levels(first, shown)), runs }
  })
}

type Group = readonly Observation[]

/** By the first factor, then by the second, and so on. */
function inWrittenOrder(evidence: Evidence, factors: readonly string[], groups: readonly Group[]): readonly Group[] {
  const written = factors.map(factor => ({ factor, places: placesOf(levelsOf(evidence, factor)) }))
  const placed = groups.map(runs => ({
    runs,
    place: written.map(({ factor, places }) =>
      runs[0] === undefined ? -1 : (places.get(levelKey(levelOf(runs[0], factor))) ?? -1),
    ),
  }))
  return placed.toSorted((a, b) => firstDifference(a.place, b.place)).map(({ runs }) => runs)
}

const firstDifference = (a: readonly number[], b: readonly number[]): number =>
  a.map((place, at) => place - (b[at] ?? 0)).find(difference => difference !== 0) ?? 0

const groupsBy = (runs: readonly Observation[], factors: readonly string[]) =>
  Map.groupBy(runs, run => canonicalJson(levels(run, factors)))

const levels = (run: Observation, factors: readonly string[]): JsonObject =>
  Object.fromEntries(factors.map(name => [name, levelOf(run, name)]))
