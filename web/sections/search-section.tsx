import { useMemo } from 'preact/hooks'
import { historyFigure, importancesFigure, parallelFigure } from '../../src/report/figures/search-figures.ts'
import type { SearchFindings } from '../../src/report/findings/search.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureView } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** What a search tried and what it found to matter. */
export function SearchSection() {
  return (
    <Section id="search" title="Search">
      <Body />
    </Section>
  )
}

function Body() {
  const { view } = usePage()
  return <FindingView finding={useFinding('search', view)}>{found => <Figures found={found} />}</FindingView>
}

function Figures({ found }: { readonly found: SearchFindings }) {
  const figures = useMemo(
    () => [historyFigure(found), parallelFigure(found), importancesFigure(found)].filter(figure => figure !== null),
    [found],
  )
  return (
    <>
      <p>
        {found.trials.length} variants, chosen by {found.method}.
      </p>
      {figures.map(figure => (
        <FigureView key={figure.id} figure={figure} />
      ))}
      {found.importances.length === 0 && (
        <p class="reason">No importances: there are too few variants with a value, or all have the same.</p>
      )}
    </>
  )
}
