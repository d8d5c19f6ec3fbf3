import { closeSync, existsSync, fstatSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { RunRecord } from '../../../define/observation.ts'
import { keptAttemptFolder, runFolder } from '../../../record/places.ts'
import { findRun, folderOf, recordNamed } from '../../../record/read/observations.ts'
import { AssayError } from '../../../util/errors.ts'
import { openRegular } from '../../../util/files.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { namedRun } from '../../experiment/named-run.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { bytes } from '../../views/number.ts'
import { outcomeReason } from '../../views/outcome-text.ts'
import { harmless, logFilesIn } from '../../views/rollouts/run-logs.ts'
import { styler } from '../../views/style.ts'

/** How much of each file is shown, unless all of it is requested. */
const tailLines = 100
const tailBytes = 64 * 1024

/** The output of a run: stdout, stderr and the files in its `logs/`, with how it ended. */
export async function logsCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { given, wanted } = namedRun(args, io, 'logs')
  const dir = experimentDirArgument(given === undefined ? [] : [given], options, io)
  const run = withJournal(dir, journal => recordNamed(journal, findRun(journal, wanted).name))
  if (run === undefined) throw new AssayError('not_found', `no run is called ${wanted}`)
  const folder = attemptFolder(run, folderOf(run, dir) ?? ownFolder(dir, run.name), options.attempt)
  const files = folder === null ? [] : openedIn(folder)
  try {
    if (options.json) writeJson(io.stdout, answer(run, folder, files, options.all === true))
    else show(run, files, options.all === true, io)
  } finally {
    for (const { descriptor } of files) closeSync(descriptor)
  }
  return 0
}

/** The folder of a running run; null: it has none, or has not begun. */
const ownFolder = (dir: string, name: string): string | null =>
  existsSync(runFolder(dir, name)) ? runFolder(dir, name) : null

/** The files of the last attempt are in the run's folder, those of earlier ones below it. */
function attemptFolder(run: RunRecord, folder: string | null, wanted: number | undefined): string | null {
  if (folder === null || wanted === undefined) return folder
  const kept = keptAttemptFolder(folder, wanted)
  if (existsSync(kept)) return kept
  const last = run.attempts.at(-1)?.number
  if (wanted === last) return folder
  throw new AssayError('not_found', `${run.name} has no files of attempt ${wanted}`, {
    hint: last === undefined ? 'It was never run.' : `Its last attempt is number ${last}.`,
  })
}

interface LogFile {
  readonly path: string
  readonly descriptor: number
  readonly size: number
}

/** The files that are not empty. */
function openedIn(folder: string): readonly LogFile[] {
  return logFilesIn(folder).flatMap(path => {
    const opened = openRegular(join(folder, path))
    if (opened === 'missing' || 'problem' in opened) return []
    const { descriptor } = opened
    const { size } = fstatSync(descriptor)
    if (size > 0) return [{ path, descriptor, size }]
    closeSync(descriptor)
    return []
  })
}

function answer(run: RunRecord, folder: string | null, files: readonly LogFile[], isAll: boolean) {
  return {
    kind: 'logs',
    run: run.name,
    state: run.state,
    outcome: run.outcome,
    folder,
    files: files.map(file => ({ path: file.path, bytes: file.size, text: [...piecesOf(file, isAll)].join('') })),
  }
}

function show(run: RunRecord, files: readonly LogFile[], isAll: boolean, io: Io): void {
  const style = styler(io.stdout)
  const how = run.outcome === null ? run.state : outcomeReason(run.outcome)
  writeLines(io.stdout, [`${style.bold(run.name)}: ${how}`])
  if (files.length === 0) writeLines(io.stdout, [style.dim('it printed nothing, or nothing of it was kept')])
  for (const file of files) {
    writeLines(io.stdout, ['', style.dim(`── ${file.path}, ${bytes(file.size)}`)])
    if (isAll) for (const lines of wholeLines(piecesOf(file, true))) writeLines(io.stdout, lines.map(harmless))
    else writeTail(file, io)
  }
}

function writeTail(file: LogFile, io: Io): void {
  const text = [...piecesOf(file, false)].join('').replace(/\r?\n$/, '')
  const lines = text.split(/\r?\n/)
  const shown = lines.slice(-tailLines)
  const isCut = file.size > tailBytes || shown.length < lines.length
  if (isCut) writeLines(io.stdout, [styler(io.stdout).dim('… --all shows what comes before')])
  writeLines(io.stdout, shown.map(harmless))
}

/** The file's text from the start, or its end; characters are never cut in two, unless the end starts inside one. */
function* piecesOf({ descriptor, size }: LogFile, isAll: boolean): Generator<string> {
  const decoder = new StringDecoder('utf8')
  const buffer = Buffer.alloc(tailBytes)
  for (let from = isAll ? 0 : Math.max(0, size - tailBytes); from < size; ) {
    const length = readSync(descriptor, buffer, 0, Math.min(buffer.length, size - from), from)
    if (length === 0) return
    from += length
    yield decoder.write(buffer.subarray(0, length))
  }
}

function* wholeLines(pieces: Iterable<string>): Generator<readonly string[]> {
  let rest = ''
  for (const piece of pieces) {
    const lines = `${rest}${piece}`.split(/\r?\n/)
    rest = lines.pop() ?? ''
    yield lines
  }
  if (rest !== '') yield [rest]
}
