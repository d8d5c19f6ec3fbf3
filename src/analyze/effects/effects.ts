import { type Evidence, levelOf } from '../../define/observation.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import { naturalOrder } from '../../util/natural-order.ts'
import { levelText } from '../../util/words.ts'
import { adjustedP } from '../adjust.ts'
import { armOf, labelOf, levelsOf, runsWith, sameLevel } from '../arms.ts'
import {
  type Asked,
  type CandidateCorrection,
  type Correction,
  correctionOfP,
  drawingOf,
  type Told,
} from '../choices.ts'
import { compareArms, concluded, type Question } from '../compare/compare.ts'
import type { Comparison } from '../compare/comparison.ts'
import { questionSettings } from '../compare/provenance.ts'
import { jointGroups, jointName, withJointFactors } from '../joint-factors.ts'
import { type Provenance, provenanceOf, withAndWithoutValue } from '../provenance/provenance.ts'
import { noLevels, rangesOf } from '../ranges.ts'
import { readingOf } from '../reading.ts'
import { variantsOf } from '../variants.ts'
import type { EffectFactor } from './cells.ts'
import { headlineOf, largerEffect } from './headline.ts'
import { type Interaction, interactionsOf } from './interactions.ts'
import { type Shares, sharesOf } from './shares.ts'

/** The effect of each factor on a metric. Plain data: the output of `--json`. */
export interface Effects {
  /** The largest effect that is shown; or that none is. */
  readonly headline: string
  readonly metric: string
  readonly goal: 'maximize' | 'minimize'
  readonly factors: readonly EffectFactor[]
  /** Each level against its factor's baseline, averaged over everything else. */
  readonly main: readonly (Comparison & { readonly factor: string; readonly level: Json })[]
  readonly interactions: readonly Interaction[]
  readonly shares: Shares
  /** Each level against the baseline within each combination of the other factors. */
  readonly deltas: readonly (Comparison & {
    readonly factor: string
    readonly level: Json
    readonly within: JsonObject
  })[]
  readonly warnings: readonly string[]
}

export type EffectsQuestion = Omit<Question, 'control' | 'candidates' | 'margin' | 'correction'> & {
  readonly correction: Correction
}

export interface EffectsAsked extends Asked {
  readonly correction?: CandidateCorrection | undefined
}

export type EffectsAnswer = Told<Effects & { readonly kind: 'effects' }>

export function effectsAnswer(evidence: Evidence, asked: EffectsAsked): EffectsAnswer {
  if (asked.missing === 'worst-rank' || asked.missing === 'bounds')
    throw new AssayError('usage', `--missing ${asked.missing} is for comparisons, and effects are averages of means`, {
      hint: `assay compare --missing ${asked.missing} compares one variant with others`,
    })
  const question: EffectsQuestion = {
    reading: readingOf(evidence, asked),
    isPaired: !asked.unpaired,
    missing: asked.missing ?? 'failed',
    method: asked.method ?? 'auto',
    alpha: asked.alpha ?? 0.05,
    alternative: 'two-sided',
    correction: correctionOfP(asked.correction),
    drawing: drawingOf(asked),
  }
  const effects = effectsOf(asked.control === undefined ? evidence : { ...evidence, baseline: asked.control }, question)
  return { kind: 'effects', ...effects, provenance: effectsProvenance(evidence, question, effects, asked.filter) }
}

/** Every run counts towards a level of each factor: the arms are the variants. */
function effectsProvenance(
  evidence: Evidence,
  question: EffectsQuestion,
  { main, interactions }: Effects,
  filter: readonly string[] | undefined,
): Provenance {
  const read = withAndWithoutValue(variantsOf(evidence), question.reading)
  const isZero = question.missing === 'zero'
  return provenanceOf(evidence, {
    filter,
    arms: isZero ? variantsOf(evidence) : read.arms,
    excluded: isZero ? [] : read.excluded,
    settings: questionSettings(
      question,
      [...main, ...interactions].map(({ ci }) => ci?.method),
    ),
  })
}

/** A longer table would not be read. */
const mostDeltas = 200

/** Main effects, interactions and shares. All tests of main effects and interactions are one family. */
export function effectsOf(written: Evidence, question: EffectsQuestion): Effects {
  const { evidence, factors, main, interactions } = testedEffects(written, question)
  const deltas = deltasOf(evidence, factors, question)
  const { metric, goal } = question.reading
  return {
    headline: headlineOf(main, metric),
    metric,
    goal,
    factors,
    main,
    interactions,
    shares: sharesOf(evidence, factors, question.reading),
    deltas: deltas.listed,
    warnings: [
      ...new Set(
        main
          .flatMap(({ warnings }) => warnings)
          .filter(warning => !warning.startsWith('the difference is an average over')),
      ),
      ...(deltas.all > deltas.listed.length
        ? [`only ${deltas.listed.length} of ${deltas.all} deltas are listed: --filter leaves fewer`]
        : []),
    ],
  }
}

/** The largest effect that is shown, if it is not one of these factors; without what takes longest, the settings one by one. */
export function largerEffectThan(
  names: readonly string[],
  written: Evidence,
  question: EffectsQuestion,
): string | null {
  const { factors, main } = testedEffects(written, question)
  const own = factors.filter(({ name, members = [] }) => [name, ...members].some(one => names.includes(one)))
  return largerEffect(
    main,
    own.map(({ name }) => name),
    question.reading.metric,
  )
}

