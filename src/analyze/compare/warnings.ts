import { type Evidence, partialText, plannedRuns, priceOf, runsNotMade } from '../../define/observation.ts'
import { valueOrNull } from '../../stats/estimate.ts'
import { canonicalJson } from '../../util/json.ts'
import { counted, levelText, listed, plainNumber, plural, shortCommit, unitWord, writingOf } from '../../util/words.ts'
import { type Arm, levelKey, levelsIn, paramsIn } from '../arms.ts'
import type { Missing } from '../choices.ts'
import { jointGroups, jointName } from '../joint-factors.ts'
import { rangesOf, searchWarnings } from '../ranges.ts'
import { metricNames, type Reading } from '../reading.ts'
import type { ArmSamples } from '../samples.ts'
import { type Statistic, statisticText } from '../statistic.ts'
import type { DroppedRun } from '../units/cells.ts'
import { branchWarnings } from './branches.ts'
import { differenceOf } from './infer/infer.ts'

interface Compared {
  readonly evidence: Evidence
  readonly control: Arm
  readonly candidate: Arm
  readonly reading: Reading
  readonly samples: ArmSamples
  readonly missing: Missing
  readonly statistic: Statistic
  readonly alpha: number
}

/** Questions that a careful reader would ask. */
export function warningsFor(compared: Compared): readonly string[] {
  return [
    ...(compared.evidence.notes ?? []),
    ...otherDifferences(compared),
    ...searchWarnings(compared.evidence, Object.keys(compared.control.levels)),
    ...unlikePairs(compared),
    ...branchWarnings(compared.control.runs, compared.candidate.runs, compared.samples.pairedBy),
    ...codeDifferences(compared),
    ...definitionDifferences(compared),
    ...capacityDifferences(compared),
    ...averagedOver(compared),
    ...oneOfItsKind(compared),
    ...notMade(compared),
    ...withoutRuns(compared),
    ...noPrimary(compared),
    ...withoutValue(compared),
    ...withoutPartner(compared),
    ...withTooFewRuns(compared),
    ...whatIsHidden(compared),
    ...isolationDifferences(compared),
    ...pricesForCosts(compared),
    ...goalUnknown(compared),
  ]
}

/** The arms differ in something besides the compared factor, which may cause the difference. */
function otherDifferences({ evidence, control, candidate, samples }: Compared): readonly string[] {
  const known = new Set([...Object.keys(control.levels), ...Object.keys(candidate.levels), ...(samples.pairedBy ?? [])])
  const names = new Set([...paramsIn(evidence.runs), ...evidence.factors])
  return [...names]
    .filter(name => !known.has(name) && name !== 'experiment' && !rangesOf(evidence).includes(name))
    .flatMap(name => {
      const ours = texts(control, name)
      const theirs = texts(candidate, name)
      if (canonicalJson(ours) === canonicalJson(theirs)) return []
      // A factor that applies to one arm only, and has one level there, is part of that arm.
      const isPartOfArm = evidence.factors.includes(name) && ours.length === 1 && theirs.length === 1
      if (isPartOfArm && ours[0] !== theirs[0] && [ours[0], theirs[0]].includes(noLevel)) return []
      return [
        `the arms differ in ${name}: ${control.label} has ${listed(ours)}, ${candidate.label} has ${listed(theirs)}`,
      ]
    })
}

/** Pairs that the user listed one by one may not match. */
function unlikePairs({ evidence, samples, control, candidate }: Compared): readonly string[] {
  if (!samples.pairedBy?.includes('pair')) return []
  const seeds = (arm: Arm) => new Map(arm.runs.map(run => [String(run.block.pair), run.block.seed]))
  const ours = seeds(control)
  const unlike = [...seeds(candidate)].filter(([pair, seed]) => {
    const other = ours.get(pair)
    return seed !== undefined && other !== undefined && canonicalJson(seed) !== canonicalJson(other)
  })
  return unlike.length === 0 || evidence.blocks.includes('seed')
    ? []
    : [`${counted(unlike.length, 'pair')} of runs with different seeds: ${listed(unlike.map(([pair]) => pair))}`]
}

