import { useContext, useEffect, useState } from 'preact/hooks'
import type { RunDetails } from '../../../src/serve/wire.ts'
import { usePage } from '../../app/context.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { RunFactsView } from '../../runs/run-dialog.tsx'
import { runById } from '../../runs/run-index.ts'
import { TraceView } from '../../runs/trace-view.tsx'
import { ask } from '../data/ask.ts'
import { DirsContext } from './dirs-context.ts'
import { FileView } from './file-view.tsx'
import { knownFrom } from './known-from.ts'
import { RunFiles } from './run-files.tsx'

/** One run as it is now: also one that has not ended, with all of its files. */
export function LiveRunDialog({ id }: { readonly id: string }) {
  const { dataset, go } = usePage()
  const dirs = useContext(DirsContext)
  const at = dataset.evidence.sources.findIndex(({ name }) => id.startsWith(`${name}/`))
  const source = dataset.evidence.sources[at]?.name ?? ''
  const dir = dirs[Math.max(0, at)] ?? ''
  const name = id.slice(source.length + 1)
  const settled = runById(dataset, id)
  const [details, setDetails] = useState<RunDetails | null>(null)
  const [reason, setReason] = useState<string | null>(null)
  const [path, setPath] = useState<string | null>(null)
  const ended = settled?.facts.ended_at ?? null
  useEffect(() => {
    let isWanted = true
    const load = (): void =>
      void ask<RunDetails>('/api/run', { dir, run: name })
        .then(found => isWanted && setDetails(found))
        .catch((error: unknown) => isWanted && setReason(error instanceof Error ? error.message : String(error)))
    load()
    // A run under way is looked at again, until it is over.
    const timer = ended === null ? setInterval(load, 2000) : undefined
    return () => {
      isWanted = false
      clearInterval(timer)
    }
  }, [dir, name, ended])
  const known = details === null ? settled : knownFrom(details, source, settled)
  return (
    <Dialog title={name} onClose={() => go({ run: null })}>
      {reason !== null && (
        <p class="problem" role="alert">
          {reason}
        </p>
      )}
      {known !== undefined && <RunFactsView known={known} />}
      {details !== null && (
        <>
          <RunFiles dir={dir} details={details} chosen={path} onChoose={setPath} />
          {path !== null && <FileView key={path} dir={dir} run={name} path={path} />}
          <h3>Output</h3>
          {details.output.length === 0 && <p class="reason">It printed nothing.</p>}
          {details.output.map(({ stream }) => (
            <FileView key={stream} dir={dir} run={name} path={`${stream}.txt`} />
          ))}
          {details.trace.length > 0 && (
            <>
              <h3>Model calls</h3>
              <TraceView turns={details.trace} />
            </>
          )}
        </>
      )}
    </Dialog>
  )
}
