import { agreementLines } from '../../analyze/agreement.ts'
import type { Comparison, Verdict } from '../../analyze/compare/compare.ts'
import { isYesNoMetric } from '../../analyze/reading.ts'
import { bestText, incompleteText, worthText } from '../../analyze/search/trials.ts'
import { namedFailure } from '../../define/outcome.ts'
import { type OrReason, orReason } from '../../util/errors.ts'
import { counted, levelText, listed, percentText, shortNumber, writingOf } from '../../util/words.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { type Comparisons, largerEffectOf } from './comparisons.ts'
import { type BestFound, bestFoundOf } from './search.ts'
import { variantRowsOf } from './variants.ts'
import { type View, viewedRuns } from './view.ts'
import { coverageOf } from './wording/page-words.ts'

/** The answer in words, before everything else. */
export interface VerdictFinding {
  /** The subject: arms, the best variant of a search, the only variant; none: nothing can be said. */
  readonly kind: 'compared' | 'found' | 'measured' | 'none'
  /** null: nothing was compared. */
  readonly verdict: Verdict | null
  readonly headline: string
  /** The comparison that the headline is about. */
  readonly about: Comparison | null
  /** If the headline does not hold at every level of another factor: the difference at each. */
  readonly levels: readonly string[]
  /** A larger effect of another factor, the difference at each level, then the conclusions about the other candidates. */
  readonly others: readonly string[]
  readonly warnings: readonly string[]
  /** The result of a search: the headline in two parts. */
  readonly best?: { readonly title: string; readonly params: readonly (readonly [name: string, level: string])[] }
}

export function verdictOf(dataset: Dataset, view: View, compared: OrReason<Comparisons>): VerdictFinding {
  const found = foundOf(dataset, view, compared)
  const agreed = agreementLines(dataset.evidence.runs).map(line => `${line}.`)
  const finding = {
    ...found,
    others: [...found.others, ...agreed],
  }
  const { planned, left } = coverageOf(dataset.experiments)
  if (left === 0) return finding
  return { ...finding, headline: `Partial (${planned - left} of ${counted(planned, 'run')}): ${finding.headline}` }
}

function foundOf(dataset: Dataset, view: View, compared: OrReason<Comparisons>): VerdictFinding {
  if (dataset.evidence.runs.length > 0 && !dataset.evidence.runs.some(({ outcome }) => outcome.kind === 'completed'))
    return { ...noVerdict, headline: allFailed(dataset) }
  if ('reason' in compared) return withoutComparison(dataset, view, compared.reason)
  const { baseline, comparisons, chosenFrom } = compared.found
  const [first, ...rest] = inOrderOfInterest(comparisons)
  if (first === undefined) return { ...noVerdict, headline: 'Nothing was compared.' }
  const warnings = [...new Set(comparisons.flatMap(comparison => comparison.warnings))]
  const larger = largerEffectOf(dataset, view)
  const elsewhere = larger === null ? [] : [larger]
  const atLevels = levelLines(first)
  // If the difference only varies in size, the headline holds at every level.
  const levels = first.headline === first.sentence ? [] : atLevels
  if (rest.length === 0 || first.verdict === 'better' || first.verdict === 'equivalent')
    return {
      kind: 'compared',
      verdict: first.verdict,
      headline: headline(first),
      about: first,
      levels,
      others: [...elsewhere, ...atLevels, ...rest.map(sentence)],
      warnings,
    }
  return {
    kind: 'compared',
    verdict: first.verdict,
    headline: noneBetter(baseline, comparisons, chosenFrom),
    about: first,
    levels: [],
    others: [...elsewhere, ...[first, ...rest].map(sentence)],
    warnings,
  }
}

const noVerdict: Omit<VerdictFinding, 'headline'> = {
  kind: 'none',
  verdict: null,
  about: null,
  levels: [],
  others: [],
  warnings: [],
}

const sentence = (comparison: Comparison): string => asSentence(comparison.sentence)
/** Its levels stand below it as rows. */
const headline = (comparison: Comparison): string => asSentence(comparison.headline)

/** Names are not capitalised: `raw` is not `Raw`. */
const asSentence = (text: string): string => `${text.replace(/^no /, 'No ').replace(/^that /, 'That ')}.`

/** If the difference is not the same at every level of another factor: the difference at each. */
const levelLines = (comparison: Comparison): readonly string[] => {
  const { difference, bound } = writingOf(comparison)
  const range = (ci: NonNullable<Comparison['by_level'][number]['levels'][number]['ci']>): string =>
    `, ${percentText(ci.level)} CI ${ci.low === null ? '−∞' : bound(ci.low)} to ${ci.high === null ? '∞' : bound(ci.high)}`
  return comparison.by_level.flatMap(({ levels }) =>
    levels.map(
      ({ label, estimate, ci, verdict }) =>
        `At ${label}: ${estimate === null ? 'no value' : difference(estimate)}${ci === null ? '' : range(ci)}: ${verdict}.`,
    ),
  )
}

