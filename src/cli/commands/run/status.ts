import { fingerprintIfRunnable } from '../../../engine/foresight.ts'
import { unrecordedResults } from '../../../engine/repair/repair.ts'
import { type ExperimentStatus, experimentStatus } from '../../../engine/status/experiment-status.ts'
import { type CallCosts, callCosts } from '../../../record/read/activity.ts'
import { systemClock } from '../../../util/system-clock.ts'
import { counted, shellQuote } from '../../../util/words.ts'
import { changedFile } from '../../experiment/changed-file.ts'
import { experimentArgument } from '../../experiment/experiment-dir-argument.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { callCostLines } from '../../views/call-cost-lines.ts'
import { TerminalRegion } from '../../views/live/terminal-region.ts'
import { logLines, statusLines } from '../../views/status-view.ts'
import { styler } from '../../views/style.ts'

/** How often `--watch` refreshes. */
const pollMs = 1000

export async function statusCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { dir, defined } = experimentArgument(args, options, io)
  const fingerprint = defined === null ? undefined : fingerprintIfRunnable(defined, io.cwd)
  const look = (): Status =>
    withJournal(dir, journal => ({
      ...experimentStatus(journal, dir, fingerprint),
      costs: callCosts(journal),
    }))
  const status = options.watch ? await watch(look, options, io) : look()
  // Processes working on a watched experiment have already checked for lost results.
  const lost = options.watch ? 0 : withJournal(dir, journal => unrecordedResults(journal, dir)).length
  if (options.json && options.watch) io.stdout.write(`${JSON.stringify(documentOf(status))}\n`)
  else if (options.json) writeJson(io.stdout, { ...documentOf(status), ...(lost > 0 && { unrecorded_results: lost }) })
  else {
    writeLines(io.stdout, statusLines(status, styler(io.stdout), io.stdout.columns, Date.now()))
    writeLines(io.stdout, callCostLines(status.costs))
    const changed = defined === null ? changedFile(dir, io) : null
    if (changed !== null)
      io.stdout.write(`  ${changed} has changed since: \`assay status ${changed}\` counts what is stale by it\n`)
    if (lost > 0)
      io.stdout.write(
        `  ${counted(lost, 'result')} in runs/ ${lost === 1 ? 'is' : 'are'} not in the journal: \`assay repair ${shellQuote(dir)}\` reads them\n`,
      )
    if (options.verbose) writeLines(io.stdout, logLines(status))
  }
  return 0
}

type Status = ExperimentStatus & { readonly costs: readonly CallCosts[] }

/** The summary, and the other facts. */
function documentOf({ summary, trials, selected, forecast, rates, running, costs }: Status) {
  // How many of the runs that the journal lists as running have no process.
  const cutOff = running.filter(({ is_cut_off }) => is_cut_off).length
  return {
    ...summary,
    ...(trials !== null && { trials }),
    ...(cutOff > 0 && { cut_off: cutOff }),
    ...(selected !== null && { selected: selected.planned }),
    ...(forecast !== null && { forecast }),
    ...(rates.length > 0 && { rates }),
    ...(costs.length > 0 && { costs }),
  }
}

/** Until nothing is left to do, or no process is left to do it; Ctrl-C ends watching, not the experiment. */
async function watch(look: () => Status, options: Options, io: Io): Promise<Status> {
  let status = look()
  const style = styler(io.stderr)
  const isLive = io.stderr.isTTY && !options.json
  const region = isLive
    ? new TerminalRegion(io.stderr, systemClock, () => statusLines(status, style, io.stderr.columns, Date.now()))
    : null
  let ended = false
  const forget = io.onSignal(() => {
    ended = true
  })
  try {
    while (!ended && status.workers.length > 0) {
      if (options.json) io.stdout.write(`${JSON.stringify(documentOf(status))}\n`)
      region?.changed()
      await new Promise<void>(resolve => systemClock.after(pollMs, resolve))
      status = look()
    }
    return status
  } finally {
    forget()
    region?.close({ keep: false })
  }
}
