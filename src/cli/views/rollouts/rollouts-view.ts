import { basename, join, relative } from 'node:path'
import { taskOf } from '../../../analyze/scores/scores.ts'
import type { Experiment } from '../../../define/experiment.ts'
import type { EngineEvent, Listener } from '../../../engine/call.ts'
import { Journal } from '../../../record/journal/journal.ts'
import { journalFile, runFolder } from '../../../record/places.ts'
import { recordedRuns, recordNamed } from '../../../record/read/observations.ts'
import { inFileOrder, launchStatus, rolloutPlaces } from '../../../report/layouts/layouts.ts'
import { systemClock } from '../../../util/system-clock.ts'
import { type Io, writeLines } from '../../io.ts'
import type { Verbosity } from '../live/listener.ts'
import { TerminalRegion } from '../live/terminal-region.ts'
import { markdownTable } from '../markdown-table.ts'
import { type Benchmark, type Line, noProgress, rolloutLines, statusLine } from './rollout-lines.ts'
import { RunLogs } from './run-logs.ts'

/** eval_rollouts.py refreshes twice a second. */
const frameMs = 500

/** Shows a benchmark as OneShot's eval_rollouts.py does: marks and a status line, with -v plain lines, with -vv all logs. */
export function rolloutsView(
  experiment: Experiment,
  verbosity: Verbosity,
  io: Io,
): { listener: Listener; end(): void } {
  let [dir, progress, frame, shownDone] = ['', noProgress, 0, -1]
  const logs = new RunLogs()
  const benchmark: Benchmark = {
    name: experiment.name,
    config: experiment.file === null ? null : shownPath(experiment.file, io.cwd),
    entries: experiment.cells?.length ?? 0,
    verbosity,
    shown: path => shownPath(path, io.cwd),
    describe: run => describe(dir, run),
  }
  const isLive = io.stdout.isTTY && verbosity === 1
  const region = isLive
    ? new TerminalRegion(
        io.stdout,
        systemClock,
        () => (progress.total === 0 ? [] : [statusLine(progress, frame++)]),
        frameMs,
      )
    : null
  const forget = region === null ? () => undefined : io.onExit(() => region.close({ keep: true }))
  const print = (lines: readonly Line[]): void => {
    if (region !== null) region.print(lines.map(({ text }) => text))
    else for (const { to, text } of lines) writeLines(io[to], [text])
  }
  /** If nothing can be redrawn, prints a line for each refresh with news. */
  const printStatus = (): void => {
    if (region !== null || verbosity !== 1 || progress.total === 0) return
    if (progress.done === shownDone || progress.done === progress.total) return
    shownDone = progress.done
    writeLines(io.stdout, [statusLine(progress, frame++)])
  }
  return {
    listener(event) {
      if (event.kind === 'started') dir = event.dir
      if (verbosity === 3) print(logLines(logs, event, dir))
      if (event.kind === 'summary') region?.close({ keep: false })
      const { lines, next } = rolloutLines(benchmark, progress, event)
      progress = next
      if (event.kind === 'summary') for (const { to, text } of lines) writeLines(io[to], [text])
      else print(lines)
      if (event.kind === 'started' || event.kind === 'progress') printStatus()
      if (event.kind === 'summary' && verbosity > 0) writeLines(io.stdout, trailer(benchmark, dir))
      region?.changed()
    },
    end() {
      region?.close({ keep: false })
      forget()
    },
  }
}

const shownPath = (path: string, cwd: string): string => {
  const short = relative(cwd, path)
  return short === '' || short.startsWith('..') ? path : short
}

function logLines(logs: RunLogs, event: EngineEvent, dir: string): readonly Line[] {
  const lines = (): readonly string[] => {
    if (event.kind === 'attempt_ended') return logs.end(event.run)
    if (event.kind === 'progress') return logs.look()
    if (event.kind === 'attempt_started') logs.begin(event.run, runFolder(dir, event.run))
    return []
  }
  return lines().map(text => ({ to: 'stdout', text }))
}

function reading<T>(dir: string, read: (journal: Journal) => T): T {
  const journal = Journal.openToRead(journalFile(dir))
  try {
    return read(journal)
  } finally {
    journal.close()
  }
}

function describe(dir: string, name: string): ReturnType<Benchmark['describe']> {
  const run = reading(dir, journal => recordNamed(journal, name))
  const overrides = run?.params.overrides
  return {
    task: run === undefined ? name : taskOf(run),
    overrides: typeof overrides === 'string' ? overrides : null,
  }
}

/** The last lines: where the index is, and how each run ended. */
function trailer({ name, shown }: Benchmark, dir: string): readonly string[] {
  const places = rolloutPlaces(dir, name)
  const runs = reading(dir, journal => [...recordedRuns(journal, { scope: 'call', metrics: false })])
  const rows = inFileOrder(runs).map(run => [
    basename(taskOf(run)),
    run.name,
    run.outcome === null ? run.state : launchStatus(run.outcome.kind),
  ])
  return [
    ...(places === null ? [] : [`[rollouts] temp index: ${shown(join(places.temp, places.index))}`]),
    '',
    '[rollouts] Summary:',
    ...markdownTable(['task', 'run_id', 'status'], rows),
  ]
}
