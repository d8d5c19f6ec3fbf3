import { useMemo } from 'preact/hooks'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureViews } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** The effect of each factor and ablation, alone and together. */
export function EffectsSection() {
  return (
    <Section id="effects" title="Effects of factors and ablations">
      <Body />
    </Section>
  )
}

/** Requested only when the section is in view: this answer takes the longest. */
function Body() {
  const { view } = usePage()
  return <FindingView finding={useFinding('effects', view)}>{found => <Figures effects={found} />}</FindingView>
}

function Figures({ effects }: { readonly effects: Found<'effects'> }) {
  const figures = useMemo(() => figuresOf.effects(effects), [effects])
  return (
    <>
      <FigureViews figures={figures} />
      {effects.warnings.length > 0 && (
        <details class="remarks">
          <summary>Remarks ({effects.warnings.length})</summary>
          <ul>
            {effects.warnings.map(warning => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
