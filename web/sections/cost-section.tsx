import { useMemo } from 'preact/hooks'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { metricsOf } from '../../src/report/findings/view.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { Choice } from '../parts/field.tsx'
import { FigureViews } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** The benefit of the variants against their cost. */
export function CostSection() {
  const { view } = usePage()
  const variants = useFinding('variants', view)
  return (
    <Section id="cost" title="Cost against score">
      <FindingView finding={variants}>{found => <Pareto found={found} />}</FindingView>
    </Section>
  )
}

function Pareto({ found }: { readonly found: Found<'variants'> }) {
  const { dataset, view, look } = usePage()
  const figures = useMemo(() => figuresOf.cost(found), [found])
  const choices = metricsOf(dataset.evidence).filter(name => name !== view.metric)
  if (found.rows.length < 2) return <p class="reason">There is one variant: nothing to weigh it against.</p>
  if (found.cost === found.metric)
    return <p class="reason">The metric is the cost itself: choose another to set against it.</p>
  return (
    <FigureViews
      figures={figures}
      controls={() => (
        <Choice
          label="Cost"
          value={view.cost}
          choices={choices.map(name => [name, name])}
          onChoose={cost => look({ cost })}
        />
      )}
    />
  )
}