const rank: Readonly<Record<Verdict, number>> = { better: 0, equivalent: 1, inconclusive: 2, worse: 3 }

/** What is better first, and of those what is better by most. */
export const inOrderOfInterest = (comparisons: readonly Comparison[]): readonly Comparison[] =>
  comparisons.toSorted((a, b) => rank[a.verdict] - rank[b.verdict] || gain(b) - gain(a))

const gain = ({ estimate, goal }: Comparison): number =>
  estimate === null ? Number.NEGATIVE_INFINITY : goal === 'maximize' ? estimate : -estimate

function noneBetter(baseline: string, comparisons: readonly Comparison[], chosenFrom: number | undefined): string {
  const metric = comparisons[0]?.metric ?? ''
  const worse = comparisons.filter(({ verdict }) => verdict === 'worse')
  if (chosenFrom !== undefined)
    return worse.length === comparisons.length
      ? `${baseline} is the best of ${chosenFrom + 1} on ${metric}: even the best ${comparisons.length} of the others are worse.`
      : `None of the best ${comparisons.length} of ${chosenFrom} others is shown to be better than ${baseline} on ${metric}.`
  if (worse.length === comparisons.length)
    return `${baseline} is the best of ${comparisons.length + 1} on ${metric}: ${listed(worse.map(one => one.candidate))} are worse.`
  return `None of the ${comparisons.length} others is shown to be better than ${baseline} on ${metric}.`
}

function allFailed({ evidence: { runs } }: Dataset): string {
  const groups = [...Map.groupBy(runs, ({ outcome }) => namedFailure(outcome))]
  const [[most, { length }] = ['failed', runs]] = groups.toSorted(([, a], [, b]) => b.length - a.length)
  const total = runs.length
  if (length === total)
    return `No run completed: ${total === 1 ? 'the one there is' : `all ${total}`} ended as “${most}”.`
  return `No run completed: all ${total} ended without a result, ${length} of them as “${most}”.`
}

function withoutComparison(dataset: Dataset, view: View, reason: string): VerdictFinding {
  const searched = orReason(() => bestFoundOf(dataset, view))
  if ('found' in searched && searched.found !== null)
    return { ...noVerdict, kind: 'found', ...ofSearch(searched.found) }
  const measured = oneVariant(dataset, view)
  return measured === null
    ? { ...noVerdict, headline: `No verdict: ${reason}.` }
    : { ...noVerdict, kind: 'measured', headline: measured }
}

/** As in `assay sweep best`: the winner, how well it is known, and that it was chosen for winning. */
function ofSearch(found: BestFound): Pick<VerdictFinding, 'headline' | 'others' | 'best'> {
  const { best, compared, rivals } = found
  const [winner] = best
  const title = winner === undefined ? 'Nothing was found' : bestText(winner, found)
  const params = Object.entries(winner?.varied ?? {}).map(
    ([name, level]) => [name, typeof level === 'number' ? shortNumber(level) : levelText(level)] as const,
  )
  const incomplete = incompleteText(found)
  return {
    headline: `${title}.${params.length === 0 ? '' : ` ${params.map(([name, text]) => `${name}=${text}`).join(', ')}`}`,
    best: { title, params },
    others: [
      `${counted(compared + found.incomplete, 'variant')} tried${found.incomplete > 0 ? `, ${compared} compared` : ''}. ${worthText(found)}`,
      ...(rivals === null || rivals === 0
        ? []
        : [
            `${rivals} of the other ${compared - 1} ${rivals === 1 ? 'has its mean' : 'have their means'} inside that interval, and may be as good.`,
          ]),
      ...(incomplete === null ? [] : [incomplete]),
      ...(found.isLastInstead
        ? [
            'Series were thinned for this page, so that runs count here with the last value that they reported, not with the best as in the search: assay sweep best has that.',
          ]
        : []),
    ],
  }
}

/** null: there are several, or nothing is known about the only one. */
function oneVariant(dataset: Dataset, view: View): string | null {
  const rows = variantRowsOf(dataset, view)
  const [only, second] = 'found' in rows ? rows.found.rows : []
  if ('found' in rows && only !== undefined && second === undefined && only.value.mean !== null) {
    const { mean, ci, count } = only.value
    const { evidence, reading } = viewedRuns(dataset, view)
    const { value } = writingOf({ metric: rows.found.metric, yes_no: isYesNoMetric(evidence.runs, reading) })
    const range =
      ci === null || ci.low === null || ci.high === null
        ? ''
        : `${percentText(ci.level)} CI ${value(ci.low)} to ${value(ci.high)}, `
    return `${rows.found.metric} is ${value(mean)}${count === 1 ? '' : ' on average'} (${range}${counted(count, 'run')}). There is one variant: nothing to compare it with.`
  }
  return null
}
