import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import { assembleFiles, type OverrideProblem, type ScenarioFiles } from './formats/scenario-files.ts'
import { type Converted, converted } from './metrics/convert.ts'
import { seriesNames } from './metrics/expression.ts'
import type { Metric, Scenario } from './scenario.ts'
import type { Trunk } from './spec.ts'
import type { MetricReading, TurnRecord } from './state/state.ts'

/** Parameters that change the state from which a branch continues: `world_state`, and `metrics.<name>.value`. */
export const isStateChange = (name: string): boolean => name === 'world_state' || metricOf(name) !== null

const metricOf = (name: string): string | null => /^metrics\.(.+)\.value$/.exec(name)?.[1] ?? null

/** The trunk with these parameters' changes of the state after its last turn, and their names. A null changes nothing. */
export function withChangedState(
  trunk: Trunk,
  params: JsonObject,
  scenario: Scenario,
): { readonly trunk: Trunk; readonly changed: readonly string[] } {
  const changes = Object.entries(params).filter(([name, level]) => isStateChange(name) && level !== null)
  const last = trunk.turns.at(-1)
  if (last === undefined || changes.length === 0) return { trunk, changed: [] }
  const changed = changes.map(([name]) => name).toSorted()
  const remark = `the state after this turn was changed for this branch: ${changed.join(', ')}`
  const record = changes.reduce<TurnRecord>((made, [name, level]) => withChange(made, name, level, scenario), last)
  return { trunk: { ...trunk, turns: [...trunk.turns.slice(0, -1), withRemark(record, remark)] }, changed }
}

const withRemark = (record: TurnRecord, remark: string): TurnRecord => ({
  ...record,
  remarks: [...record.remarks, remark],
})

function withChange(record: TurnRecord, name: string, level: Json, scenario: Scenario): TurnRecord {
  if (name === 'world_state') return { ...record, world: { ...record.world, state: newState(record, level) } }
  const series = metricOf(name) ?? ''
  const metric = metricNamed(series, scenario)
  const found = metric === null ? null : readLevel(level, metric)
  if (found === null || 'problem' in found) return record
  const reading: MetricReading = { name: series, value: found.value, problem: null }
  const isKnown = record.metrics.some(one => one.name === series)
  return {
    ...record,
    metrics: isKnown ? record.metrics.map(one => (one.name === series ? reading : one)) : [...record.metrics, reading],
  }
}

/** A text, or `{ append: text }` for one that is added to the narrator's text. */
const newState = ({ world }: TurnRecord, level: Json): string => {
  const added = appended(level)
  return added === null ? String(level).trim() : `${world.state.trimEnd()}\n\n${added}`
}

/** The text of `{ append: text }`; null: it is something else. */
export const appended = (level: Json): string | null =>
  isJsonObject(level) && typeof level.append === 'string' && Object.keys(level).length === 1 ? level.append : null

/** The problems of such a parameter. */
export function stateProblems(files: ScenarioFiles, name: string, level: Json): readonly OverrideProblem[] {
  if (level === null) return []
  const series = metricOf(name)
  if (series === null) return isState(level) ? [] : [{ name, message: notState(level), isAboutValue: true }]
  const { scenario } = assembleFiles(files)
  if (scenario === null) return []
  const metric = metricNamed(series, scenario)
  if (metric === null) {
    const names = scenario.metrics.flatMap(one => seriesNames(one, scenario.actors))
    const known = names.length === 0 ? 'the scenario has no metrics' : `metrics: ${names.join(', ')}`
    return [{ name, message: `there is no metric "${series}"`, hint: didYouMean(series, names) ?? known }]
  }
  const found = readLevel(level, metric)
  return 'problem' in found ? [{ name, message: `${name}: ${found.problem}`, isAboutValue: true }] : []
}

const isState = (level: Json): boolean => {
  const text = appended(level) ?? level
  return typeof text === 'string' && text.trim() !== ''
}

const notState = (level: Json): string =>
  `world_state: expected a text, file:PATH or { append: text }, got ${JSON.stringify(level)}`

const metricNamed = (series: string, { metrics, actors }: Scenario): Metric | null =>
  metrics.find(metric => seriesNames(metric, actors).includes(series)) ?? null

const readLevel = (level: Json, metric: Metric): Converted =>
  typeof level === 'object'
    ? { problem: `${JSON.stringify(level)} is no single value` }
    : converted(String(level), metric)
