import { useMemo } from 'preact/hooks'
import type { Effects } from '../../src/analyze/effects/effects.ts'
import {
  interactionsFigure,
  mainEffectsFigure,
  ratiosFigure,
  sharesFigure,
} from '../../src/report/figures/effect-figures.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureView } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** What each factor and ablation does, alone and together. */
export function EffectsSection() {
  return (
    <Section id="effects" title="Effects of factors and ablations">
      <Body />
    </Section>
  )
}

/** Asked only when the section is in sight: of all answers this one takes longest. */
function Body() {
  const { view } = usePage()
  return <FindingView finding={useFinding('effects', view)}>{found => <Figures effects={found} />}</FindingView>
}

function Figures({ effects }: { readonly effects: Effects }) {
  const figures = useMemo(
    () =>
      [mainEffectsFigure(effects), ratiosFigure(effects), sharesFigure(effects), interactionsFigure(effects)].filter(
        figure => figure !== null,
      ),
    [effects],
  )
  return (
    <>
      {figures.map(figure => (
        <FigureView key={figure.id} figure={figure} />
      ))}
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
