import { Aggregates, type Metrics } from '../../analyze/trajectories/aggregates.ts'
import { type InstanceRow, instanceColumns, instanceRecord, instanceRow } from '../../analyze/trajectories/instance.ts'
import { readTrajectories, type UnreadFile } from '../../models/trajectory/trajectory-files.ts'
import { csvLine } from '../../util/csv.ts'

/** An instance with the file that it comes from. */
export interface ParsedInstance {
  readonly file: string
  readonly recorded_by: string
  readonly model: string | null
  readonly strategy: string | null
  readonly notes: readonly string[]
  readonly row: InstanceRow
}

export interface ParsedFolder {
  readonly instances: readonly ParsedInstance[]
  readonly broken: readonly UnreadFile[]
  readonly summary: Metrics
  readonly exits: ReadonlyMap<string, number>
  readonly turns: ReturnType<Aggregates['turnDistribution']>
  /** Instances that occur in several files, with the same model and strategy. */
  readonly repeated: ReadonlyMap<string, readonly string[]>
}

/**
 * File by file: only the row of each is kept, regardless of its size. The ratio of 0 to 0 is 0, as in SWE-agent's
 * hooks.
 */
export function parseFolder(folder: string): ParsedFolder {
  const instances: ParsedInstance[] = []
  const broken: UnreadFile[] = []
  const aggregates = new Aggregates(0)
  for (const found of readTrajectories(folder)) {
    if ('reason' in found) {
      broken.push(found)
      continue
    }
    const { file, trajectory } = found
    const row = instanceRow(instanceRecord(trajectory), 0)
    aggregates.add(row)
    const { recorded_by, agent, notes } = trajectory
    const strategy = agent.strategy?.strategy
    instances.push({
      ...{ file, recorded_by, notes, row, model: agent.model },
      strategy: typeof strategy === 'string' ? strategy : null,
    })
  }
  return {
    ...{ instances, broken, summary: aggregates.summary(), exits: new Map(aggregates.exits()) },
    turns: aggregates.turnDistribution(),
    repeated: repeatedIn(instances),
  }
}

function repeatedIn(instances: readonly ParsedInstance[]): ReadonlyMap<string, readonly string[]> {
  const alike = Map.groupBy(instances, ({ row, model, strategy }) => JSON.stringify([row.instance_id, model, strategy]))
  const repeated = [...alike.values()].filter(all => all.length > 1).flat()
  const byId = Map.groupBy(repeated, ({ row }) => row.instance_id)
  return new Map([...byId].map(([id, all]) => [id, all.map(({ file }) => file)]))
}

/** The document of `assay parse --json`: every number under its name, then the rows. */
export function parsedDocument(folder: string, parsed: ParsedFolder): object {
  const { instances, broken, summary, exits, turns, repeated } = parsed
  return {
    kind: 'parse',
    dir: folder,
    ...summary,
    exit_categories: Object.fromEntries(exits),
    turn_distribution: turns,
    // For how many instances a number is unknown: then a sum that needs it is null.
    unknown: unknownCounts(instances),
    repeated_instances: Object.fromEntries(repeated),
    n_broken: broken.length,
    broken,
    instances: instances.map(({ row, ...about }) => ({ ...row, ...about })),
  }
}

function unknownCounts(instances: readonly ParsedInstance[]): { readonly [column: string]: number } {
  const counts = instanceColumns.map(column => {
    const count = instances.filter(({ row }) => row[column] === null).length
    return [column, count] as const
  })
  return Object.fromEntries(counts.filter(([column, count]) => count > 0 && column !== 'review_score'))
}

/** `instances.csv`: exactly its columns; a number that is not known is an empty cell. */
export function* instancesCsv(instances: readonly ParsedInstance[]): Generator<string> {
  yield csvLine([...instanceColumns])
  for (const { row } of instances) yield csvLine(instanceColumns.map(column => cellOf(row[column])))
}

/** As Python writes them. */
function cellOf(value: string | number | boolean | null): string {
  if (value === null) return ''
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value)
}
