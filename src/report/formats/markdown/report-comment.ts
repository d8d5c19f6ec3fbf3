import { agreementLines } from '../../../analyze/agreement.ts'
import { counted, percentText } from '../../../util/words.ts'
import { markdownTable, safe } from '../../analysis/sections.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { comparisonsOf } from '../../findings/comparisons.ts'
import { type PassFindings, passFindingsOf } from '../../findings/passes.ts'
import { verdictOf } from '../../findings/verdict.ts'
import type { View } from '../../findings/view.ts'
import { totalsOf } from '../../findings/wording/page-words.ts'

const mostFlips = 20
const mostFailing = 10
const longestReason = 160

/** A few lines for a pull request: whether it passed, what is better, what flipped, what fails and why. */
export function reportComment(dataset: Dataset, view: View): string {
  const passes = passFindingsOf(dataset, view)
  const { headline, levels } = verdictOf(dataset, view, comparisonsOf(dataset, view))
  const { cost_usd } = totalsOf(dataset)
  const runs = dataset.evidence.runs.length
  const parts = [
    `### ${safe(dataset.title)}: ${passes === null ? counted(runs, 'run') : passText(passes)}`,
    `**${safe(headline)}**`,
    levels.map(line => `- ${safe(line)}`).join('\n'),
    ...(passes === null ? [] : [armsText(passes), flipsText(passes), failingText(passes)]),
    agreementLines(dataset.evidence.runs)
      .map(line => `- ${safe(line)}`)
      .join('\n'),
    `<sub>${counted(runs, 'run')}${(cost_usd ?? 0) > 0 ? `, $${cost_usd?.toPrecision(3)}` : ''} · assay ${dataset.assay}</sub>`,
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

function passText({ passed, judged, required }: PassFindings): string {
  const said = `${passed} of ${judged} passed (${percentText(passed / judged)})`
  if (required === null) return said
  return `${passed / judged >= required ? '✅' : '❌'} ${said}, required ${percentText(required)}`
}

function armsText({ arms, flips }: PassFindings): string {
  if (arms.length < 2) return ''
  const rows = arms.map(({ arm, passed, judged }, at) => {
    const own = flips.filter(({ candidate }) => candidate === arm)
    const better = own.filter(({ passes }) => passes).length
    const changed = at === 0 ? '' : `+${better} −${own.length - better}`
    const rate = judged === 0 ? '–' : `${passed} of ${judged} (${percentText(passed / judged)})`
    return [safe(arm), rate, changed]
  })
  return markdownTable(['', 'passed', 'flipped'], rows).join('\n')
}

function flipsText({ flips }: PassFindings): string {
  if (flips.length === 0) return ''
  // Broken cases come first: a reviewer must look at those.
  const rows = flips
    .toSorted((a, b) => Number(a.passes) - Number(b.passes))
    .slice(0, mostFlips)
    .map(({ about, candidate, passes, why }) => [
      safe(about),
      safe(candidate),
      passes ? 'fail → pass' : 'pass → **fail**',
      safe(cut(why)),
    ])
  const baseline = flips[0]?.baseline ?? ''
  return [
    `What flipped against ${safe(baseline)}:`,
    '',
    ...markdownTable(['case', 'variant', 'flip', 'why it failed'], rows),
    ...more(flips.length - mostFlips),
  ].join('\n')
}

function failingText({ failing, flips, arms }: PassFindings): string {
  if (failing.length === 0 || (flips.length > 0 && arms.length > 1)) return ''
  const rows = failing.slice(0, mostFailing).map(({ about, arm, why }) => [safe(about), safe(arm), safe(cut(why))])
  return [
    'What failed:',
    '',
    ...markdownTable(['case', 'variant', 'why'], rows),
    ...more(failing.length - mostFailing),
  ].join('\n')
}

const more = (left: number): readonly string[] =>
  left > 0 ? ['', `and ${left} more: \`assay report\` has them all`] : []

const cut = (text: string): string => (text.length <= longestReason ? text : `${text.slice(0, longestReason - 1)}…`)
