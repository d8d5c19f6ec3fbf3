import { useMemo } from 'preact/hooks'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { counted } from '../../src/util/words.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureViews } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** How agents did on tasks: overall, then task by task, failing and flaky ones first. */
export function ScoresSection() {
  const { view } = usePage()
  return (
    <Section id="scores" title="Scores by task">
      <FindingView finding={useFinding('scores', view)}>{found => <All found={found} />}</FindingView>
    </Section>
  )
}

/** For more variants, the table below is easier to read. */
const mostSentences = 2
const mostReasons = 50

function All({ found }: { readonly found: Found<'scores'> }) {
  const figures = useMemo(() => figuresOf.scores(found), [found])
  const sentences = [...(found.sentences.length > mostSentences ? [] : found.sentences), ...found.remarks]
  return (
    <>
      {sentences.length > 0 && (
        <ul class="sentences">
          {sentences.map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {found.warning !== null && <p class="score-warning">{found.warning}</p>}
      <FigureViews figures={figures} />
      <Unsupported all={found.unsupported} />
    </>
  )
}

function Unsupported({ all }: { readonly all: Found<'scores'>['unsupported'] }) {
  if (all.length === 0) return null
  const left = all.length - mostReasons
  return (
    <details class="failure" open>
      <summary>
        <strong>Environments that this machine could not make</strong> ({all.length}): they have no score, which is not
        a score of 0
      </summary>
      <ul>
        {all.slice(0, mostReasons).map(({ task, reason, runs }) => (
          <li key={`${task} ${reason}`}>
            {task}, {counted(runs, 'rollout')}: {reason}
          </li>
        ))}
      </ul>
      {left > 0 && <p class="note">{left} more are in the JSON report.</p>}
    </details>
  )
}
