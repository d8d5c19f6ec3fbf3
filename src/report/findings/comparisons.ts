import { type Arm, armOf, bestCandidates, fewCandidates, levelsOf, mostCandidates } from '../../analyze/arms.ts'
import {
  type Comparison,
  compareArms,
  defaultQuestion,
  type Question,
  questionOf,
} from '../../analyze/compare/compare.ts'
import { type ArmCurve, curveOf, numbersOf, type PicturedNumbers } from '../../analyze/compare/pictured.ts'
import { type Effects, effectGroups, effectsOf, largerEffectThan } from '../../analyze/effects/effects.ts'
import { type Reading, readingOf } from '../../analyze/reading.ts'
import { variantsOf } from '../../analyze/variants.ts'
import type { SearchSpec } from '../../define/experiment.ts'
import type { Evidence } from '../../define/observation.ts'
import type { Series } from '../../define/run.ts'
import { AssayError, type OrReason, orReason } from '../../util/errors.ts'
import { canonicalJson } from '../../util/json.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { type BestFound, bestFoundOf } from './search.ts'
import { type StepName, stepNameOf } from './step-name.ts'
import { armsBy, filtered, idOf, type View, varyingFactors, viewedRuns } from './view.ts'

/** The baseline against every other arm: the result of `assay compare` with the same options. */
export interface Comparisons {
  readonly baseline: string
  readonly comparisons: readonly Comparison[]
  /** How many candidates there were, if only the best are compared. */
  readonly chosenFrom?: number
}

export function comparisonsOf(dataset: Dataset, view: View): OrReason<Comparisons> {
  return orReason(() => {
    const { evidence, reading, summary } = viewedRuns(dataset, view)
    const question = pageQuestion(evidence, reading, view)
    const compared = compareArms(evidence, { ...question, ...(summary !== null && { summarised: summary }) })
    return {
      baseline: question.control.label,
      ...(question.chosenFrom === undefined ? {} : { chosenFrom: question.chosenFrom }),
      comparisons: compared.map(({ comparison }) => comparison),
    }
  })
}

/** The numbers behind one of the comparisons, for pictures. */
export function armSamplesOf(dataset: Dataset, view: View, candidate: string): OrReason<PicturedNumbers> {
  return orReason(() => {
    const { evidence, reading } = viewedRuns(dataset, view)
    const question = pageQuestion(evidence, reading, view)
    const arm = question.candidates.find(({ label }) => label === candidate)
    if (arm === undefined) throw new AssayError('usage', `there is no arm ${candidate}`)
    return numbersOf(evidence, arm, question)
  })
}

/** As the command line asks with the same wishes. */
export function pageQuestion(evidence: Evidence, reading: Reading, { group, baseline, alpha }: View): Question {
  if (group.length === 0) throw new AssayError('usage', nothingToCompare(evidence))
  return questionOf(evidence, { control: baseline, alpha }, reading)
}

const nothingToCompare = (evidence: Evidence): string =>
  varyingFactors(evidence).length === 0
    ? 'there is one variant: nothing to compare it with'
    : 'nothing is compared: choose what to compare by'

/** Beyond this a page would compute for minutes; on the command line users can wait. */
const mostTests = 400

/** The effect of each factor and ablation: the result of `assay effects` with the same options. */
export function factorEffectsOf(dataset: Dataset, view: View): OrReason<Effects> {
  return orReason(() => {
    const { evidence, reading } = viewedRuns(dataset, view)
    const search = dataset.experiments.find(one => one.search !== null)?.search ?? null
    const chosen = search === null ? null : searchObjection(evidence, search)
    if (chosen !== null) throw new AssayError('usage', `${chosen}: see what it found below`)
    const tests = testsIn(evidence)
    if (tests > mostTests)
      throw new AssayError(
        'usage',
        `${tests} comparisons are too many for this page: filter, or ask assay effects on the command line`,
      )
    return effectsOf(
      { ...evidence, baseline: { ...evidence.baseline, ...view.baseline } },
      { ...defaultQuestion, reading, alpha: view.alpha },
    )
  })
}

/**
 * Where no baseline says what is asked, arms are those of the first factor; this is a larger effect of another, which a reader
 * should know first. Null: there is none, it can't be said, or it takes long.
 */
export function largerEffectOf(dataset: Dataset, view: View): string | null {
  const { experiments, evidence: all } = dataset
  const isAsked = all.baseline !== null || view.group.length !== 1 || experiments.some(({ search }) => search !== null)
  if (isAsked || all.runs.length > mostRunsAtOnce || testsIn(all) > mostTestsAtOnce) return null
  const found = orReason(() => {
    const { evidence, reading } = viewedRuns(dataset, view)
    return largerEffectThan(
      view.group,
      { ...evidence, baseline: { ...evidence.baseline, ...view.baseline } },
      { ...defaultQuestion, reading, alpha: view.alpha },
    )
  })
  return 'found' in found ? found.found : null
}

