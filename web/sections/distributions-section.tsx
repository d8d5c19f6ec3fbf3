import { useMemo } from 'preact/hooks'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { useQuickFinding } from '../analysis/use-finding.ts'
import { FigureViews } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'
import { RunPoints } from './run-points.tsx'

/** Every run as a point. */
export function DistributionsSection() {
  return (
    <Section id="distributions" title="Distributions">
      <Body />
    </Section>
  )
}

function Body() {
  return <FindingView finding={useQuickFinding('distributions')}>{found => <Points found={found} />}</FindingView>
}

function Points({ found }: { readonly found: Found<'distributions'> }) {
  const figures = useMemo(() => figuresOf.distributions(found), [found])
  return (
    <FigureViews
      figures={figures}
      over={(figure, width) => <RunPoints {...{ figure, width, metric: found.metric }} />}
    />
  )
}
