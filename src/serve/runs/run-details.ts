import { join } from 'node:path'
import type { Series } from '../../define/job.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { runOf } from '../../record/journal/run-row.ts'
import { attemptsOf } from '../../record/read/one-run.ts'
import type { OutputTail } from '../../report/dataset/dataset.ts'
import { filesOf, maskedParameters, tailsOf } from '../../report/gather/run-files.ts'
import { tracesOf } from '../../report/gather/run-traces.ts'
import { AssayError } from '../../util/errors.ts'
import { folderInside } from '../security/file-inside.ts'
import type { RunDetails } from '../wire.ts'

export function runDetails(journal: Journal, root: string, dir: string, name: string): RunDetails {
  const row = rowOf(journal, name)
  const run = runOf(row)
  const folder = folderInside(root, join(dir, 'runs', run.name))
  // A link in place of a file is not followed: it may lead anywhere.
  const lists = filesOf([folder]).lists
  const files = lists[0] ?? []
  const isThere = (path: string): boolean => files.some(file => file.path === path)
  const attempts = attemptsOf(journal, row.id)
  const last = attempts.at(-1)
  const kind = last?.outcome ?? 'infra_error'
  const [masked] = maskedParameters([{ ...nothing, name: run.name, params: run.params, outcome: { kind } }])
  return {
    name: run.name,
    state: row.state === 'finished' ? (row.outcome ?? row.state) : row.state,
    params: masked?.params ?? {},
    block: run.block,
    replicate: run.replicate,
    seed: run.seed,
    attempts: attempts.map(({ worker: _worker, fingerprint: _fingerprint, ...attempt }) => attempt),
    ...readingsOf(journal, row.attempt_id),
    series: seriesOf(journal, row.attempt_id),
    files,
    output: outputOf(folder, run.name).filter(({ stream }) => isThere(`${stream}.txt`)),
    trace: isThere('trace.jsonl') ? (tracesOf([folder], lists).turns[0] ?? []) : [],
  }
}

/** Of one run there is room for as much as of one that failed in a report. */
const outputOf = (folder: string | null, name: string): readonly OutputTail[] =>
  tailsOf([{ ...nothing, name, outcome: { kind: 'failed' } }], [folder]).tails[0] ?? []

/** The folder of a run that the journal knows by exactly this name. */
export const runFolder = (journal: Journal, dir: string, name: string): string =>
  join(dir, 'runs', rowOf(journal, name).name)

interface Row {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly spec: string
  readonly state: string
  readonly outcome: string | null
  readonly attempt_id: number | null
}

function rowOf(journal: Journal, name: string): Row {
  const row = journal.get<Row>('SELECT id, key, name, spec, state, outcome, attempt_id FROM runs WHERE name = ?', name)
  if (row === undefined) throw new AssayError('not_found', `there is no run ${JSON.stringify(name)} in this experiment`)
  return row
}

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

function readingsOf(journal: Journal, attempt: number | null): Pick<RunDetails, 'metrics' | 'problems'> {
  const rows = journal.all<{ name: string; value: number | null; problem: string | null }>(
    'SELECT name, value, problem FROM metrics WHERE attempt_id = ? ORDER BY name',
    attempt,
  )
  return {
    metrics: Object.fromEntries(rows.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]))),
    problems: Object.fromEntries(
      rows.flatMap(({ name, value, problem }) => (value === null ? [[name, problem ?? 'not read']] : [])),
    ),
  }
}

function seriesOf(journal: Journal, attempt: number | null): readonly Series[] {
  const rows = journal.all<{ name: string; steps: string; points: string }>(
    'SELECT name, steps, points FROM series WHERE attempt_id = ? ORDER BY name',
    attempt,
  )
  return rows.map(({ name, steps, points }) => ({
    metric: name,
    steps: JSON.parse(steps) as number[],
    values: JSON.parse(points) as number[],
  }))
}
