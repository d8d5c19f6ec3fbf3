import { defaultSummary, type Reading, wordsFor } from '../../analyze/reading.ts'
import type { Attempt, Observation } from '../../define/observation.ts'
import type { Series } from '../../define/run.ts'
import { isAvailable } from '../../stats/estimate.ts'
import { reduceSeries } from '../../stats/index.ts'
import type { Json } from '../../util/json.ts'
import { ByteWriter } from './byte-writer.ts'
import { type Dataset, noFolder, type RunFolder } from './dataset.ts'
import { type NumberCode, writeNumbers } from './numbers.ts'
import { type Row, type TableHead, writeTable } from './table.ts'

/** The head before the bytes: everything that is not a table, and how to read the tables. */
export interface PackHead {
  readonly format: typeof packFormat
  readonly meta: Omit<Dataset, 'evidence' | 'folders'> & { readonly evidence: Omit<Dataset['evidence'], 'runs'> }
  readonly tables: readonly TableHead[]
  readonly series: readonly SeriesHead[]
}

/** Every series of one metric: a table of runs, then their steps, then their values. */
interface SeriesHead {
  readonly metric: string
  readonly runs: TableHead
  readonly steps: NumberList
  readonly values: NumberList
}

interface NumberList {
  readonly count: number
  readonly code: NumberCode
}

/** Raised whenever the format changes: a page only reads the format that it was made with. */
export const packFormat = 6

/** The tables in the order in which they are written: tables of runs first, one row each. */
export const runTables = ['run', 'params', 'block', 'columns', 'metrics', 'problems', 'reduced'] as const
export const partTables = [
  'attempts',
  'files',
  'output',
  'trace',
  'unmet',
  'answer',
  'task',
  'trajectory',
  'story',
] as const

/** A dataset as bytes: the length of the head, the head, the columns. The same dataset gives the same bytes. */
export function packDataset({ evidence, folders, ...rest }: Dataset): Uint8Array {
  const writer = new ByteWriter()
  const { runs: ended, ...about } = evidence
  const isOnce = ended.map(isAttemptedOnce)
  const ofRuns = ended.map((run, at) => rowsOf(run, isOnce[at] === true, folders[at]))
  const parts = ended.map((run, at) => partsOf(isOnce[at] === true ? [] : run.attempts, folders[at]))
  const tables = [
    ...runTables.map(name => ofRuns.map(rows => rows[name])),
    ...partTables.map(name => parts.flatMap((rows, run) => rows[name].map(row => ({ run, ...row })))),
  ].map(rows => writeTable(rows, writer))
  const head: PackHead = {
    format: packFormat,
    meta: { ...rest, evidence: about },
    tables,
    series: writeSeries(ended, writer),
  }
  return joined(new TextEncoder().encode(JSON.stringify(head)), writer.take())
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 + head.length + body.length)
  new DataView(bytes.buffer).setUint32(0, head.length)
  bytes.set(head, 4)
  bytes.set(body, 4 + head.length)
  return bytes
}

/**
 * Data that is only useful in the experiment's own directory (keys, tokens, places) is not written, nor the names of
 * machines: readers of a report have none of them.
 */
function rowsOf(
  run: Observation,
  isOnce: boolean,
  { files, reduced }: RunFolder = noFolder,
): Readonly<Record<(typeof runTables)[number], Row>> {
  const { kind, ...outcome } = run.outcome
  return {
    run: present({
      name: run.name,
      source: run.source,
      replicate: run.replicate,
      kind,
      outcome: outcome as Row[string],
      cost_usd: run.cost_usd,
      wall_s: run.wall_s,
      code: run.code,
      fingerprint: run.fingerprint,
      has_files: files !== null,
      has_columns: run.columns !== undefined,
      state: run.state,
      ablation: run.ablation,
      flags: [...run.flags],
      seed: run.seed,
      started_at: run.started_at,
      ended_at: run.ended_at,
      cpu_s: run.cpu_s,
      max_rss_bytes: run.max_rss_bytes,
      cost_assumed: run.cost_assumed,
      why: run.why,
      tags: [...run.tags],
      notes: [...run.notes],
      attempted_once: isOnce,
    }),
    params: run.params,
    block: run.block,
    columns: run.columns ?? {},
    metrics: run.metrics,
    problems: run.problems,
    reduced,
  }
}

/** The facts that a run takes from its last attempt. */
type LastAttempt = Pick<Observation, 'outcome' | 'started_at' | 'ended_at' | 'wall_s' | 'cost_usd' | 'cost_assumed'>

/** The only attempt of a run, derived from the run. */
export const onlyAttempt = (run: LastAttempt): Attempt => ({
  number: 1,
  outcome: run.outcome,
  fingerprint: null,
  started_at: run.started_at ?? 0,
  ended_at: run.ended_at,
  wall_s: run.wall_s,
  cost_usd: run.cost_usd,
  cost_assumed: run.cost_assumed,
  superseded: false,
  worker: null,
  mode: 'run',
  continues: null,
})

