import { type Attempt, type Observation, observed } from '../../define/observation.ts'
import type { Outcome } from '../../define/outcome.ts'
import type { Series } from '../../define/run.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import { ByteReader } from './byte-reader.ts'
import type { Dataset, OutputTail, RunFile, RunFolder, TaskWork, TraceTurn, UnmetAssert } from './dataset.ts'
import { readNumbers } from './numbers.ts'
import { onlyAttempt, type PackHead, packFormat, partTables, runTables } from './pack.ts'
import { resultOf, type Steps } from './steps.ts'
import { readTable } from './table.ts'
import type { RunStory, RunTrajectory } from './turns.ts'

type Rows = readonly { readonly [column: string]: Json }[]

/** The dataset encoded in these bytes. */
export const unpackDataset = (bytes: Uint8Array): Dataset => resultOf(unpackSteps(bytes))

/** The same in steps: a hundred thousand runs take a second, during which a page could not be used. */
export function* unpackSteps(bytes: Uint8Array): Steps<Dataset> {
  const headEnd = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, headEnd))) as PackHead
  if (head.format !== packFormat) throw new RangeError(`data of format ${head.format}, this page reads ${packFormat}`)
  const reader = new ByteReader(bytes.subarray(headEnd))
  const names = [...runTables, ...partTables]
  const tables = new Map<(typeof names)[number] | undefined, Rows>()
  for (const [at, table] of head.tables.entries()) tables.set(names[at], yield* readTable(table, reader))
  const series = yield* readSeries(head, reader)
  const of = (name: (typeof names)[number]): Rows => tables.get(name) ?? []
  const parts = new Map<(typeof partTables)[number], ReadonlyMap<number, Rows>>()
  for (const name of partTables) {
    parts.set(
      name,
      Map.groupBy(of(name), row => Number(row.run)),
    )
    yield
  }
  const { evidence, ...rest } = head.meta
  const partsOf = (at: number) => (name: (typeof partTables)[number]) => parts.get(name)?.get(at) ?? []
  const runs = yield* mapped(of('run'), (row, at) =>
    observation(row, series.get(at) ?? [], name => of(name)[at] ?? {}, partsOf(at)('attempts')),
  )
  const folders = yield* mapped(of('run'), (row, at) => runFolder(row, of('reduced')[at] ?? {}, partsOf(at)))
  return { ...rest, evidence: { ...evidence, runs }, folders }
}

const rowsAtOnce = 2000

function* mapped<One>(rows: Rows, make: (row: Rows[number], at: number) => One): Steps<One[]> {
  const made: One[] = []
  for (const [at, row] of rows.entries()) {
    made.push(make(row, at))
    if (at % rowsAtOnce === rowsAtOnce - 1) yield
  }
  return made
}

// The casts below restore the types of data that pack.ts wrote.

function observation(
  row: JsonObject,
  series: readonly Series[],
  of: (table: (typeof runTables)[number]) => JsonObject,
  attempts: Rows,
): Observation {
  const number = (name: string): number | null => (row[name] as number | undefined) ?? null
  const text = (name: string): string | null => (row[name] as string | undefined) ?? null
  const last = {
    outcome: outcomeOf(row),
    started_at: number('started_at'),
    ended_at: number('ended_at'),
    wall_s: number('wall_s'),
    cost_usd: number('cost_usd'),
    cost_assumed: row.cost_assumed === true,
  }
  return observed({
    ...last,
    name: String(row.name),
    source: String(row.source),
    params: of('params'),
    ablation: text('ablation'),
    flags: (row.flags ?? []) as string[],
    block: of('block'),
    ...(row.has_columns === true ? { columns: of('columns') } : {}),
    replicate: Number(row.replicate),
    seed: number('seed'),
    state: String(row.state),
    metrics: of('metrics') as Record<string, number>,
    problems: of('problems') as Record<string, string>,
    series,
    cpu_s: number('cpu_s'),
    max_rss_bytes: number('max_rss_bytes'),
    code: text('code'),
    fingerprint: text('fingerprint'),
    why: text('why'),
    tags: (row.tags ?? []) as string[],
    notes: (row.notes ?? []) as string[],
    attempts: row.attempted_once === true ? [onlyAttempt(last)] : attempts.map(attemptOf),
  })
}

const outcomeOf = (row: JsonObject): Outcome =>
  ({ kind: row.kind, ...(row.outcome as JsonObject) }) as unknown as Outcome

function attemptOf(row: JsonObject): Attempt {
  const { run: _run, kind, outcome: facts, ...attempt } = row
  const outcome = kind === undefined ? null : outcomeOf(row)
  return { ...noAttempt, ...attempt, outcome } as Attempt
}

const noAttempt = { fingerprint: null, worker: null, ended_at: null, wall_s: null, cost_usd: null, continues: null }

function runFolder(
  row: JsonObject,
  reduced: JsonObject,
  parts: (table: (typeof partTables)[number]) => Rows,
): RunFolder {
  return {
    files: row.has_files === true ? (parts('files').map(withoutRun) as unknown as RunFile[]) : null,
    output: parts('output').map(withoutRun) as unknown as OutputTail[],
    trace: parts('trace').map(({ turn }) => turn) as unknown as TraceTurn[],
    unmet: parts('unmet').map(withoutRun) as unknown as UnmetAssert[],
    answer: (parts('answer')[0]?.text as string | undefined) ?? null,
    task: (parts('task')[0]?.work ?? null) as unknown as TaskWork | null,
    trajectory: (parts('trajectory')[0]?.view ?? null) as unknown as RunTrajectory | null,
    story: (parts('story')[0]?.view ?? null) as unknown as RunStory | null,
    reduced: reduced as Record<string, number | string>,
  }
}

const withoutRun = ({ run: _, ...rest }: JsonObject): JsonObject => rest

function* readSeries({ series }: PackHead, reader: ByteReader): Steps<ReadonlyMap<number, readonly Series[]>> {
  const byRun = new Map<number, Series[]>()
  for (const { metric, runs, steps, values } of series) {
    const rows = yield* readTable(runs, reader)
    const allSteps = readNumbers(steps.code, steps.count, reader)
    const allValues = readNumbers(values.code, values.count, reader)
    const lists: number[][] = []
    let stepsAt = 0
    let valuesAt = 0
    for (const row of rows) {
      const { run, list, points } = { run: Number(row.run), list: Number(row.list), points: Number(row.points) }
      const known = lists[list] ?? allSteps.slice(stepsAt, stepsAt + points)
      if (lists[list] === undefined) stepsAt += points
      lists[list] = known
      const one = { metric, steps: known, values: allValues.slice(valuesAt, valuesAt + points) }
      valuesAt += points
      const own = byRun.get(run)
      if (own === undefined) byRun.set(run, [one])
      else own.push(one)
    }
    yield
  }
  return byRun
}
