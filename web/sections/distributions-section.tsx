import { useMemo } from 'preact/hooks'
import { distributionsFigure } from '../../src/report/figures/variant-figures.ts'
import { type Distributions, distributionsOf } from '../../src/report/findings/variants.ts'
import { usePage } from '../app/context.ts'
import { FigureView } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'
import { RunPoints } from './run-points.tsx'

/** Every run a point. */
export function DistributionsSection() {
  return (
    <Section id="distributions" title="Distributions">
      <Body />
    </Section>
  )
}

function Body() {
  const { dataset, view } = usePage()
  const value = useMemo(() => distributionsOf(dataset, view), [dataset, view])
  return <FindingView finding={{ value, isOld: false }}>{found => <Points found={found} />}</FindingView>
}

function Points({ found }: { readonly found: Distributions }) {
  const figure = useMemo(() => distributionsFigure(found), [found])
  return <FigureView figure={figure} over={width => <RunPoints found={found} width={width} />} />
}
