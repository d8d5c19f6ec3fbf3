import { useMemo } from 'preact/hooks'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { counted, percentText } from '../../src/util/words.ts'
import { useQuickFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureViews } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'
import { OutputView } from '../runs/output-view.tsx'
import { runById } from '../runs/run-index.ts'

const mostExamples = 3

/** How runs without a result ended, with their messages. */
export function FailuresSection() {
  return (
    <Section id="failures" title="Failures">
      <Body />
    </Section>
  )
}

function Body() {
  return <FindingView finding={useQuickFinding('failures')}>{found => <All found={found} />}</FindingView>
}

function All({ found }: { readonly found: Found<'failures'> }) {
  const figures = useMemo(() => figuresOf.failures(found), [found])
  return (
    <>
      {found.classes.length === 0 ? (
        <p>No run failed.</p>
      ) : (
        <>
          {found.classes.length > 1 && <FigureViews figures={figures} />}
          {found.classes.map(one => (
            <ClassView key={one.name} one={one} of={found.of} />
          ))}
        </>
      )}
      <Missing found={found} />
    </>
  )
}

function ClassView({ one, of }: { readonly one: Found<'failures'>['classes'][number]; readonly of: number }) {
  const { dataset, open } = usePage()
  const examples = one.runs.slice(0, mostExamples)
  return (
    <details class="failure">
      <summary>
        <strong>{one.name}</strong> {counted(one.runs.length, 'run')}, {percentText(one.runs.length / of)}
        {one.message !== null && <span class="failure-message"> {one.message}</span>}
      </summary>
      <p>Hardest hit: {one.variants.map(({ label, count, of: all }) => `${label} (${count} of ${all})`).join('; ')}.</p>
      {examples.map(id => (
        <div key={id} class="example">
          <button type="button" class="link" onClick={() => open(id)}>
            {runById(dataset, id)?.run.name ?? id}
          </button>
          <OutputView tails={runById(dataset, id)?.folder.output ?? []} />
        </div>
      ))}
    </details>
  )
}

/** Runs that completed but lack a number that they should have. */
function Missing({ found }: { readonly found: Found<'failures'> }) {
  const { open } = usePage()
  if (found.missing.length === 0) return null
  return (
    <details class="failure">
      <summary>
        <strong>Metrics that are missing</strong> though the run completed ({found.missing.length})
      </summary>
      <ul>
        {found.missing.slice(0, 50).map(({ metric, problem, runs }) => (
          <li key={`${metric} ${problem}`}>
            {metric}: {problem} in {counted(runs.length, 'run')}, e.g.{' '}
            <button type="button" class="link" onClick={() => open(runs[0] ?? '')}>
              {(runs[0] ?? '').replace(/^[^/]*\//, '')}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
