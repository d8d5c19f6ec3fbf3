import { useMemo } from 'preact/hooks'
import { paretoFigure } from '../../src/report/figures/variant-figures.ts'
import type { VariantRows } from '../../src/report/findings/variants.ts'
import { metricsOf } from '../../src/report/findings/view.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { Choice } from '../parts/field.tsx'
import { FigureView } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** What the variants give for what they take. */
export function CostSection() {
  const { view } = usePage()
  const variants = useFinding('variants', view)
  return (
    <Section id="cost" title="Cost against score">
      <FindingView finding={variants}>{found => <Pareto found={found} />}</FindingView>
    </Section>
  )
}

function Pareto({ found }: { readonly found: VariantRows }) {
  const { dataset, view, look } = usePage()
  const figure = useMemo(() => paretoFigure(found), [found])
  const choices = metricsOf(dataset.evidence).filter(name => name !== view.metric)
  if (found.rows.length < 2) return <p class="reason">There is one variant: nothing to weigh it against.</p>
  if (found.cost === found.metric)
    return <p class="reason">The metric is the cost itself: choose another to set against it.</p>
  return (
    <FigureView
      figure={figure}
      controls={
        <Choice
          label="Cost"
          value={view.cost}
          choices={choices.map(name => [name, name])}
          onChoose={cost => look({ cost })}
        />
      }
    />
  )
}
