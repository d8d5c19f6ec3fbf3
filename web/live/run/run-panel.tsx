import { useEffect, useState } from 'preact/hooks'
import type { RunDetails } from '../../../src/serve/wire.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ModelCalls, RunFactsView } from '../../runs/run-dialog.tsx'
import type { KnownRun } from '../../runs/run-index.ts'
import { ask, askStory, askTurns } from '../data/ask.ts'
import { FileView } from './file-view.tsx'
import { knownFrom } from './known-from.ts'
import { RunFiles } from './run-files.tsx'

interface RunPanelProps {
  readonly dir: string
  readonly name: string
  /** The dataset's data about it, once it has ended. */
  readonly settled?: KnownRun | undefined
  readonly onClose: () => void
}

/** How often a running run is refreshed. */
const pollMs = 2000

/** The present state of one run, including unfinished ones, with all of its files. */
export function RunPanel({ dir, name, settled, onClose }: RunPanelProps) {
  const [details, setDetails] = useState<RunDetails | null>(null)
  const [reason, setReason] = useState<string | null>(null)
  const [path, setPath] = useState<string | null>(null)
  const isRunning = details?.state === 'running'
  const ended = settled?.run.ended_at ?? null
  // `ended`: a run that has ended meanwhile is read once more.
  useEffect(() => {
    let isWanted = true
    const load = (): void =>
      void ask<RunDetails>('/api/run', { dir, run: name })
        .then(found => isWanted && setDetails(found))
        .catch((error: unknown) => isWanted && setReason(error instanceof Error ? error.message : String(error)))
    load()
    const timer = isRunning ? setInterval(load, pollMs) : undefined
    return () => {
      isWanted = false
      clearInterval(timer)
    }
  }, [dir, name, ended, isRunning])
  const known = details === null ? settled : knownFrom(details, settled)
  return (
    <Dialog title={name} onClose={onClose}>
      {reason !== null && (
        <p class="problem" role="alert">
          {reason}
        </p>
      )}
      {known !== undefined && (
        <RunFactsView
          known={known}
          moreTurns={from => askTurns(dir, name, from)}
          moreStory={from => askStory(dir, name, from)}
        />
      )}
      {details !== null && (
        <>
          <RunFiles dir={dir} details={details} chosen={path} onChoose={setPath} />
          {path !== null && <FileView key={path} dir={dir} run={name} path={path} />}
          <h3>Output</h3>
          {details.output.length === 0 && <p class="reason">It has printed nothing.</p>}
          {details.output.map(({ stream, bytes }) => (
            <FileView key={stream} dir={dir} run={name} path={`${stream}.txt`} size={bytes} />
          ))}
          {details.trace.length > 0 && (
            <ModelCalls turns={details.trace} isFolded={details.trajectory !== null || details.story !== null} />
          )}
        </>
      )}
    </Dialog>
  )
}
