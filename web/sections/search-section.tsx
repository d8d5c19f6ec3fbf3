import { useMemo } from 'preact/hooks'
import { isResolved } from '../../src/analyze/search/importances.ts'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureViews } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** What a search tried, and which parameters mattered. */
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

function Figures({ found }: { readonly found: Found<'search'> }) {
  const figures = useMemo(() => figuresOf.search(found), [found])
  return (
    <>
      <p>
        {found.trials.length} variants, chosen by {found.method}.
      </p>
      <FigureViews figures={figures} />
      {!found.importances.some(isResolved) && found.parallel.axes.length > 2 && (
        <p class="note">Too few variants to say which parameter matters most.</p>
      )}
    </>
  )
}
