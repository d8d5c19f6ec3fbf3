import { useMemo } from 'preact/hooks'
import type { Comparison } from '../../src/analyze/compare/comparison.ts'
import { verdictOf } from '../../src/report/findings/verdict.ts'
import { badgesOf, nextStepsOf, tilesOf } from '../../src/report/findings/wording/page-words.ts'
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
  const badges = useMemo(() => badgesOf(dataset, view), [dataset, view])
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
              {verdict.best === undefined ? verdict.headline : verdict.best.title}
            </p>
            {verdict.best !== undefined && (
              <ul class="chips" aria-label="Its parameters">
                {verdict.best.params.map(([name, level]) => (
                  <li key={name}>
                    <span class="chip-name">{name}</span>
                    {level}
                  </li>
                ))}
              </ul>
            )}
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

/** The numbers behind the sentence, large enough to be found again. */
function Numbers({ about }: { readonly about: Comparison | null }) {
  const { dataset, view } = usePage()
  return (
    <dl class="numbers">
      {tilesOf(dataset, view, about).map(({ name, value, more }) => (
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

function Remarks({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <details class="remarks" open>
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