/** The top of a page must not wait for more. */
const mostTestsAtOnce = 40
const mostRunsAtOnce = 2000

/** Averages over what a search selected, or drew, are not those over a plan; null: a grid is a plan. */
function searchObjection(evidence: Evidence, { method, early_stop }: SearchSpec): string | null {
  if (evidence.search?.learns === true) return `a ${method} search chose the variants by their results`
  if (early_stop !== null) return `a ${method} search stopped variants early by their results`
  if (method === 'grid') return null
  return `a ${method} search drew the variants: they are no plan in which each level meets all others`
}

/** Levels against their baseline, pairs of these, and the first factor within every setting of the others. */
function testsIn(evidence: Evidence): number {
  const others = effectGroups(evidence).map(([factor = '']) => levelsOf(evidence, factor).length - 1)
  const main = others.reduce((sum, count) => sum + count, 0)
  const pairs = others.flatMap((a, at) => others.slice(at + 1).map(b => a * b)).reduce((sum, count) => sum + count, 0)
  return main + pairs + (others.length > 1 ? variantsOf(evidence).length : 0)
}

export interface Curves {
  readonly metric: string
  /** The name of its steps. */
  readonly step: StepName
  readonly level: number
  /** How many arms there are, if only the baseline and the best are shown. */
  readonly chosenFrom?: number
  readonly curves: readonly (ArmCurve & { readonly runs: readonly RunCurve[] })[]
  /** How many runs each arm has, where they differ: then a comparison may leave some out that count here. */
  readonly unequal?: readonly number[]
  /** Of a search: the curve is the best variant's, the thin lines are the others'. */
  readonly isOfBest?: true
}

interface RunCurve {
  readonly id: string
  readonly series: Series
}

/** Thin lines of single runs, as long as they can be distinguished. */
const mostLines = 60
/** Of a search the bundle is the picture, and one curve stands out. */
const mostLinesOfSearch = 200

/** More curves can't be distinguished: the baseline and the best of the others remain. */
function chosenArms(arms: readonly Arm[], evidence: Evidence, { metric, baseline }: View): readonly Arm[] {
  if (arms.length <= mostCandidates) return arms
  const isBaseline = ({ levels }: Arm) => canonicalJson(levels) === canonicalJson(baseline)
  const others = arms.filter(arm => !isBaseline(arm))
  return [...arms.filter(isBaseline), ...bestCandidates(others, readingOf(evidence, { metric }), fewCandidates)]
}

/** Variants that a search drew have no mean that says anything: the best of them is shown, among all others. */
function curvesOfBest(
  dataset: Dataset,
  evidence: Evidence,
  { number, params }: BestFound['best'][number],
  { metric, level }: { readonly metric: string; readonly level: number },
): Curves {
  const key = canonicalJson(params)
  const arm = {
    label: `best: variant ${number}`,
    levels: {},
    runs: evidence.runs.filter(run => canonicalJson(run.params) === key),
  }
  const runs = linesOf(evidence.runs, metric)
  return {
    metric,
    step: stepNameOf(dataset.experiments, metric),
    level,
    curves: [{ ...curveOf(evidence, arm, metric, level), runs: runs.length > mostLinesOfSearch ? [] : runs }],
    isOfBest: true,
  }
}

const linesOf = (runs: Evidence['runs'], metric: string): readonly RunCurve[] =>
  runs.flatMap(run => run.series.filter(one => one.metric === metric).map(series => ({ id: idOf(run), series })))

export function curvesOf(dataset: Dataset, view: View, metric: string): OrReason<Curves> {
  return orReason(() => {
    const evidence = filtered(dataset.evidence, view.filter)
    const level = 1 - view.alpha
    const best = view.group.length === 0 ? bestFoundOf(dataset, view)?.best[0] : undefined
    if (best !== undefined) return curvesOfBest(dataset, evidence, best, { metric, level })
    const all: readonly Arm[] =
      view.group.length === 0
        ? [{ label: 'all runs', levels: {}, runs: evidence.runs }]
        : armsBy(evidence, view.group).map(levels => armOf(evidence, levels))
    const arms = chosenArms(all, evidence, view)
    const curves = arms.map(arm => ({
      ...curveOf(evidence, arm, metric, level),
      runs: linesOf(arm.runs, metric),
    }))
    const lines = curves.reduce((sum, { runs }) => sum + runs.length, 0)
    const chosenFrom = arms.length < all.length ? { chosenFrom: all.length } : {}
    const counts = curves.map(({ runs }) => runs.length)
    const unequal = new Set(counts).size > 1 ? { unequal: counts } : {}
    return {
      metric,
      step: stepNameOf(dataset.experiments, metric),
      level,
      ...chosenFrom,
      ...unequal,
      curves: lines > mostLines ? curves.map(curve => ({ ...curve, runs: [] })) : curves,
    }
  })
}