function codeDifferences({ control, candidate }: Compared): readonly string[] {
  const versions = (arm: Arm) => [...new Set(arm.runs.map(run => shortCommit(run.code ?? 'unknown')))].toSorted()
  const [ours, theirs] = [versions(control), versions(candidate)]
  const warnings =
    canonicalJson(ours) === canonicalJson(theirs)
      ? []
      : [
          `the arms were run with different versions of the code: ${control.label} with ${listed(ours)}, ${candidate.label} with ${listed(theirs)}`,
        ]
  if ([...ours, ...theirs].some(code => code.endsWith('+')))
    warnings.push('some runs were made with changes that were not committed')
  return warnings
}

/**
 * Two experiments may differ in something that is not a run's parameter: an argument of the command, a file it reads.
 */
function definitionDifferences({ control, candidate }: Compared): readonly string[] {
  const definitions = (arm: Arm) => [...new Set(arm.runs.flatMap(run => run.fingerprint ?? []))].toSorted()
  return canonicalJson(definitions(control)) === canonicalJson(definitions(candidate))
    ? []
    : [
        'the arms were run by different definitions (the target, its configuration or its inputs): assay diff shows which',
      ]
}

/** The box limits what an agent can do. */
function isolationDifferences({ control, candidate }: Compared): readonly string[] {
  const counts = new Map<string, number>()
  for (const { outcome } of [...control.runs, ...candidate.runs])
    if (outcome.sandbox !== undefined) counts.set(outcome.sandbox, (counts.get(outcome.sandbox) ?? 0) + 1)
  if (counts.size < 2) return []
  return [
    `runs were isolated in different ways: ${[...counts].map(([how, runs]) => `${how} (${counted(runs, 'run')})`).join(', ')}`,
  ]
}

const capacityMetrics = ['parameters', 'params', 'n_parameters', 'num_parameters', 'flops', 'FLOPs']

/** More capacity alone may explain the difference. */
function capacityDifferences({ control, candidate }: Compared): readonly string[] {
  return capacityMetrics.flatMap(metric => {
    const mean = (arm: Arm) => {
      const values = arm.runs.flatMap(run => run.metrics[metric] ?? [])
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
    }
    const ours = mean(control)
    const theirs = mean(candidate)
    if (ours === null || theirs === null || Math.abs(theirs - ours) <= 0.01 * Math.abs(ours)) return []
    const percent = Math.round((theirs / ours - 1) * 100)
    return [
      `the arms differ in capacity: ${candidate.label} has ${Math.abs(percent)}% ${percent > 0 ? 'more' : 'fewer'} ${metric} (${plainNumber(theirs)} against ${plainNumber(ours)})`,
    ]
  })
}

function averagedOver({ evidence, control, samples }: Compared): readonly string[] {
  const others = (samples.pairedBy ?? []).filter(
    name => evidence.factors.includes(name) && levelsIn(control.runs, name).length > 1,
  )
  return others.length === 0
    ? []
    : [
        `the difference is an average over ${listed(jointGroups(control.runs, others).map(jointName))}: a filter (--filter) looks at one level alone`,
      ]
}

/** With one task, its seeds are compared: the result says nothing about other tasks. */
function oneOfItsKind({ evidence, control, samples }: Compared): readonly string[] {
  const isRun = samples.unit === 'run'
  const outer = isRun ? evidence.blocks : evidence.blocks.slice(0, Math.max(0, evidence.blocks.indexOf(samples.unit)))
  return outer
    .filter(name => levelsIn(control.runs, name).length === 1)
    .map(name => `there is only one ${unitWord(name)}: the result holds for it alone`)
}

/** A plan stopped half-way lacks runs by accident, not by design. */
function notMade({ evidence }: Compared): readonly string[] {
  const left = runsNotMade(evidence)
  if (left !== null && left > 0)
    return [
      `${left} of the ${plannedRuns(evidence.sources)} planned runs have not been made: nothing here covers what they would have given`,
    ]
  const partial = partialText(evidence)
  return partial === null ? [] : [`${partial}, and the filter chose among these`]
}

