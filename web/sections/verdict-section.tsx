import { useMemo } from 'preact/hooks'
import type { Comparison } from '../../src/analyze/compare/comparison.ts'
import { amountText, percentText, pText, writingOf } from '../../src/analyze/numbers.ts'
import { counted, unitWord } from '../../src/analyze/words.ts'
import { filtered } from '../../src/report/findings/looked-at.ts'
import { totalsOf } from '../../src/report/findings/totals.ts'
import { verdictOf } from '../../src/report/findings/verdict.ts'
import { badgesOf } from '../../src/report/findings/wording/badges.ts'
import { nextStepsOf } from '../../src/report/findings/wording/next-steps.ts'
import { orReason } from '../../src/report/findings/wording/or-reason.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'

const mostOthers = 5

/** Which is better, by how much, how sure are we, what did it cost, what next. */
export function VerdictSection() {
  const { dataset, view, refused } = usePage()
  const { value: compared, isOld } = useFinding('comparisons', view)
  const verdict = useMemo(
    () => (compared === undefined ? null : verdictOf(dataset, view, compared)),
    [dataset, view, compared],
  )
  const badges = useMemo(() => badgesOf(dataset), [dataset])
  const { description } = dataset.experiments[0] ?? { description: '' }
  return (
    <section id="verdict" aria-labelledby="verdict-title">
      <h1 id="verdict-title" tabIndex={-1}>
        {dataset.title}
      </h1>
      {description !== '' && <p class="lede">{description}</p>}
      <ul class="badges" aria-label="What to know first">
        {badges.map(({ text, tone, meaning }) => (
          <li key={text} class={`badge ${tone}`} title={meaning}>
            {text}
          </li>
        ))}
        <FilterBadge />
      </ul>
      {refused !== null && (
        <p class="refused" role="status">
          The filter “{refused.filter}” is not applied: {firstLine(refused.reason)}. What is shown is still about{' '}
          {view.filter.trim() === '' ? 'all runs' : `the runs with ${view.filter.trim()}`}.
        </p>
      )}
      <div class={refused !== null ? 'stale' : isOld ? 'old' : ''} aria-live="polite" aria-busy={isOld}>
        {verdict === null ? (
          <p class="waiting">Computing …</p>
        ) : (
          <>
            <p class="headline" data-verdict={verdict.verdict ?? 'none'}>
              {verdict.headline}
            </p>
            <Numbers about={verdict.about} />
            {verdict.others.length > 0 && (
              <ul class="sentences">
                {verdict.others.slice(0, mostOthers).map(sentence => (
                  <li key={sentence}>{sentence}</li>
                ))}
                {verdict.others.length > mostOthers && (
                  <li>and {verdict.others.length - mostOthers} more, in the table of differences below.</li>
                )}
              </ul>
            )}
            <Remarks title="Before you believe it" texts={verdict.warnings} />
            <Remarks title="What next" texts={nextStepsOf(dataset, verdict.about)} />
          </>
        )}
      </div>
    </section>
  )
}

/** Where in the text it is, is shown beside the field. */
const firstLine = (reason: string): string => (reason.split('\n')[0] ?? '').replace(/[.:]$/, '')

/** Of which runs everything here is: a verdict on some of them is another one. */
function FilterBadge() {
  const { dataset, view } = usePage()
  const filter = view.filter.trim()
  const kept = useMemo(() => orReason(() => filtered(dataset.evidence, filter).runs.length), [dataset, filter])
  if (filter === '' || 'reason' in kept) return null
  const of = counted(dataset.evidence.runs.length, 'run')
  return (
    <li class="badge warning" title="Everything but cost and time is computed from these runs alone.">
      only {filter}: {kept.found} of {of}
    </li>
  )
}

/** The numbers behind the sentence, large enough to be found again. */
function Numbers({ about }: { readonly about: Comparison | null }) {
  const { dataset, view } = usePage()
  const totals = totalsOf(dataset)
  const count = dataset.evidence.runs.length
  const whose = count === 1 ? 'the one run' : `all ${count} runs`
  const despite = view.filter.trim() === '' ? '' : ', whatever the filter'
  const rows: (readonly [name: string, value: string, more: string])[] = [
    ...(about === null ? [] : numbersOf(about)),
    ...(totals.cost_usd === null
      ? []
      : [
          [
            'Cost',
            amountText('cost_usd')(totals.cost_usd),
            `${totals.budget_usd === null ? '' : `of ${amountText('cost_usd')(totals.budget_usd)}, `}${whose}${despite}`,
          ] as const,
        ]),
    ...(totals.wall_s === null
      ? []
      : [
          [
            'Time',
            durationText(totals.wall_s),
            `${whose}${count === 1 ? '' : ' one after another'}${despite}`,
          ] as const,
        ]),
  ]
  return (
    <dl class="numbers">
      {rows.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span class="number-value">{value}</span>
            <span class="number-more">{more}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function numbersOf(about: Comparison): readonly (readonly [string, string, string])[] {
  const { difference, bound } = writingOf(about)
  const { estimate, ci, p, p_adjusted, n, unit, correction, candidate, control } = about
  const range =
    ci === null
      ? (about.reason ?? 'no interval')
      : `${percentText(ci.level)} CI ${ci.low === null ? '−∞' : bound(ci.low)} to ${ci.high === null ? '∞' : bound(ci.high)}`
  const chance = p_adjusted ?? p
  return [
    [`Difference: ${candidate} − ${control}`, estimate === null ? '–' : difference(estimate), range],
    [
      n.pairs === null ? 'Units' : 'Pairs',
      String(n.pairs ?? n.candidate),
      n.pairs === null ? `against ${counted(n.control, unitWord(unit))}` : `${counted(n.pairs, unitWord(unit))}`,
    ],
    [
      'p',
      chance === null ? '–' : withoutP(chance),
      [p_adjusted === null ? about.test : `corrected (${correction})`, ...otherTests(about)].join('; '),
    ],
  ]
}

/** Tests that assume less, and may say another thing. */
const otherTests = ({ other_tests, p_adjusted }: Comparison): readonly string[] =>
  other_tests.flatMap(({ test, p }) =>
    p === null ? [] : [`${withoutP(p)} by ${test}${p_adjusted === null ? '' : ', uncorrected'}`],
  )

const withoutP = (p: number): string => pText(p).replace(/^p (= )?/, '')

function Remarks({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <details class="remarks" open={texts.length <= 3}>
      <summary>
        {title} ({texts.length})
      </summary>
      <ul>
        {texts.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  )
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
}
