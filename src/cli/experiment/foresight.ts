import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../../define/run.ts'
import { fingerprintNow } from '../../engine/prepare/prepare.ts'
import { limitsInForce } from '../../engine/rules/limits.ts'
import { type NextAction, nextAction } from '../../engine/rules/next-action.ts'
import { explainChange } from '../../plan/fingerprint.ts'
import { asExperimentDirectory } from '../../record/directory/experiment-directory.ts'
import { fingerprintParts, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import { type RunStanding, runStandings } from '../../record/read/run-standing.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import type { Chosen } from './choose-experiment.ts'
import { withJournal } from './with-journal.ts'

/** Tells of any run what the next `run` would do with it. */
export type Foresight = (run: Run) => NextAction

/** Looks into the journal, if there is one, once; nothing is made or changed. */
export function foresee({ experiment, target, dir }: Chosen, options: Options, io: Io): Foresight {
  const now = fingerprintNow(experiment, target, io.cwd)
  const known = asExperimentDirectory(dir) === undefined ? nothingKnown : whatIsKnown(dir, now.hash)
  const limits = limitsInForce(experiment.limits, known.limitsSet)
  const changes = new Map([...known.parts].map(([hash, parts]) => [hash, explainChange(parts, now.parts)]))
  return run => {
    const standing = known.standings.get(run.key)
    return nextAction(standing, {
      limits,
      retryFailed: options.retryFailed ?? false,
      fresh: options.fresh ?? false,
      isNamed: standing !== undefined && isNamed(options.rerun ?? [], standing),
      stale: options.stale ?? null,
      change: changes.get(standing?.fingerprint ?? '') ?? 'it was made by another definition',
      lostOutput: standing === undefined ? null : lostOutput(experiment.outputs, dir, standing),
    })
  }
}

const nothingKnown = { standings: new Map<string, RunStanding>(), parts: new Map(), limitsSet: {} }

function whatIsKnown(dir: string, fingerprint: string) {
  return withJournal(dir, journal => {
    const row = readExperiment(journal)
    const standings = runStandings(journal, fingerprint)
    const hashes = new Set([...standings.values()].flatMap(standing => standing.fingerprint ?? []))
    const parts = new Map([...hashes].map(hash => [hash, fingerprintParts(journal, hash) ?? {}]))
    return { standings, parts, limitsSet: row === undefined ? {} : limitsSet(row) }
  })
}

function isNamed(rerun: readonly string[], { name, state }: RunStanding): boolean {
  return rerun.some(
    wanted => name.startsWith(wanted) || name.endsWith(wanted) || (wanted === 'quarantined' && state === 'quarantined'),
  )
}

function lostOutput(
  outputs: Chosen['experiment']['outputs'],
  dir: string,
  { state, name, has_metrics }: RunStanding,
): string | null {
  if (state !== 'completed') return null
  const lost = outputs.find(
    output => (output.required || has_metrics) && !existsSync(join(dir, 'runs', name, output.path)),
  )
  return lost?.path ?? null
}
