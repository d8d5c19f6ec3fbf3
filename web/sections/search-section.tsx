import { useMemo } from 'preact/hooks'
import {
  historyFigure,
  importancesFigure,
  parallelFigure,
  slicesFigure,
} from '../../src/report/figures/search-figures.ts'
import { isResolved, type SearchFindings } from '../../src/report/findings/search.ts'
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
    () =>
      [historyFigure(found), slicesFigure(found), importancesFigure(found), parallelFigure(found)].filter(
        figure => figure !== null,
      ),
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
      {!found.importances.some(isResolved) && found.parallel.axes.length > 2 && (
        <p class="note">Too few variants to say which parameter matters most.</p>
      )}
    </>
  )
}
