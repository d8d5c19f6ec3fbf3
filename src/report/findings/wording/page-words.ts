import { type Comparison, intervalOfVerdict } from '../../../analyze/compare/compare.ts'
import { type ReadValue, readValue } from '../../../analyze/reading.ts'
import { orReason } from '../../../util/errors.ts'
import {
  amountText,
  chanceText,
  counted,
  percentText,
  plural,
  shellQuote,
  unitWord,
  writingOf,
} from '../../../util/words.ts'
import type { Dataset, ExperimentFacts } from '../../dataset/dataset.ts'
import { keptBy, type View, viewedRuns } from '../view.ts'

interface Badge {
  readonly text: string
  readonly tone: 'good' | 'warning' | 'plain'
  /** Its meaning, in a sentence. */
  readonly meaning: string
}

/** What a reader must know before believing anything: how it was decided what to compare, and what is missing. */
export function badgesOf(dataset: Dataset, view: Pick<View, 'filter' | 'metric'>): readonly Badge[] {
  return [
    registration(dataset),
    ...onlySome(dataset, view.filter.trim()),
    ...completeness(dataset),
    ...withoutMetric(dataset, view),
    ...uncommitted(dataset),
  ]
}

/** `only load == 0.9: 30 of 60 runs`: a reader of a forwarded page must not have to look for the filter. */
function onlySome({ evidence }: Dataset, filter: string): readonly Badge[] {
  return [...chosenBefore(evidence), ...chosenHere(evidence, filter)]
}

/** Filters that the reader can no longer change: the page only has the runs that passed them. */
const chosenBefore = ({ filter, runs }: Dataset['evidence']): readonly Badge[] =>
  filter === undefined
    ? []
    : [
        {
          text: `only ${filter.texts.join(' and ')}: ${runs.length} of ${counted(filter.of, 'run')}`,
          tone: 'warning',
          meaning: 'This page has these runs alone; cost, time and completeness are of all.',
        },
      ]

function chosenHere(evidence: Dataset['evidence'], filter: string): readonly Badge[] {
  if (filter === '') return []
  const kept = keptBy(evidence, filter)
  const of = `of ${counted(evidence.runs.length, 'run')}`
  return [
    'found' in kept
      ? {
          text: `only ${filter}: ${kept.found.runs.length} ${of}`,
          tone: 'warning',
          meaning: 'What is said here is about these runs alone; cost, time and completeness are of all.',
        }
      : { text: `only ${filter}: none ${of}`, tone: 'warning', meaning: `Nothing can be said: ${kept.reason}.` },
  ]
}

/** Runs that completed without the metric are as lost to the question as failed ones. */
function withoutMetric(dataset: Dataset, view: Pick<View, 'filter' | 'metric'>): readonly Badge[] {
  const looked = orReason(() => viewedRuns(dataset, view))
  if ('reason' in looked) return []
  const { evidence, reading } = looked.found
  const lacking = evidence.runs.filter(run => run.outcome.kind === 'completed' && !hasValue(readValue(run, reading)))
  if (lacking.length === 0) return []
  return [
    {
      text: `${lacking.length} without ${view.metric}`,
      tone: 'warning',
      meaning: `${counted(lacking.length, 'run')} completed without a value of ${view.metric} and ${lacking.length === 1 ? 'is' : 'are'} left out; see the failures below.`,
    },
  ]
}

const hasValue = (read: ReadValue): boolean => 'value' in read && Number.isFinite(read.value)

/** A plan recorded before the data is worth more than one made up to fit it. */
function registration(_: Dataset): Badge {
  return {
    text: 'exploratory',
    tone: 'plain',
    meaning: 'No plan of this analysis was recorded before the runs: treat what is found as a hypothesis to test.',
  }
}

function completeness({ experiments, evidence }: Dataset): readonly Badge[] {
  const standings = experiments.flatMap(({ standing }) => (standing === null ? [] : [standing]))
  if (standings.length === 0)
    return [{ text: counted(evidence.runs.length, 'row'), tone: 'plain', meaning: 'What was planned is not known.' }]
  const { planned, left } = coverageOf(experiments)
  const completed = standings.reduce((total, { states }) => total + (states.completed ?? 0), 0)
  const failed = planned - completed - left
  if (completed === 0 && failed > 0 && left === 0)
    return [
      {
        text: `ended: ${counted(planned, 'run')}, none completed`,
        tone: 'warning',
        meaning: 'Every run of the plan has ended without a result; see the failures below.',
      },
    ]
  return [
    left === 0
      ? { text: `complete: ${counted(planned, 'run')}`, tone: 'good', meaning: 'Every run of the plan has ended.' }
      : {
          text: `partial: ${planned - left} of ${counted(planned, 'run')}`,
          tone: 'warning',
          meaning: `${counted(left, 'run')} of the plan (${percentText(left / planned)}) have not ended: what is said here may change.`,
        },
    ...(failed === 0
      ? []
      : [
          {
            text: `${failed} without a result`,
            tone: 'warning' as const,
            meaning: `${counted(failed, 'run')} ended without a result and are left out; see the failures below.`,
          },
        ]),
  ]
}

