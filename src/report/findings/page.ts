import { variantsOf } from '../../analyze/variants.ts'
import type { Observation } from '../../define/observation.ts'
import { type OrReason, orReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { hasAgents } from './agents.ts'
import type { Comparisons } from './comparisons.ts'
import { isLost } from './failures.ts'
import { asksPrompts } from './prompt-matrix.ts'
import { hasTasks } from './task-scores.ts'
import { inOrderOfInterest, verdictOf } from './verdict.ts'
import { armsBy, isUnderWay, keptBy, seriesNames, type View, varyingFactors } from './view.ts'
import { commandsOf } from './wording/commands.ts'
import { methodsOf } from './wording/methods.ts'
import { badgesOf, nextStepsOf, tilesOf } from './wording/page-words.ts'

/** The parts of a page, each with its name in the list of contents. */
export const sectionTitles = {
  verdict: 'Verdict',
  search: 'Search',
  prompts: 'Cases',
  scores: 'Scores by task',
  agents: 'Agents',
  variants: 'Variants',
  cost: 'Cost and score',
  effects: 'Effects',
  distributions: 'Distributions',
  curves: 'Curves and chance',
  failures: 'Failures',
  runs: 'Runs',
  provenance: 'Provenance',
} as const

export type SectionId = keyof typeof sectionTitles

/**
 * The sections of a page, ordered by what its experiment asks: for a search what it found, for prompts which cases they
 * answer, otherwise which variant is better. Empty sections are left out, unless runs are still to come that may fill
 * them: nothing above a reader's position should appear later, or disappear.
 */
export function sectionsOf(
  dataset: Dataset,
  view: View,
  always: ReadonlySet<SectionId> = new Set(),
): readonly SectionId[] {
  const kept = keptBy(dataset.evidence, view.filter)
  if ('reason' in kept)
    return ['verdict', ...(dataset.evidence.runs.length > 0 ? (['runs'] as const) : []), 'provenance']
  const { runs, levels } = kept.found
  const isComing = isUnderWay(dataset)
  const planned = isComing ? Object.values(levels).filter(of => of.length > 1).length : 0
  const search = dataset.experiments.find(one => one.search !== null)?.search ?? null
  const variants = runs.length > 0 ? variantsOf(kept.found).length : 0
  const groups = groupsOf(kept.found, view)
  const hasSeries = runs.some(run => run.series.length > 0)
  const isCompared = view.group.length > 0 && groups.length > 1
  const repeated = variants > 0 && runs.length >= fewestPoints * Math.min(variants, groups.length)
  const isRunning = dataset.experiments.some(({ standing }) => (standing?.states.running ?? 0) > 0)
  const says: Partial<Record<SectionId, boolean>> = {
    search: search !== null,
    prompts: asksPrompts(dataset),
    scores: hasTasks(dataset),
    agents: hasAgents(dataset),
    variants: variants > 1 || planned > 0,
    cost: (variants > 1 || planned > 0) && view.cost !== view.metric && hasCost(runs, view.cost),
    effects: Math.max(planned, varyingFactors(kept.found).length) > 1 && (search === null || search.method === 'grid'),
    distributions: repeated || isComing,
    curves: hasSeries || isCompared || isComing || (repeated && !areAlike(kept.found, view)),
    failures: isRunning || runs.some(run => isLost(run.outcome) || hasProblems(run)),
  }
  return (search !== null ? searchOrder : defaultOrder).filter(id => always.has(id) || (says[id] ?? true))
}

const defaultOrder: readonly SectionId[] = [
  ...(['verdict', 'prompts', 'scores', 'agents', 'variants', 'cost', 'effects'] as const),
  ...(['distributions', 'curves', 'failures', 'runs', 'provenance'] as const),
]

const searchOrder: readonly SectionId[] = [
  ...(['verdict', 'search', 'prompts', 'scores', 'agents', 'variants', 'curves', 'cost'] as const),
  ...(['effects', 'distributions', 'failures', 'runs', 'provenance'] as const),
]

/** Fewer runs show neither a distribution nor a spread. */
const fewestPoints = 3

function groupsOf(evidence: Dataset['evidence'], { group }: View): readonly unknown[] {
  return group.length === 0 ? variantsOf(evidence) : armsBy(evidence, group)
}

/** Runs that all gave the same number have no spread to show. */
function areAlike({ runs }: Dataset['evidence'], { metric }: View): boolean {
  const values = runs.flatMap(run => run.metrics[metric] ?? [])
  return values.length === runs.length && new Set(values).size < 2
}

/** What a section is called on this page: without a series there are no curves. */
export const titleOf = (id: SectionId, dataset: Dataset, view: View): string =>
  id === 'curves' && seriesNames(dataset, view).length === 0 ? 'Variation and chance' : sectionTitles[id]

/**
 * The duration of very short runs says nothing about a variant. Most runs have to take longer: one slow start, or a
 * busy machine, must not add a section.
 */
const hasCost = (runs: readonly Observation[], cost: string): boolean =>
  cost !== 'wall_s' || 2 * runs.filter(({ wall_s }) => (wall_s ?? 0) >= 1).length > runs.length

const hasProblems = ({ problems, columns }: Observation): boolean =>
  columns === undefined && Object.keys(problems).length > 0

type Compared = OrReason<Comparisons> | undefined

/**
 * The top of the page: what to know before, the answer with its numbers, and what to do next. The answer is null while
 * it is being computed.
 */
export function headOf(dataset: Dataset, view: View, compared: Compared) {
  return { badges: badgesOf(dataset, view), answer: compared === undefined ? null : answerOf(dataset, view, compared) }
}

function answerOf(dataset: Dataset, view: View, compared: OrReason<Comparisons>) {
  const found = verdictOf(dataset, view, compared)
  const { headline, below } = inLargeType(found.headline)
  const verdict = { ...found, headline, others: [...below, ...found.others] }
  return { ...verdict, tiles: tilesOf(dataset, view, verdict.about), next: nextStepsOf(dataset, verdict.about) }
}

/** Large type has what was found; what it would have taken, and what was left out, are sentences below it. */
function inLargeType(headline: string): { readonly headline: string; readonly below: readonly string[] } {
  const [first = '', ...rest] = headline.replace(/\.$/, '').split('; ')
  const isLarge = (clause: string) => clause.startsWith('it depends on ')
  return {
    headline: `${[first, ...rest.filter(isLarge)].join('; ')}.`,
    below: rest.filter(clause => !isLarge(clause)).map(clause => `${sentenceStart(clause)}.`),
  }
}

/** `p = 0.02` stays as it is. */
const sentenceStart = (clause: string): string =>
  /^p [<≤=]/.test(clause) ? clause : `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`

/** The comparison that the headline is about. */
export const leadingOf = (comparisons: Comparisons['comparisons']): Comparisons['comparisons'][number] | undefined =>
  inOrderOfInterest(comparisons)[0]

/** The end of the page: how it was done, and how to reproduce it. */
export function provenanceOf(dataset: Dataset, view: View, compared: Compared) {
  return {
    methods: compared === undefined ? null : orReason(() => methodsOf(dataset, view, compared)),
    commands: commandsOf(dataset, view),
  }
}
