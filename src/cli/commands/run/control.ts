import { presentWorkers } from '../../../engine/status/experiment-status.ts'
import { type Control, logEvent, setControl } from '../../../record/journal/experiment-row.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeJson } from '../../io.ts'
import type { Options } from '../../options.ts'

export const pauseCommand = control(
  () => 'pause',
  dir => `paused: no new runs start until \`assay resume ${dir}\` or \`assay run\``,
)
export const resumeCommand = control(
  () => 'go',
  () => 'resumed',
)
const stopping = () => 'stopping; to continue later, use the same `assay run` command, or `assay resume` and workers'
export const stopCommand = control(options => (options.now ? 'stop_now' : 'stop'), stopping)
/** Another name for `stop --now`. */
export const cancelCommand = control(() => 'stop_now', stopping)

/** Asks all processes working on an experiment to do something; they see it within a fraction of a second. */
function control(choose: (options: Options) => Control, confirmation: (dir: string) => string) {
  return async (args: readonly string[], options: Options, io: Io): Promise<number> => {
    const dir = experimentDirArgument(args, options, io)
    const wanted = choose(options)
    const workers = askWorkers(dir, wanted)
    if (options.json) writeJson(io.stdout, { kind: 'control', dir, control: wanted, workers })
    else io.stdout.write(`${confirmation(dir)}\n${workersText(workers, wanted)}`)
    return 0
  }
}

/** Records the request, and returns which processes are there to see it. */
export function askWorkers(
  dir: string,
  wanted: Control,
): readonly { readonly kind: string; readonly host: string; readonly pid: number }[] {
  const present = withJournal(dir, journal => {
    setControl(journal, wanted)
    logEvent(journal, 'control', { control: wanted }, Date.now())
    return presentWorkers(journal)
  })
  return present.map(({ kind, host, pid }) => ({ kind, host, pid }))
}

function workersText(workers: readonly { kind: string; pid: number }[], wanted: Control): string {
  if (workers.length > 0) return `told: ${workers.map(({ kind, pid }) => `${kind} (process ${pid})`).join(', ')}\n`
  return wanted === 'go'
    ? 'no process is running it now: start `assay run` or `assay worker`\n'
    : 'no process is running it now\n'
}
