import { useMemo } from 'preact/hooks'
import { headOf } from '../../src/report/findings/page.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'

const mostOthers = 5

/** Which is better, by how much, how sure are we, what did it cost, what next. */
export function VerdictSection() {
  const { dataset, view, refused } = usePage()
  const { value: compared, isOld } = useFinding('comparisons', view)
  const { badges, answer } = useMemo(() => headOf(dataset, view, compared), [dataset, view, compared])
  const { description } = dataset.experiments[0] ?? { description: '' }
  return (
    <section id="verdict" aria-labelledby="verdict-title">
      <h1 id="verdict-title" tabIndex={-1}>
        {dataset.title}
      </h1>
      {description !== '' && description !== dataset.title && <p class="lede">{description}</p>}
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
        {answer === null ? (
          <p class="waiting">Computing …</p>
        ) : (
          <>
            <p class="headline" data-verdict={answer.verdict ?? 'none'}>
              {answer.best === undefined ? answer.headline : answer.best.title}
            </p>
            {answer.best !== undefined && (
              <ul class="chips" aria-label="Its parameters">
                {answer.best.params.map(([name, level]) => (
                  <li key={name}>
                    <span class="chip-name">{name}</span>
                    {level}
                  </li>
                ))}
              </ul>
            )}
            <Numbers tiles={answer.tiles} />
            {answer.others.length > 0 && (
              <ul class="sentences">
                {answer.others.slice(0, mostOthers).map(sentence => (
                  <li key={sentence}>{sentence}</li>
                ))}
                {answer.others.length > mostOthers && (
                  <li>and {answer.others.length - mostOthers} more, in the table of differences below.</li>
                )}
              </ul>
            )}
            <Remarks title="Before you believe it" texts={answer.warnings} />
            <Remarks title="What next" texts={answer.next} />
          </>
        )}
      </div>
    </section>
  )
}

/** The position in the text is shown beside the field. */
const firstLine = (reason: string): string => (reason.split('\n')[0] ?? '').replace(/[.:]$/, '')

/** The numbers behind the sentence, in large type. */
function Numbers({ tiles }: { readonly tiles: NonNullable<ReturnType<typeof headOf>['answer']>['tiles'] }) {
  return (
    <dl class="numbers">
      {tiles.map(({ name, value, more }) => (
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
