import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import type { Summary } from '../../define/outcome.ts'
import { explainChange, planHash } from '../../plan/identity.ts'
import { everything } from '../../plan/planner.ts'
import {
  fingerprintParts,
  logEvent,
  ownDefinitionOf,
  planOptionsOf,
  type RecordedExperiment,
  readExperiment,
} from '../../record/journal/experiment-row.ts'
import { Journal } from '../../record/journal/journal.ts'
import { type MergedJournal, mergeJournal, sharedName } from '../../record/merge/merge-journal.ts'
import { journalFile, makeExperimentDirectory, writeSummaryFile } from '../../record/places.ts'
import { standing } from '../../record/read/standing.ts'
import { AssayError } from '../../util/errors.ts'
import { listed } from '../../util/words.ts'
import { presentWorkers } from '../status/experiment-status.ts'
import { carryFiles } from './carry-files.ts'

export interface Merged {
  readonly sources: readonly (MergedSource & { readonly dir: string })[]
  readonly summary: Summary
}

interface MergedSource extends MergedJournal {
  /** Pipes, sockets, unreadable files and the like that programs left and that could not be copied. */
  readonly not_copied: readonly string[]
}

/**
 * Merges the parts of one experiment from several directories into another: runs, attempts, money, files, provenance.
 * The sources stay unchanged. The same call again continues where the first was interrupted, or changes nothing.
 */
export function mergeExperiments(dirs: readonly string[], into: string, now: number): Merged {
  const sources = dirs.map(dir => ({ dir, journal: openSource(dir, into) }))
  const known = existsSync(journalFile(into)) ? [{ dir: into, journal: openGoal(into) }] : []
  let journal = known[0]?.journal
  try {
    const [first, ...others] = [...known, ...sources].filter(({ journal }) => readExperiment(journal) !== undefined)
    if (first !== undefined) for (const other of others) refuseOther(first, other)
    const goal = journal ?? newGoal(into)
    journal = goal
    const merged = sources.map(source => ({ dir: source.dir, ...mergeOne(goal, source, into, now) }))
    const summary = standing(goal, into)
    writeSummaryFile(into, summary)
    return { sources: merged, summary }
  } finally {
    for (const source of sources) source.journal.close()
    journal?.close()
  }
}

interface Source {
  readonly dir: string
  readonly journal: Journal
}

function mergeOne(journal: Journal, { dir, journal: source }: Source, into: string, now: number): MergedSource {
  const name = sharedName(journal, source)
  if (name !== null)
    throw new AssayError('usage', `the name ${name} means one run in ${into} and another in ${dir}`, {
      hint: "Runs that were numbered separately can't be merged: plan them in one directory, or name them by their values.",
    })
  let left: readonly string[] = []
  const merged = mergeJournal(journal, source, moves => {
    left = carryFiles(moves, dir, into)
  })
  if (merged.attempts + merged.runs > 0) logEvent(journal, 'merged', eventOf(dir, merged), now)
  keepConfigurationOf(dir, into)
  return { ...merged, not_copied: left }
}

const eventOf = (from: string, { runs, attempts, conflicts }: MergedJournal) => ({
  ...{ from, runs, attempts },
  conflicts: conflicts.map(({ run, differs }) => ({ run, differs })),
})

function openSource(dir: string, into: string): Journal {
  if (resolve(dir) === resolve(into))
    throw new AssayError('usage', `${dir} can't be merged into itself`, { hint: '--into names another directory.' })
  const journal = Journal.openToRead(journalFile(dir))
  refusePresent(journal, dir)
  return journal
}

function openGoal(into: string): Journal {
  const journal = Journal.open(journalFile(into))
  refusePresent(journal, into)
  return journal
}

function newGoal(into: string): Journal {
  makeExperimentDirectory(into)
  return Journal.open(journalFile(into))
}

function refusePresent(journal: Journal, dir: string): void {
  const [other] = presentWorkers(journal)
  if (other === undefined) return
  journal.close()
  throw new AssayError('busy', `process ${other.pid} on ${other.host} is working on ${dir}`, {
    hint: 'Merge it when that process has ended: `assay stop <dir>` ends it.',
    facts: { pid: other.pid, host: other.host },
  })
}

/** Runs of another definition with the same keys would have the same names, but are different. */
function refuseOther(first: Source, other: Source): void {
  const [a, b] = [rowOf(first), rowOf(other)]
  const reason =
    a.fingerprint === b.fingerprint
      ? planHashOf(first, a) === planHashOf(other, b)
        ? null
        : differentPlan(ownDefinitionOf(first.journal, a), ownDefinitionOf(other.journal, b))
      : explainChange(fingerprintParts(first.journal, a.fingerprint) ?? {}, partsOf(other, b))
  if (reason === null) return
  throw new AssayError('stale', `${other.dir} is of another definition than ${first.dir}: ${reason}`, {
    hint: '`assay diff` compares experiments of different definitions.',
  })
}

const rowOf = ({ journal }: Source): RecordedExperiment => readExperiment(journal) as RecordedExperiment

const partsOf = ({ journal }: Source, { fingerprint }: RecordedExperiment) =>
  fingerprintParts(journal, fingerprint) ?? {}

/** Identifies the runs and their order, whatever part of them a directory was asked for. */
function planHashOf({ journal }: Source, row: RecordedExperiment): string {
  const options = { ...planOptionsOf(journal, row), order: 'listed', selection: everything } as const
  return planHash(ownDefinitionOf(journal, row), options)
}

/** Keys in which equal definitions may differ between machines. */
const placeKeys = ['folder', 'file', 'out_root', 'directory', 'limits', 'notes', 'description']

function differentPlan(a: Experiment, b: Experiment): string {
  const [one, other]: Record<string, unknown>[] = [{ ...a }, { ...b }]
  const keys = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])]
  const differing = keys.filter(
    key => !placeKeys.includes(key) && JSON.stringify(one?.[key]) !== JSON.stringify(other?.[key]),
  )
  return `${listed(differing.length === 0 ? ['the plan'] : differing)} differ`
}

/** Stores the configuration with the results, as the first directory has it. */
function keepConfigurationOf(dir: string, into: string): void {
  const isKept = (name: string) => /^experiment\.\w+$/.test(name)
  if (readdirSync(into).some(isKept)) return
  for (const name of readdirSync(dir).filter(isKept)) copyFileSync(join(dir, name), join(into, name))
}
