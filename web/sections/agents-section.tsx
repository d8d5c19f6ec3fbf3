import { useMemo } from 'preact/hooks'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureViews } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** The results of agents: what they solved, the cost, how they ended. Only if there are runs of agents. */
export function AgentsSection() {
  const { view } = usePage()
  return (
    <Section id="agents" title="Agents">
      <FindingView finding={useFinding('agents', view)}>{found => <All found={found} />}</FindingView>
    </Section>
  )
}

/** With more bars a table is better. */
const mostBars = 24

type Agents = Found<'agents'>

function All({ found }: { readonly found: Agents }) {
  const figures = useMemo(() => figuresOf.agents(found), [found])
  const hasBars = (id: string): boolean => id === 'agent-exits' && found.rows.length <= mostBars
  return <FigureViews figures={figures} controls={id => (hasBars(id) ? <ExitBars found={found} /> : undefined)} />
}

/** How the work ended, as shares of each variant's instances; the table below has the counts. */
function ExitBars({ found: { rows, exits } }: { readonly found: Agents }) {
  return (
    <div class="exits">
      <ul class="map-legend">
        {exits.map(category => (
          <li key={category}>
            <span class="map-key" data-exit={category} /> {category}
          </li>
        ))}
      </ul>
      {rows
        .filter(({ n_instances }) => n_instances > 0)
        .map(row => (
          <div key={row.label} class="exit-row">
            <span class="exit-label">{row.label}</span>
            <div class="exit-bar" role="img" aria-label={exitText(row, exits)} title={exitText(row, exits)}>
              {exits.map(category => (
                <span
                  key={category}
                  data-exit={category}
                  style={{ width: `${(100 * (row.exits[category] ?? 0)) / row.n_instances}%` }}
                />
              ))}
            </div>
          </div>
        ))}
    </div>
  )
}

const exitText = ({ label, exits, n_instances }: Agents['rows'][number], all: readonly string[]): string => {
  const counts = all.flatMap(category => (exits[category] === undefined ? [] : [`${exits[category]} ${category}`]))
  return `${label}: of ${n_instances}, ${counts.join(', ')}`
}
