import { counted } from '../../../util/words.ts'
import { markdownTable, safe } from '../../analysis/sections.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { asksPrompts, type MatrixCase, type MatrixCell, promptMatrixOf } from '../../findings/prompt-matrix.ts'
import type { View } from '../../findings/view.ts'
import { section } from './parts.ts'

const mostCases = 60
const longestText = 160

/** Cases against variants, starting with those on which variants disagree; empty if the question is another. */
export function promptMatrixText(dataset: Dataset, view: View): string {
  if (!asksPrompts(dataset)) return ''
  const matrix = promptMatrixOf(dataset, view)
  if ('reason' in matrix || matrix.found.cases.length === 0) return ''
  const { variants, cases } = matrix.found
  const disputed = cases.filter(({ isDisputed }) => isDisputed)
  const shown = [...disputed, ...cases.filter(({ isDisputed }) => !isDisputed)].slice(0, mostCases)
  const table = markdownTable(
    ['case', ...variants.map(({ label, passed, judged }) => `${safe(label)} (${passed} of ${judged})`)],
    shown.map(rowOf),
  ).join('\n')
  const left = cases.length - shown.length
  return section(
    'Cases × variants',
    [
      ...(variants.length < 2
        ? []
        : [`The variants disagree about ${disputed.length} of ${counted(cases.length, 'case')}.`]),
      table,
      ...(left > 0 ? [`${counted(left, 'more case')}: the page has all of them.`] : []),
    ].join('\n\n'),
  )
}

const rowOf = ({ name, isDisputed, cells }: MatrixCase): readonly string[] => [
  `${safe(name)}${isDisputed ? ' (they disagree)' : ''}`,
  ...cells.map(cellText),
]

/** `**fail**: lacks "yes". “no”`: with several repetitions, how many passed, and one that did not. */
function cellText({ passed, judged, runs }: MatrixCell): string {
  const shownRun = runs.find(({ passes }) => passes === false) ?? runs[0]
  if (shownRun === undefined) return '–'
  const isPassed = judged > 0 && passed === judged
  const verdict = judged === 0 ? 'not judged' : isPassed ? 'pass' : '**fail**'
  const counts = judged > 1 ? ` (${passed} of ${judged} pass)` : ''
  const why = shownRun.why.length === 0 ? '' : `: ${safe(cut(shownRun.why.join('; ')))}`
  const answer = shownRun.answer === null || shownRun.answer === '' ? '' : ` “${safe(cut(shownRun.answer))}”`
  return `${verdict}${counts}${why}${answer}`
}

const cut = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`)
