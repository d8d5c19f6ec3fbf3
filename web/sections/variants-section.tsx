import { useMemo } from 'preact/hooks'
import { armsFigure, differencesFigure } from '../../src/report/figures/comparison-figures.ts'
import { sweepFigures } from '../../src/report/figures/sweep-figures.ts'
import { variantsFigure } from '../../src/report/figures/variant-figures.ts'
import type { Comparisons } from '../../src/report/findings/comparisons.ts'
import { filtered } from '../../src/report/findings/runs.ts'
import type { VariantRows } from '../../src/report/findings/variants.ts'
import { orReason } from '../../src/report/findings/wording/texts.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureView } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'
import { ChoosePair } from './choose-pair.tsx'

/** Each arm, its difference from the baseline, and every variant. */
export function VariantsSection() {
  const { view } = usePage()
  return (
    <Section
      id="variants"
      title={view.group.length === 0 ? 'Variants' : 'Variants compared'}
      lede={`On ${view.metric}.`}
    >
      <FindingView finding={useFinding('comparisons', view)} isQuiet={view.group.length === 0}>
        {found => <Arms compared={found} />}
      </FindingView>
      <SweepFigures />
      <FindingView finding={useFinding('variants', view)}>{found => <Variants found={found} />}</FindingView>
    </Section>
  )
}

function Arms({ compared }: { readonly compared: Comparisons }) {
  const arms = useMemo(() => armsFigure(compared), [compared])
  const differences = useMemo(() => differencesFigure(compared), [compared])
  return (
    <>
      <FigureView figure={arms} />
      <FigureView figure={differences} />
    </>
  )
}

/** What the matrix sweep runner's report shows, where there are its metrics. */
function SweepFigures() {
  const { dataset, view } = usePage()
  const figures = useMemo(() => {
    const kept = orReason(() => sweepFigures(filtered(dataset.evidence, view.filter)))
    return 'found' in kept ? kept.found : []
  }, [dataset, view.filter])
  return (
    <>
      {figures.map(figure => (
        <FigureView key={figure.id} figure={figure} />
      ))}
    </>
  )
}

function Variants({ found }: { readonly found: VariantRows }) {
  const figure = useMemo(() => variantsFigure(found), [found])
  return found.rows.length < 2 ? null : (
    <>
      <FigureView figure={figure} />
      <ChoosePair rows={found.rows} />
    </>
  )
}
