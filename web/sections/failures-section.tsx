import { useMemo } from 'preact/hooks'
import { failuresFigure } from '../../src/report/figures/run-figures.ts'
import { type FailureClass, type Failures, failuresOf } from '../../src/report/findings/runs.ts'
import { counted, percentText } from '../../src/util/words.ts'
import { usePage } from '../app/context.ts'
import { FigureView } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'
import { OutputView } from '../runs/output-view.tsx'
import { runById } from '../runs/run-index.ts'

const mostExamples = 3

/** How runs ended without a result, with what they said. */
export function FailuresSection() {
  return (
    <Section id="failures" title="Failures">
      <Body />
    </Section>
  )
}

function Body() {
  const { dataset, view } = usePage()
  const value = useMemo(() => failuresOf(dataset, view), [dataset, view])
  return <FindingView finding={{ value, isOld: false }}>{found => <All found={found} />}</FindingView>
}

function All({ found }: { readonly found: Failures }) {
  const figure = useMemo(() => failuresFigure(found), [found])
  return (
    <>
      {found.classes.length === 0 ? (
        <p>Every run completed.</p>
      ) : (
        <>
          {found.classes.length > 1 && <FigureView figure={figure} />}
          {found.classes.map(one => (
            <ClassView key={one.name} one={one} of={found.of} />
          ))}
        </>
      )}
      <Missing found={found} />
    </>
  )
}

function ClassView({ one, of }: { readonly one: FailureClass; readonly of: number }) {
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

/** Runs that completed, and lack a number that they should have. */
function Missing({ found }: { readonly found: Failures }) {
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
