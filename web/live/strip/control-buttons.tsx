import { useState } from 'preact/hooks'
import type { Progress } from '../../../src/serve/wire.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { tell } from '../data/ask.ts'
import { LimitsForm } from './limits-form.tsx'

interface ControlProps {
  readonly dir: string
  readonly progress: Progress
}

/** Pause, resume, stop and limits: the same as `assay pause`, `resume`, `stop` and `set`. */
export function ControlButtons({ dir, progress }: ControlProps) {
  const [open, setOpen] = useState<'stop' | 'limits' | null>(null)
  const [reason, setReason] = useState<string | null>(null)
  const { control, workers, summary, is_writable } = progress
  const isWorked = workers.length > 0
  const want = async (wanted: Progress['control']): Promise<void> => {
    setOpen(null)
    try {
      await tell('/api/control', { dir, control: wanted })
      setReason(null)
    } catch (error) {
      setReason(error instanceof Error ? error.message : String(error))
    }
  }
  if (!is_writable) return <p class="note">This journal can't be written from here: nothing can be changed.</p>
  return (
    <fieldset class="controls" aria-label="Control">
      {control === 'go' ? (
        <button type="button" disabled={!isWorked} onClick={() => void want('pause')} title="No new runs start">
          Pause
        </button>
      ) : isWorked || control === 'pause' ? (
        <button type="button" onClick={() => void want('go')} title="New runs start again">
          Resume
        </button>
      ) : null}
      <button type="button" disabled={!isWorked || control === 'stop_now'} onClick={() => setOpen('stop')}>
        Stop …
      </button>
      <button type="button" onClick={() => setOpen('limits')}>
        Limits …
      </button>
      {!isWorked && summary.pending > 0 && (
        <p class="note">
          To continue, {control === 'pause' ? 'resume, and then ' : ''}run the same <code>assay run</code> command
          again.
        </p>
      )}
      {reason !== null && (
        <p class="field-reason" role="alert">
          {reason}
        </p>
      )}
      {open === 'stop' && (
        <Dialog title="Stop this experiment?" onClose={() => setOpen(null)}>
          <p>
            Finished runs are kept in either case. The same <code>assay run</code> command continues from here later.
          </p>
          <p class="choices">
            <button type="button" onClick={() => void want('stop')}>
              Stop when running runs have ended
            </button>
            <button type="button" class="danger" onClick={() => void want('stop_now')}>
              Stop now: cancel running runs
            </button>
          </p>
        </Dialog>
      )}
      {open === 'limits' && (
        <Dialog title="Limits" onClose={() => setOpen(null)}>
          <LimitsForm dir={dir} limits={progress.limits} onDone={() => setOpen(null)} />
        </Dialog>
      )}
    </fieldset>
  )
}
