import type { Journal } from '../../record/journal/journal.ts'
import { runFolder } from '../../record/places.ts'
import { plannedRun, runNamed } from '../../record/read/runs.ts'
import { filesOf, maskedParameters, tailsOf } from '../../report/gather/run-files.ts'
import { tracesOf } from '../../report/gather/run-traces.ts'
import { folderInside } from '../security/file-inside.ts'
import type { RunDetails } from '../wire.ts'

/** Of one run there is room for as much output as of one that failed in a report. */
export function runDetails(journal: Journal, root: string, dir: string, name: string): RunDetails {
  const record = runNamed(journal, name)
  const folder = folderInside(root, runFolder(dir, record.name))
  // A link in place of a file is not followed: it may lead anywhere.
  const lists = filesOf([folder]).lists
  const files = lists[0] ?? []
  const isThere = (path: string): boolean => files.some(file => file.path === path)
  const [tails = []] = tailsOf([{ outcome: { kind: 'failed' } }], [folder]).tails
  const [masked = record] = maskedParameters([record])
  return {
    ...masked,
    files,
    output: tails.filter(({ stream }) => isThere(`${stream}.txt`)),
    trace: isThere('trace.jsonl') ? (tracesOf([folder], lists).turns[0] ?? []) : [],
    // The page of a run shows out/answer.json itself.
    unmet: [],
    reduced: {},
  }
}

/** The folder of a run that the journal knows by exactly this name. */
export const folderOfRun = (journal: Journal, dir: string, name: string): string =>
  runFolder(dir, plannedRun(journal, name).name)
