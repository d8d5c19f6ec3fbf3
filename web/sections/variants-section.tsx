import { useMemo } from 'preact/hooks'
import { mostCandidates } from '../../src/analyze/arms.ts'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { keptBy } from '../../src/report/findings/view.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureViews } from '../parts/figure-view.tsx'
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

function Arms({ compared }: { readonly compared: Found<'comparisons'> }) {
  const figures = useMemo(() => figuresOf.comparisons(compared), [compared])
  return <FigureViews figures={figures} />
}

/** The charts of the matrix sweep runner's report, if its metrics exist. */
function SweepFigures() {
  const { dataset, view } = usePage()
  const figures = useMemo(() => {
    const kept = keptBy(dataset.evidence, view.filter)
    return 'found' in kept ? figuresOf.sweep(kept.found) : []
  }, [dataset, view.filter])
  return <FigureViews figures={figures} />
}

function Variants({ found }: { readonly found: Found<'variants'> }) {
  const { view } = usePage()
  // If only compared factors vary, the variants are the arms above; those without a result are listed here.
  const isSaid =
    view.group.length > 0 &&
    found.conditions.length === 0 &&
    found.rows.length <= mostCandidates + 1 &&
    found.rows.every(({ runs, completed }) => completed === runs)
  const figures = useMemo(() => (isSaid ? [] : figuresOf.variants(found)), [found, isSaid])
  return found.rows.length < 2 ? null : (
    <>
      <FigureViews figures={figures} />
      <ChoosePair rows={found.rows} />
    </>
  )
}
