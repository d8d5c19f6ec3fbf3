import type { Run } from '../../define/run.ts'
import { lostOutput, refuseMissingInputs } from '../../engine/prepare/inputs-and-outputs.ts'
import { fingerprintNow, runToRerun } from '../../engine/prepare/prepare.ts'
import { presentWorkers } from '../../engine/presence.ts'
import { type NextAction, nextAction } from '../../engine/rules/next-action.ts'
import { explainChange } from '../../plan/plan-hash.ts'
import { fingerprintParts, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import { Journal } from '../../record/journal/journal.ts'
import { asExperimentDirectory, journalFile, runFolder } from '../../record/places.ts'
import { type RunStanding, standingReader } from '../../record/read/run-standing.ts'
import { lastingNames } from '../../record/runs/offer.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import type { Chosen } from './choose-experiment.ts'
import { limitsNow } from './limits-now.ts'

/** Tells of any run what the next `run` would do with it, and the name that it has if it was ever run. */
export type Foresight = (run: Run) => Pick<NextAction, 'action' | 'why'> & { readonly name: string }

/**
 * Looks into the journal, if there is one, for as long as `work` takes: run by run, because a million of them take too
 * much memory. Nothing is made or changed.
 */
export async function withForesight<T>(
  chosen: Chosen,
  options: Options,
  io: Io,
  work: (foresight: Foresight) => T | Promise<T>,
): Promise<T> {
  refuseMissingInputs(chosen, io.cwd)
  const now = fingerprintNow(chosen, io.cwd)
  if (asExperimentDirectory(chosen.dir) === undefined) return work(foresee(chosen, options, now, nothingKnown))
  const journal = Journal.openExisting(journalFile(chosen.dir))
  try {
    return await work(foresee(chosen, options, now, known(journal, chosen, options, now)))
  } finally {
    journal.close()
  }
}

function foresee(chosen: Chosen, options: Options, now: Fingerprint, known: Known): Foresight {
  const { experiment, bound, dir } = chosen
  const limits = limitsNow(experiment, known.limitsSet, options)
  const changes = new Map<string | null, string>()
  const change = ({ fingerprint }: RunStanding): string => {
    const explained = changes.get(fingerprint) ?? known.changeSince(fingerprint, now)
    changes.set(fingerprint, explained)
    return explained
  }
  const isNamed = ({ id, ended }: RunStanding) =>
    known.named.has(id) || (ended === 'quarantined' && (options.rerun ?? []).includes('quarantined'))
  const lost = ({ name, outputs }: RunStanding) => lostOutput(experiment.outputs, outputs, runFolder(dir, name))
  return run => {
    const standing = known.standing(run.key)
    const { action, why } = nextAction(standing, {
      limits,
      bound: bound(run),
      retryFailed: options.retryFailed ?? false,
      fresh: options.fresh ?? false,
      isNamed: standing !== undefined && isNamed(standing),
      stale: options.stale ?? null,
      change: standing?.state === 'stale' ? change(standing) : '',
      isCutOff: standing?.state === 'running' && !known.present.has(standing.worker_id ?? -1),
      lostOutput: standing === undefined || !hasResult(standing) ? null : lost(standing),
    })
    return { action, why, name: standing?.name ?? known.lasting(run).name }
  }
}

const hasResult = ({ ended }: RunStanding): boolean => ended === 'completed'

type Fingerprint = ReturnType<typeof fingerprintNow>

interface Known {
  readonly lasting: (run: Run) => Run
  readonly standing: (key: string) => RunStanding | undefined
  /** What changed since the definition with this fingerprint. */
  readonly changeSince: (fingerprint: string | null, now: Fingerprint) => string
  readonly limitsSet: ReturnType<typeof limitsSet>
  readonly named: ReadonlySet<number>
  readonly present: ReadonlySet<number>
}

const nothingKnown: Known = {
  lasting: run => run,
  standing: () => undefined,
  changeSince: () => '',
  limitsSet: {},
  named: new Set(),
  present: new Set(),
}

function known(journal: Journal, { experiment }: Chosen, { rerun = [] }: Options, { hash }: Fingerprint): Known {
  const row = readExperiment(journal)
  const names = rerun.filter(name => name !== 'quarantined')
  return {
    lasting: lastingNames(journal, experiment),
    standing: standingReader(journal, hash),
    changeSince: (fingerprint, now) =>
      fingerprint === null
        ? 'it was made by another definition'
        : explainChange(fingerprintParts(journal, fingerprint) ?? {}, now.parts),
    limitsSet: row === undefined ? {} : limitsSet(journal, row),
    named: new Set(names.map(name => runToRerun(journal, name).id)),
    present: new Set(presentWorkers(journal, Date.now()).map(({ id }) => id)),
  }
}
