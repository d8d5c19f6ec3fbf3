import { existsSync, opendirSync } from 'node:fs'
import { type FoundResult, foundResult } from '../../perform/read-result.ts'
import { repairHint } from '../../record/journal/damage.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { journalFile, runFolder, runPlace, runsFolder } from '../../record/places.ts'
import { attemptTokens, recordOf } from '../../record/runs/offer.ts'
import { AssayError } from '../../util/errors.ts'

/** Names of the folders in runs/, one at a time: there may be a million. */
export function* runFolders(dir: string): Generator<string> {
  if (!existsSync(runsFolder(dir))) return
  const folder = opendirSync(runsFolder(dir))
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
      if (entry.isDirectory()) yield entry.name
  } finally {
    folder.closeSync()
  }
}

/** The result in a run's folder: of the last attempt that left one. Of a folder that was renamed, nothing is known. */
export function resultIn(dir: string, runName: string): FoundResult | null {
  const found = foundResult(runFolder(dir, runName), runPlace(runName))
  return found?.run.name === runName ? found : null
}

/**
 * Runs whose results are on disk and not in the journal: it was deleted, or has lost its newest part. Completed runs are
 * not looked at, since those are not made again.
 */
export function unrecordedResults(journal: Journal, dir: string): readonly string[] {
  const found: { readonly name: string; readonly token: string }[] = []
  for (const name of runFolders(dir)) {
    const result = recordOf(journal, name) === 'completed' ? null : resultIn(dir, name)?.result
    if (result != null) found.push({ name, token: result.token })
  }
  if (found.length === 0) return []
  // Asked last: an attempt is in the journal before it has a folder, so what others do meanwhile is known by now.
  const tokens = attemptTokens(journal)
  return found.flatMap(({ name, token }) => (tokens.has(token) ? [] : [name]))
}

/** Refuses to go on where runs would be made again although their results are there. */
export function refuseUnrecorded(journal: Journal, dir: string): void {
  const unrecorded = unrecordedResults(journal, dir)
  if (unrecorded.length === 0) return
  const [first = ''] = unrecorded
  const what = unrecorded.length === 1 ? '1 result' : `${unrecorded.length} results`
  throw new AssayError(
    'unrecorded_results',
    `${what} in ${runsFolder(dir)} ${unrecorded.length === 1 ? 'is' : 'are'} not in the journal, such as that of ${first}: the journal, or a part of it, was lost`,
    {
      hint: `${repairHint(dir)} To run everything again instead: --fresh, or --again in a new directory.`,
      facts: { unrecorded: unrecorded.length, first },
    },
  )
}

/** A directory with results of runs, and without a journal, is an experiment that has lost it. */
export function refuseLostJournal(dir: string): void {
  if (existsSync(journalFile(dir)) || !hasResults(dir)) return
  throw new AssayError(
    'unrecorded_results',
    `${dir} has results of runs, and its journal, ${journalFile(dir)}, is gone`,
    {
      hint: repairHint(dir),
    },
  )
}

function hasResults(dir: string): boolean {
  for (const name of runFolders(dir)) if (resultIn(dir, name) !== null) return true
  return false
}
