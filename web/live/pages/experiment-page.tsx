import { useMemo } from 'preact/hooks'
import type { HostUsage, Progress } from '../../../src/serve/wire.ts'
import { useDataset } from '../data/use-dataset.ts'
import { useEvents } from '../data/use-events.ts'
import { TopBar } from '../parts/top-bar.tsx'
import { RunPanel } from '../run/run-panel.tsx'
import { useOpenRun } from '../run/use-open-run.ts'
import { LiveStrip } from '../strip/live-strip.tsx'
import { LiveReport } from './live-report.tsx'
import { useTitle } from './use-title.ts'

/** One experiment: its present state, and its report, kept up to date. */
export function ExperimentPage({ dir }: { readonly dir: string }) {
  const { latest, isConnected } = useEvents(dir, ['progress', 'host'])
  const heard = latest.progress as Progress | { readonly problem: string } | undefined
  const progress = heard === undefined || 'problem' in heard ? null : heard
  const host = (latest.host as HostUsage | undefined) ?? null
  const dirs = useMemo(() => [dir], [dir])
  const dataset = useDataset(dirs, progress?.version ?? null)
  useTitle(progress === null ? dir : `${progress.name}: ${progress.summary.completed} of ${progress.summary.planned}`)
  const [open, setOpen] = useOpenRun()
  const problem = heard !== undefined && 'problem' in heard ? heard.problem : null
  const source = dataset.loaded?.dataset.evidence.sources[0]?.name
  // The report opens runs itself, once it is loaded.
  const isReportThere = (dataset.loaded?.dataset.evidence.runs.length ?? 0) > 0
  return (
    <div class="live">
      <TopBar isConnected={isConnected}>
        <li aria-current="page">{dir}</li>
      </TopBar>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem} <a href="/">All experiments</a>
        </p>
      )}
      {progress !== null && (
        <LiveStrip
          dir={dir}
          progress={progress}
          host={host}
          now={Date.now()}
          onOpen={run => setOpen(`${source ?? progress.name}/${run}`)}
        />
      )}
      {(problem === null || isReportThere) && <LiveReport dirs={dirs} state={dataset} />}
      {progress !== null && open !== null && !isReportThere && (
        <RunPanel key={open} dir={dir} name={open.slice(open.lastIndexOf('/') + 1)} onClose={() => setOpen(null)} />
      )}
    </div>
  )
}