/**
 * How many runs the experiments have in all, and how many of them have not ended: never begun, running, interrupted
 * from outside, or made with an earlier definition of the target.
 */
export function coverageOf(experiments: Dataset['experiments']): { readonly planned: number; readonly left: number } {
  const standings = experiments.flatMap(({ standing }) => standing ?? [])
  const left = standings.map(({ states }) => {
    const { pending = 0, running = 0, stale = 0, cancelled = 0, rate_limited = 0 } = states
    return pending + running + stale + cancelled + rate_limited
  })
  return {
    planned: standings.reduce((sum, { planned }) => sum + planned, 0),
    left: left.reduce((sum, own) => sum + own, 0),
  }
}

function uncommitted({ evidence }: Dataset): readonly Badge[] {
  return evidence.runs.some(({ code }) => code?.endsWith('+') === true)
    ? [
        {
          text: 'uncommitted changes',
          tone: 'warning',
          meaning:
            'Some runs were made with code that was not committed; the patch is kept in the experiment’s folder.',
        },
      ]
    : []
}

/** A number of the verdict, large enough to be found again. */
interface Tile {
  readonly name: string
  readonly value: string
  readonly more: string
}

/** How much, how sure, on how many; and the cost and duration of all runs, whatever is viewed. */
export function tilesOf(dataset: Dataset, { filter }: Pick<View, 'filter'>, about: Comparison | null): readonly Tile[] {
  const { cost_usd, budget_usd, wall_s } = totalsOf(dataset)
  const money = amountText('cost_usd')
  const count = dataset.evidence.runs.length
  const despite = filter.trim() === '' ? '' : ', whatever the filter'
  const whose = `${count === 1 ? 'the one run' : `all ${count} runs`}${despite}`
  const budget = budget_usd === null ? '' : `of ${money(budget_usd)}, `
  return [
    ...(about === null ? [] : comparisonTiles(about)),
    ...(cost_usd === null ? [] : [{ name: 'Cost', value: money(cost_usd), more: `${budget}${whose}` }]),
    ...(wall_s === null
      ? []
      : [{ name: 'Time', value: durationText(wall_s), more: count === 1 ? whose : `${whose}, one after another` }]),
  ]
}

function comparisonTiles(about: Comparison): readonly Tile[] {
  const { difference, bound } = writingOf(about)
  const { estimate, p, p_adjusted, p_is_bound, n, unit, correction, candidate, control } = about
  const ci = intervalOfVerdict(about)
  const range =
    ci === null
      ? (about.reason ?? 'no interval')
      : `${ci.name} ${ci.low === null ? '−∞' : bound(ci.low)} to ${ci.high === null ? '∞' : bound(ci.high)}`
  const chance = p_adjusted ?? p
  const test = p_adjusted === null ? about.test : `corrected (${correction})`
  return [
    {
      name: `Difference: ${candidate} − ${control}`,
      value: estimate === null ? '–' : difference(estimate),
      more: range,
    },
    n.pairs === null
      ? { name: 'Units', value: String(n.candidate), more: `against ${counted(n.control, unitWord(unit))}` }
      : { name: 'Pairs', value: String(n.pairs), more: counted(n.pairs, unitWord(unit)) },
    {
      name: 'p',
      value: chance === null ? '–' : withoutName(chance, p_is_bound),
      more: [test, ...otherTests(about)].join('; '),
    },
  ]
}

/** Tests with weaker assumptions, which may disagree. */
const otherTests = ({ other_tests, p_adjusted, side, n }: Comparison): readonly string[] =>
  other_tests.flatMap(({ test, p, p_is_bound }) => {
    if (p === null) return []
    const remarks = [
      ...(p_adjusted === null ? [] : ['uncorrected']),
      ...(isLeastOfSignFlips(test, p, side, n.pairs) ? [`the least that ${n.pairs} pairs can give`] : []),
    ]
    return [[`${withoutName(p, p_is_bound)} by ${test}`, ...remarks].join(', ')]
  })

