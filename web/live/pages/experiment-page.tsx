import { useMemo, useState } from 'preact/hooks'
import type { HostUsage, Progress } from '../../../src/serve/wire.ts'
import { useDataset } from '../data/use-dataset.ts'
import { useEvents } from '../data/use-events.ts'
import { TopBar } from '../parts/top-bar.tsx'
import { RunPanel } from '../run/run-panel.tsx'
import { LiveStrip } from '../strip/live-strip.tsx'
import { LiveReport } from './live-report.tsx'
import { useTitle } from './use-title.ts'

/** One experiment: how it stands at this moment, and its report, kept up to date. */
export function ExperimentPage({ dir }: { readonly dir: string }) {
  const { said, isConnected } = useEvents(dir, ['progress', 'host'])
  const heard = said.progress as Progress | { readonly problem: string } | undefined
  const progress = heard === undefined || 'problem' in heard ? null : heard
  const host = (said.host as HostUsage | undefined) ?? null
  const dirs = useMemo(() => [dir], [dir])
  const dataset = useDataset(dirs, progress?.version ?? null)
  useTitle(progress === null ? dir : `${progress.name}: ${progress.summary.completed} of ${progress.summary.planned}`)
  const [shown, setShown] = useState<string | null>(null)
  return (
    <div class="live">
      <TopBar isConnected={isConnected}>
        <li aria-current="page">{dir}</li>
      </TopBar>
      {heard !== undefined && 'problem' in heard && (
        <p class="problem" role="alert">
          {heard.problem}
        </p>
      )}
      {progress !== null && <LiveStrip dir={dir} progress={progress} host={host} now={Date.now()} onOpen={setShown} />}
      <LiveReport dirs={dirs} state={dataset} />
      {shown !== null && <RunPanel key={shown} dir={dir} name={shown} onClose={() => setShown(null)} />}
    </div>
  )
}