/** Planned but missing runs are not compared, and their absence must not be taken for a result. */
function withoutRuns({ evidence, control }: Compared): readonly string[] {
  const absent = Object.keys(control.levels).flatMap(name => absentLevels(evidence, name))
  if (absent.length === 0) return []
  return [`${listed(absent)} ${absent.length === 1 ? 'has no run yet and is' : 'have no run yet and are'} not compared`]
}

/** Once for all comparisons of the same runs: each of ten thousand levels would look at all of them. */
function absentLevels(evidence: Evidence, name: string): readonly string[] {
  const known = absentIn.get(evidence) ?? new Map<string, readonly string[]>()
  absentIn.set(evidence, known)
  const found = known.get(name) ?? levelsWithoutRun(evidence, name)
  known.set(name, found)
  return found
}

const absentIn = new WeakMap<Evidence, Map<string, readonly string[]>>()

function levelsWithoutRun(evidence: Evidence, name: string): readonly string[] {
  if (rangesOf(evidence).includes(name) || evidence.filter !== undefined) return []
  const there = new Set(levelsIn(evidence.runs, name).map(levelKey))
  const absent = (evidence.levels[name] ?? []).filter(level => !there.has(levelKey(level)))
  return absent.map(level => `${name}=${levelKey(level)}`)
}

/** This many metrics are compared without a warning. */
const fewMetrics = 2

/** If no metric is declared primary, testing one after the other finds something by chance. */
function noPrimary({ evidence, alpha }: Compared): readonly string[] {
  const names = evidence.metrics.length > 0 ? evidence.metrics.map(({ name }) => name) : metricNames(evidence.runs)
  const many = new Set(names).size
  if (many <= fewMetrics || evidence.metrics.some(({ primary }) => primary)) return []
  const chance = Math.round(100 * (1 - (1 - alpha) ** many))
  return [
    `none of the ${many} metrics is declared primary (primary: true): testing them all finds a difference in at least one of them in ${chance} of 100 experiments without any, if they are independent`,
  ]
}

/** Runs without a value: how many, why, and how they were treated. */
function withoutValue({ samples: { dropped }, control, candidate, reading, missing }: Compared): readonly string[] {
  const told = (label: string, runs: readonly DroppedRun[], all: number): readonly string[] => {
    if (runs.length === 0) return []
    const reasons = [...Map.groupBy(runs, run => run.reason)].map(([reason, of]) => `${of.length} ${reason}`)
    return [
      `${runs.length} of ${counted(all, 'run')} of ${label} ${runs.length === 1 ? 'has' : 'have'} no value and ${fateOf(runs, missing)}: ${reasons.join(', ')}`,
    ]
  }
  const both = (isCounted: boolean) => {
    const of = (runs: readonly DroppedRun[]) => runs.filter(run => (run.counts_as === 'worst') === isCounted)
    return [
      ...told(control.label, of(dropped.control), control.runs.length),
      ...told(candidate.label, of(dropped.candidate), candidate.runs.length),
    ]
  }
  const warnings = [...both(true), ...both(false), ...unlikeLosses({ dropped, control, candidate, missing })]
  if (missing === 'zero' && warnings.length > 0 && reading.goal === 'minimize')
    warnings.push(
      `a missing ${reading.metric} counted as 0 is the best there can be: that favours the arm that failed more`,
    )
  if (reading.summary?.reduction.kind === 'time-to' && warnings.length > 0 && missing !== 'zero')
    warnings.push(
      'runs that never got there are left out: the steps of an arm that often fails to get there look too few',
    )
  return warnings
}

function fateOf(runs: readonly DroppedRun[], missing: Missing): string {
  const is = runs.length === 1 ? 'is' : 'are'
  if (runs[0]?.counts_as === 'worst') return `${runs.length === 1 ? 'counts' : 'count'} as worse than every value`
  if (missing === 'bounds') return `may be anything within the range of the metric`
  return missing === 'zero' ? `${is} counted as 0` : `${is} left out`
}