/** Of few pairs, flipped signs can't give a small p however large the difference is. */
const isLeastOfSignFlips = (test: string, p: number, side: Comparison['side'], pairs: number | null): boolean =>
  test === 'sign-flip permutation' && pairs !== null && p <= (side === 'two-sided' ? 2 : 1) * 0.5 ** pairs * (1 + 1e-9)

const withoutName = (p: number, isBound: boolean): string => chanceText(p, isBound).replace(/^p (= )?/, '')

function durationText(seconds: number): string {
  if (seconds < 59.5) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`
  // Rounded first: 119.7 s are 2 min 0 s, not 1 min 60 s.
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** What would be worth running next. */
export function nextStepsOf({ experiments }: Dataset, about: Comparison | null): readonly string[] {
  return [
    ...experiments.flatMap(({ standing, config }) => {
      const run = `assay run${config === null ? '' : ` ${config}`}`
      const { pending = 0, running = 0, failed = 0, timed_out = 0, infra_error = 0 } = standing?.states ?? {}
      const lost = failed + timed_out + infra_error
      return [
        // During a run, missing runs arrive by themselves.
        ...(running > 0
          ? [`${counted(pending + running, 'run')} of the plan ${pending + running === 1 ? 'is' : 'are'} still to come`]
          : pending > 0
            ? [`${counted(pending, 'run')} of the plan ${pending === 1 ? 'is' : 'are'} missing: ${run}`]
            : []),
        ...(lost > 0
          ? [`${counted(lost, 'run')} failed: ${run} --retry-failed tries ${lost === 1 ? 'it' : 'them'} again`]
          : []),
      ]
    }),
    ...experiments.flatMap(winnersWorth),
    ...moreUnits(about),
  ]
}

/** The best of many looks better than it is: only fresh seeds show how good it is. */
function winnersWorth({ search, standing, place }: ExperimentFacts): readonly string[] {
  if (search === null || search.metric === null || (standing?.states.completed ?? 0) === 0) return []
  const file = shellQuote(`${place.split('/').at(-1)}-best.yaml`)
  return [
    `to measure the best variant on fresh seeds: assay sweep best ${shellQuote(place)} --write ${file}, then assay run ${file}`,
  ]
}

/** The width of an interval falls with the square root of their number. */
function moreUnits(about: Comparison | null): readonly string[] {
  if (about === null || about.verdict !== 'inconclusive') return []
  const { detectable, estimate, n, unit } = about
  if (detectable === null || estimate === null || estimate === 0) return []
  const units = n.pairs ?? Math.min(n.control, n.candidate)
  const needed = Math.ceil(units * (detectable.difference / Math.abs(estimate)) ** 2)
  if (needed <= units || needed > 100_000) return []
  const { spoken } = writingOf(about)
  const going = detectable.by === 'width' ? 'going by the width of the interval alone, ' : ''
  return [
    `if the difference really is ${spoken(Math.abs(estimate))}, ${going}about ${needed} ${plural(unitWord(unit))} would show it four times out of five (there are ${units}); assay power says more`,
  ]
}

/** What the runs cost, all together. */
interface Totals {
  /** null: no run reported its cost. */
  readonly cost_usd: number | null
  readonly budget_usd: number | null
  /** Seconds of all runs, one after the other. */
  readonly wall_s: number | null
}

export function totalsOf({ experiments, evidence }: Dataset): Totals {
  const isCostKnown = evidence.runs.some(run => run.cost_usd !== null)
  const spent = experiments.map(({ standing }) => standing?.cost_usd ?? null)
  const ofRuns = evidence.runs.reduce((sum, run) => sum + (run.cost_usd ?? 0), 0)
  const walls = evidence.runs.flatMap(run => run.wall_s ?? [])
  const budgets = experiments.flatMap(({ standing }) => standing?.budget_usd ?? [])
  return {
    // The ledger also includes attempts without a result.
    cost_usd: !isCostKnown
      ? null
      : spent.every(usd => usd !== null)
        ? spent.reduce((sum, usd) => sum + usd, 0)
        : ofRuns,
    budget_usd: budgets.length === 0 ? null : budgets.reduce((sum, usd) => sum + usd, 0),
    wall_s: walls.length === 0 ? null : walls.reduce((sum, wall) => sum + wall, 0),
  }
}
