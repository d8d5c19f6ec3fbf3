import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import { lostOutput, refuseMissingInputs } from '../../engine/prepare/inputs-and-outputs.ts'
import { fingerprintNow, runToRerun } from '../../engine/prepare/prepare.ts'
import { presentWorkers } from '../../engine/presence.ts'
import { type NextAction, nextAction } from '../../engine/rules/next-action.ts'
import { explainChange } from '../../plan/plan-hash.ts'
import { fingerprintParts, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import { asExperimentDirectory, runFolder } from '../../record/places.ts'
import { type RunStanding, runStandings } from '../../record/read/run-standing.ts'
import { lastingNames } from '../../record/runs/offer.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import type { Chosen } from './choose-experiment.ts'
import { limitsNow } from './limits-now.ts'
import { withJournal } from './with-journal.ts'

/** Tells of any run what the next `run` would do with it, and the name that it has if it was ever run. */
export type Foresight = (run: Run) => Pick<NextAction, 'action' | 'why'> & { readonly name: string }

/** Looks into the journal, if there is one, once; nothing is made or changed. */
export function foresee(chosen: Chosen, options: Options, io: Io): Foresight {
  const { experiment, bound, dir, errorAt } = chosen
  refuseMissingInputs({ experiment, errorAt }, io.cwd)
  const now = fingerprintNow(chosen, io.cwd)
  const rerun = options.rerun ?? []
  const known = asExperimentDirectory(dir) === undefined ? nothingKnown : whatIsKnown(dir, experiment, now.hash, rerun)
  const isNamed = ({ id, ended }: RunStanding) =>
    known.named.has(id) || (ended === 'quarantined' && rerun.includes('quarantined'))
  const limits = limitsNow(experiment, known.limitsSet, options)
  const changes = new Map([...known.parts].map(([hash, parts]) => [hash, explainChange(parts, now.parts)]))
  const lost = ({ name, outputs }: RunStanding) => lostOutput(experiment.outputs, outputs, runFolder(dir, name))
  return run => {
    const standing = known.standings.get(run.key)
    const { action, why } = nextAction(standing, {
      limits,
      bound: bound(run),
      retryFailed: options.retryFailed ?? false,
      fresh: options.fresh ?? false,
      isNamed: standing !== undefined && isNamed(standing),
      stale: options.stale ?? null,
      change: changes.get(standing?.fingerprint ?? '') ?? 'it was made by another definition',
      isCutOff: standing?.state === 'running' && !known.present.has(standing.worker_id ?? -1),
      lostOutput: standing === undefined || !hasResult(standing) ? null : lost(standing),
    })
    return { action, why, name: standing?.name ?? known.lasting(run).name }
  }
}

const hasResult = ({ ended }: RunStanding): boolean => ended === 'completed'

const nothingKnown = {
  lasting: (run: Run): Run => run,
  standings: new Map<string, RunStanding>(),
  parts: new Map(),
  limitsSet: {},
  named: new Set<number>(),
  present: new Set<number>(),
}

function whatIsKnown(dir: string, experiment: Experiment, fingerprint: string, rerun: readonly string[]) {
  return withJournal(dir, journal => {
    const row = readExperiment(journal)
    const standings = runStandings(journal, fingerprint)
    const hashes = new Set([...standings.values()].flatMap(standing => standing.fingerprint ?? []))
    const parts = new Map([...hashes].map(hash => [hash, fingerprintParts(journal, hash) ?? {}]))
    const names = rerun.filter(name => name !== 'quarantined')
    const named = new Set(names.map(name => runToRerun(journal, name).id))
    const lasting = lastingNames(journal, experiment)
    const present = new Set(presentWorkers(journal, Date.now()).map(({ id }) => id))
    return { standings, parts, limitsSet: row === undefined ? {} : limitsSet(row), named, present, lasting }
  })
}
