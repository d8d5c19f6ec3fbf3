import type { Journal } from '../../record/journal/journal.ts'
import { runFolder } from '../../record/places.ts'
import { attemptsOf, runNamed } from '../../record/read/one-run.ts'
import type { OutputTail } from '../../report/dataset/dataset.ts'
import { filesOf, maskedParameters, tailsOf } from '../../report/gather/run-files.ts'
import { tracesOf } from '../../report/gather/run-traces.ts'
import { folderInside } from '../security/file-inside.ts'
import type { RunDetails } from '../wire.ts'

export function runDetails(journal: Journal, root: string, dir: string, name: string): RunDetails {
  const { id, run, state, metrics, problems, series } = runNamed(journal, name)
  const folder = folderInside(root, runFolder(dir, run.name))
  // A link in place of a file is not followed: it may lead anywhere.
  const lists = filesOf([folder]).lists
  const files = lists[0] ?? []
  const isThere = (path: string): boolean => files.some(file => file.path === path)
  const attempts = attemptsOf(journal, id)
  const last = attempts.at(-1)
  const kind = last?.outcome ?? 'infra_error'
  const [masked] = maskedParameters([{ ...nothing, name: run.name, params: run.params, outcome: { kind } }])
  return {
    name: run.name,
    state,
    params: masked?.params ?? {},
    block: run.block,
    replicate: run.replicate,
    seed: run.seed,
    attempts: attempts.map(({ worker: _worker, fingerprint: _fingerprint, ...attempt }) => attempt),
    ...{ metrics, problems, series },
    files,
    output: outputOf(folder, run.name).filter(({ stream }) => isThere(`${stream}.txt`)),
    trace: isThere('trace.jsonl') ? (tracesOf([folder], lists).turns[0] ?? []) : [],
  }
}

/** Of one run there is room for as much as of one that failed in a report. */
const outputOf = (folder: string | null, name: string): readonly OutputTail[] =>
  tailsOf([{ ...nothing, name, outcome: { kind: 'failed' } }], [folder]).tails[0] ?? []

/** The folder of a run that the journal knows by exactly this name. */
export const folderOfRun = (journal: Journal, dir: string, name: string): string =>
  runFolder(dir, runNamed(journal, name).run.name)

const nothing = {
  source: '',
  name: '',
  params: {},
  block: {},
  replicate: 1,
  metrics: {},
  problems: {},
  series: [],
  cost_usd: null,
  wall_s: null,
  code: null,
}