/** True for most runs: their attempts need not be written. */
function isAttemptedOnce(run: Observation): boolean {
  const [first, second] = run.attempts
  if (first === undefined || second !== undefined || run.started_at === null) return false
  const { fingerprint: _fingerprint, worker: _worker, outcome, ...written } = first
  const { fingerprint: _none, worker: _nobody, outcome: own, ...expected } = onlyAttempt(run)
  return (
    outcome === own &&
    Object.entries(expected).every(([name, value]) => written[name as keyof typeof written] === value)
  )
}

/** A number among nulls would make a column of choices: null is left out, which is what a missing cell means. */
const present = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null))

function partsOf(
  attempts: readonly Attempt[],
  { files, output, trace, unmet, answer, task, trajectory, story }: RunFolder = noFolder,
): Readonly<Record<(typeof partTables)[number], readonly Row[]>> {
  return {
    attempts: attempts.map(attemptRow),
    files: (files ?? []).map(file => ({ ...file })),
    output: output.map(tail => ({ ...tail })),
    trace: trace.map(turn => ({ turn: turn as unknown as Json })),
    unmet: unmet.map(one => ({ ...one })),
    answer: answer === null ? [] : [{ text: answer }],
    task: task === null ? [] : [{ work: task as unknown as Json }],
    trajectory: trajectory === null ? [] : [{ view: trajectory as unknown as Json }],
    story: story === null ? [] : [{ view: story as unknown as Json }],
  }
}

function attemptRow({ outcome, fingerprint: _fingerprint, worker: _worker, ...attempt }: Attempt): Row {
  const { kind = null, ...facts } = outcome ?? {}
  return present({ ...attempt, kind, ...(outcome !== null && { outcome: facts as Row[string] }) })
}

/** Runs of one variant log at the same steps: each list of steps is written once. */
function writeSeries(runs: readonly Observation[], writer: ByteWriter): readonly SeriesHead[] {
  const all = runs.flatMap((run, at) => run.series.map(series => ({ run: at, ...series })))
  return [...Map.groupBy(all, ({ metric }) => metric)].map(([metric, own]) => {
    const lists = new Map<string, { readonly index: number; readonly steps: readonly number[] }>()
    const rows = own.map(({ run, steps }) => {
      const key = steps.join()
      const list = lists.get(key) ?? { index: lists.size, steps }
      lists.set(key, list)
      return { run, list: list.index, points: steps.length }
    })
    return {
      metric,
      runs: writeTable(rows, writer),
      steps: writeList(
        [...lists.values()].flatMap(({ steps }) => [...steps]),
        writer,
      ),
      values: writeList(
        own.flatMap(({ values }) => [...values]),
        writer,
      ),
    }
  })
}

const writeList = (values: readonly number[], writer: ByteWriter): NumberList => ({
  count: values.length,
  code: writeNumbers(values, writer),
})

/** More points than this would make most of the file; a curve is drawn with a few hundred. */
const mostPoints = 60_000
const fewestPoints = 8

interface Thinned {
  readonly runs: readonly Observation[]
  /** By run, in the same order. */
  readonly reduced: readonly RunFolder['reduced'][]
  /** At most this many points are left of each series; null: all of them. */
  readonly points: number | null
}

/**
 * Runs with shorter series, if they have too many points together. Values that analysis derives from a whole series are
 * computed first and kept: thinning changes pictures a little and numbers not at all.
 */
export function thinSeries(runs: readonly Observation[]): Thinned {
  const all = runs.flatMap(run => run.series)
  const total = all.reduce((sum, { values }) => sum + values.length, 0)
  if (total <= mostPoints) return { runs, reduced: runs.map(() => ({})), points: null }
  const points = Math.max(fewestPoints, Math.floor(mostPoints / all.length))
  return {
    runs: runs.map(run => ({ ...run, series: run.series.map(series => thinned(series, points)) })),
    reduced: runs.map(run => Object.fromEntries(run.series.flatMap(reductionsOf))),
    points,
  }
}

/** The key of the number that a whole series was reduced to. */
export const reducedKey = (metric: string, kind: 'auc' | 'slope'): string => `${kind} ${metric}`

function reductionsOf(series: Series): (readonly [string, number | string])[] {
  const { window, minPoints } = defaultSummary
  const reduced = (reduction: NonNullable<Reading['summary']>['reduction'], least: number): number | string => {
    const value = reduceSeries(series, reduction, { window, minPoints: least })
    return isAvailable(value) ? value : wordsFor(value.unavailable)
  }
  return [
    [reducedKey(series.metric, 'auc'), reduced(defaultSummary.reduction, minPoints)],
    [reducedKey(series.metric, 'slope'), reduced({ kind: 'slope' }, 1)],
  ]
}

/** Evenly, always with the first and the last point. */
function thinned({ metric, steps, values }: Series, points: number): Series {
  if (values.length <= points) return { metric, steps, values }
  const kept = Array.from({ length: points }, (_, at) => Math.round((at * (values.length - 1)) / (points - 1)))
  const pick = (list: readonly number[]) => kept.map(at => list[at] ?? Number.NaN)
  return { metric, steps: pick(steps), values: pick(values) }
}