function testedEffects(written: Evidence, question: EffectsQuestion) {
  const groups = effectGroups(written)
  const evidence = withJointFactors(written, groups)
  const factors = effectFactors(evidence, groups)
  if (factors.length === 0 && rangesOf(evidence).length > 0) throw noLevels(evidence)
  if (factors.length === 0) throw new AssayError('usage', 'nothing varies in these runs: there are no effects')
  const main = factors.flatMap(factor => levelsAgainstBaseline(evidence, factor, {}, question))
  const interactions = interactionsOf(evidence, factors, question.reading, question)
  const adjusted = adjustedP([...main.map(({ p }) => p), ...interactions.map(({ p }) => p)], question.correction)
  return {
    evidence,
    factors,
    main: main.map((effect, index) => ({
      ...effect,
      ...concluded({ ...effect, p_adjusted: adjusted[index] ?? null }, question),
    })),
    interactions: interactions.map((effect, index) => ({
      ...effect,
      p_adjusted: adjusted[main.length + index] ?? null,
    })),
  }
}

/** Factors that always change together count as one, with one effect: separate tests would be of the same runs. */
export const effectGroups = (evidence: Evidence): readonly (readonly string[])[] =>
  jointGroups(
    evidence.runs,
    evidence.factors.filter(name => hasEffect(evidence, name)),
  )

const hasEffect = (evidence: Evidence, name: string): boolean =>
  !rangesOf(evidence).includes(name) && levelsOf(evidence, name).filter(level => level !== null).length > 1

function effectFactors(evidence: Evidence, groups: readonly (readonly string[])[]): readonly EffectFactor[] {
  return groups.map(group => {
    const name = jointName(group)
    const levels = levelsOf(evidence, name).filter(level => level !== null)
    const wanted = evidence.baseline?.[name]
    const found = wanted === undefined ? 0 : levels.findIndex(level => sameLevel(level, wanted))
    const baselineIndex = Math.max(0, found)
    const baseline = levels[baselineIndex] ?? null
    return { name, levels, baseline, baselineIndex, ...(group.length > 1 && { members: group }) }
  })
}

function levelsAgainstBaseline(
  evidence: Evidence,
  { name, levels, baseline, baselineIndex, members }: EffectFactor,
  within: JsonObject,
  question: EffectsQuestion,
): Effects['main'] {
  const candidates = comparableLevels(evidence, { name, levels, baseline, baselineIndex }, within)
  if (candidates.length === 0) return []
  const arm = (level: Json) => ({
    ...armOf(evidence, { ...within, [name]: level }),
    label: members !== undefined ? `${name}=${levelText(level)}` : labelOf({ [name]: level }, evidence),
  })
  const compared = compareArms(evidence, {
    ...question,
    margin: null,
    control: arm(baseline),
    candidates: candidates.map(arm),
  })
  return compared.map(({ comparison }, index) => ({ ...comparison, factor: name, level: candidates[index] ?? null }))
}

/** The levels that were run with these levels of the others; none if the baseline was not. */
function comparableLevels(
  evidence: Evidence,
  { name, levels, baseline, baselineIndex }: EffectFactor,
  within: JsonObject,
): readonly Json[] {
  if (!hasRuns(evidence, { ...within, [name]: baseline })) return []
  return levels.filter((level, index) => index !== baselineIndex && hasRuns(evidence, { ...within, [name]: level }))
}

const hasRuns = (evidence: Evidence, levels: JsonObject): boolean => runsWith(evidence.runs, levels).length > 0

/**
 * The effect of each ablation (otherwise of the factor with a baseline, otherwise of the first) in each setting of the
 * others.
 */
function deltasOf(
  evidence: Evidence,
  factors: readonly EffectFactor[],
  question: EffectsQuestion,
): { readonly listed: Effects['deltas']; readonly all: number } {
  const hasBaseline = ({ name }: EffectFactor) => evidence.baseline?.[name] !== undefined
  const factor =
    factors.find(({ name, members = [name] }) => members.includes('ablation')) ??
    factors.find(hasBaseline) ??
    factors[0]
  if (factor === undefined || factors.length < 2) return { listed: [], all: 0 }
  const others = factors.filter(other => other !== factor).map(({ name }) => name)
  const settings = new Map(
    evidence.runs.map(run => {
      const within = Object.fromEntries(others.map(name => [name, levelOf(run, name)]))
      return [canonicalJson(within), within] as const
    }),
  )
  const inOrder = [...settings.values()]
    .map(within => ({ within, label: labelOf(within) }))
    .sort((a, b) => naturalOrder(a.label, b.label))
  const listed: Effects['deltas'][number][] = []
  let all = 0
  for (const { within } of inOrder) {
    all += comparableLevels(evidence, factor, within).length
    // Each setting is a family of its own, so settings that are not listed need not be computed.
    if (listed.length >= mostDeltas) continue
    for (const effect of levelsAgainstBaseline(evidence, factor, within, question)) listed.push({ ...effect, within })
  }
  return { listed: listed.slice(0, mostDeltas), all }
}
