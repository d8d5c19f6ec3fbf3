import { useMemo } from 'preact/hooks'
import { agentCurvesFigures, agentsFigure, exitsFigure } from '../../src/report/figures/agent-figures.ts'
import type { AgentFindings, AgentRow } from '../../src/report/findings/agents.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FigureView } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** How agents did: what they solved, what it took, how they ended. Only where runs tell of agents. */
export function AgentsSection() {
  const { view } = usePage()
  return (
    <Section id="agents" title="Agents">
      <FindingView finding={useFinding('agents', view)}>{found => <All found={found} />}</FindingView>
    </Section>
  )
}

/** More bars are a table. */
const mostBars = 24

function All({ found }: { readonly found: AgentFindings }) {
  const table = useMemo(() => agentsFigure(found), [found])
  const exits = useMemo(() => exitsFigure(found), [found])
  const curves = useMemo(() => agentCurvesFigures(found), [found])
  return (
    <>
      <FigureView figure={table} />
      <FigureView figure={exits} controls={found.rows.length <= mostBars ? <ExitBars found={found} /> : undefined} />
      {curves.map(figure => (
        <FigureView key={figure.id} figure={figure} />
      ))}
    </>
  )
}

/** How the work ended, as shares of each variant's instances; the table below has the counts. */
function ExitBars({ found: { rows, exits } }: { readonly found: AgentFindings }) {
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

const exitText = ({ label, exits, n_instances }: AgentRow, all: readonly string[]): string => {
  const told = all.flatMap(category => (exits[category] === undefined ? [] : [`${exits[category]} ${category}`]))
  return `${label}: of ${n_instances}, ${told.join(', ')}`
}