/** An arm that loses more of its runs keeps the ones that went well. */
function unlikeLosses({
  dropped,
  control,
  candidate,
  missing,
}: Pick<Compared, 'control' | 'candidate' | 'missing'> & {
  readonly dropped: ArmSamples['dropped']
}): readonly string[] {
  if (missing === 'zero' || missing === 'bounds') return []
  const left = (runs: readonly DroppedRun[]): number => runs.filter(({ counts_as }) => counts_as === undefined).length
  const [ours, theirs] = [left(dropped.control), left(dropped.candidate)]
  if (ours * candidate.runs.length === theirs * control.runs.length) return []
  const more = ours / control.runs.length > theirs / candidate.runs.length ? control : candidate
  const share = (arm: Arm, count: number) => `${count} of ${arm.runs.length} of ${arm.label}`
  const rules =
    missing === 'worst-rank'
      ? ''
      : '; --missing worst-rank counts failed and cut-off runs as worse than every value, --missing bounds allows for everything they could have given'
  return [
    `the arms lost different shares of their runs (${share(control, ours)}, ${share(candidate, theirs)}): if hard cases fail first, what is left favours ${more.label}${rules}`,
  ]
}

function withoutPartner({ samples: { dropped, pairedBy }, missing }: Compared): readonly string[] {
  const { unmatched } = dropped
  if (unmatched.length === 0) return []
  const fate = missing === 'zero' ? 'the missing side is counted as 0' : 'left out'
  // With several names each part shows its own: `seed=3 load=0.9`.
  const [name, ...others] = pairedBy ?? []
  const word = name === undefined || others.length > 0 ? null : unitWord(name)
  const what = word === null ? '' : `${unmatched.length === 1 ? word : plural(word)} `
  return [`${unmatched.length} without a partner, ${fate}: ${what}${listed(unmatched)}`]
}

/** Two attempts say nothing about three. */
function withTooFewRuns({ samples: { dropped, unit }, statistic }: Compared): readonly string[] {
  const { short = [] } = dropped
  if (short.length === 0 || !('k' in statistic)) return []
  return [
    `${counted(short.length, unitWord(unit))} with fewer than ${statistic.k} runs, left out of ${statisticText(statistic)}: ${listed(short)}`,
  ]
}

/** Failures are rarely random: what they might have given limits the conclusion. */
function whatIsHidden({ evidence, samples, reading }: Compared): readonly string[] {
  const { bounds, unit } = samples
  if (bounds === null) return []
  const { difference, bound } = writingOf({ metric: reading.metric, yes_no: samples.isYesNo })
  if (samples.extremes !== undefined) return []
  const { low, high, units } = bounds
  const begun = (runsNotMade(evidence) ?? 0) > 0 ? ' that were begun' : ''
  const estimate = valueOrNull(differenceOf(samples))
  const isOutside =
    samples.extremes === undefined &&
    estimate !== null &&
    ((low !== null && estimate < low - 1e-9) || (high !== null && estimate > high + 1e-9))
  const but = isOutside ? ': not where the estimate is, which leaves out what has no partner' : ''
  return [
    `whatever the missing values would have been, the difference on all ${counted(units, unitWord(unit))}${begun} is between ${low === null ? '−∞' : bound(low)} and ${high === null ? '∞' : difference(high)}${but}`,
  ]
}

/** Which arm pays for an answer that both use depends on which ran first. */
function pricesForCosts({ control, candidate, reading }: Compared): readonly string[] {
  if (reading.metric !== 'cost_usd') return []
  const runs = [...control.runs, ...candidate.runs]
  const others = runs.filter(run => {
    const price = priceOf(run)
    return price !== null && run.cost_usd !== null && Math.abs(price - run.cost_usd) > 1e-9 * price
  })
  if (others.length === 0) return []
  return [
    `cost_usd is the list price, cached or not: ${others.length} of ${counted(runs.length, 'run')} paid another amount, because answers came from the cache or judges were paid (--metric paid_usd compares what was paid)`,
  ]
}

const goalUnknown = ({ reading }: Compared): readonly string[] =>
  reading.isGoalKnown
    ? []
    : [`${reading.metric} has no goal: more is taken to be better (--goal minimize for the opposite)`]

const noLevel = 'none'

const texts = (arm: Arm, name: string): readonly string[] =>
  levelsIn(arm.runs, name)
    .map(level => (level === null ? noLevel : levelText(level)))
    .toSorted()
