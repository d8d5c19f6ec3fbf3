import type { ComponentType } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type SectionId, sectionsOf } from '../../src/report/findings/page.ts'
import { defaultView, isUnderWay } from '../../src/report/findings/view.ts'
import { Analyst } from '../analysis/analyst.ts'
import { AnalystContext } from '../analysis/use-finding.ts'
import type { Loaded } from '../data/source.ts'
import { PairDialog } from '../runs/pair-dialog.tsx'
import { RunDialog } from '../runs/run-dialog.tsx'
import { RunsSection } from '../runs/runs-section.tsx'
import { AgentsSection } from '../sections/agents-section.tsx'
import { CostSection } from '../sections/cost-section.tsx'
import { CurvesSection } from '../sections/curves-section.tsx'
import { DistributionsSection } from '../sections/distributions-section.tsx'
import { EffectsSection } from '../sections/effects-section.tsx'
import { FailuresSection } from '../sections/failures-section.tsx'
import { PromptsSection } from '../sections/prompts-section.tsx'
import { ProvenanceSection } from '../sections/provenance-section.tsx'
import { ScoresSection } from '../sections/scores-section.tsx'
import { SearchSection } from '../sections/search-section.tsx'
import { VariantsSection } from '../sections/variants-section.tsx'
import { VerdictSection } from '../sections/verdict-section.tsx'
import { usePlace } from '../state/use-place.ts'
import { Contents } from './contents.tsx'
import { type Page, PageContext, type RefusedFilter } from './context.ts'
import { Controls } from './controls.tsx'

const parts: Readonly<Record<SectionId, ComponentType>> = {
  verdict: VerdictSection,
  search: SearchSection,
  prompts: PromptsSection,
  scores: ScoresSection,
  agents: AgentsSection,
  variants: VariantsSection,
  cost: CostSection,
  effects: EffectsSection,
  distributions: DistributionsSection,
  curves: CurvesSection,
  failures: FailuresSection,
  runs: RunsSection,
  provenance: ProvenanceSection,
}

interface AppProps {
  readonly loaded: Loaded
  /** How a run is shown; the dashboard has more data about it than a report. */
  readonly RunView?: ComponentType<{ readonly id: string }>
}

/** The report: the answer first, then its basis, down to every run. */
export function App({ loaded, RunView = RunDialog }: AppProps) {
  const { dataset } = loaded
  const analyst = useMemo(() => new Analyst(loaded), [loaded])
  useEffect(() => () => analyst.close(), [analyst])
  const defaults = useMemo(() => loaded.first?.view ?? defaultView(dataset), [loaded, dataset])
  const { place, go, look } = usePlace(defaults)
  const [refused, refuse] = useState<RefusedFilter | null>(null)
  const page = useMemo<Page>(
    () => ({
      ...{ loaded, dataset, view: place.view, look, go, refused, refuse },
      open: run => go({ run, pair: null }),
    }),
    [loaded, dataset, place.view, look, go, refused],
  )
  const [kept] = useState(() => new Set<SectionId>())
  const shown = useMemo(() => {
    const now = sectionsOf(dataset, place.view, kept)
    // Sections shown while runs were coming in stay when the last has ended.
    if (isUnderWay(dataset)) for (const id of now) kept.add(id)
    return now
  }, [dataset, place.view, kept])
  return (
    <AnalystContext.Provider value={analyst}>
      <PageContext.Provider value={page}>
        <a class="skip" href="#verdict">
          To the verdict
        </a>
        <Controls defaults={defaults} />
        <div class="columns">
          <Contents shown={shown} />
          <main>
            {shown.map(id => {
              const Part = parts[id]
              return <Part key={id} />
            })}
          </main>
        </div>
        {place.run !== null && <RunView key={place.run} id={place.run} />}
        {place.pair !== null && <PairDialog pair={place.pair} />}
      </PageContext.Provider>
    </AnalystContext.Provider>
  )
}
