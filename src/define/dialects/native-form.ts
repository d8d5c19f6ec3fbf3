import { relative } from 'node:path'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { Block, FixedExperiment, MetricSpec, Needs } from '../experiment.ts'
import { rangeOf } from '../levels.ts'
import { defaultLimits, limitsInFile } from '../limits.ts'
import { defaultCalls } from '../models/model-settings.ts'
import { metricSourceKinds } from '../schema/metrics/metric-schema.ts'

/** An experiment in the native dialect, whatever dialect it came from; defaults are left out. */
export function nativeForm(experiment: FixedExperiment): JsonObject {
  const { name, description, target, params, ablations, blocks, replicates, seed, order, folder } = experiment
  const { limits, models, metrics, inputs, outputs, hooks, record_env, out_root } = experiment
  const root = relative(folder, out_root)
  return withoutNulls({
    name,
    description: description === '' ? null : description,
    targets: emptyAsNull((experiment.targets ?? []).map(({ path }) => path)),
    metric_sources: emptyAsNull((experiment.metric_sources ?? []).map(({ path }) => path)),
    target,
    params: emptyAsNull(params),
    ablations: emptyAsNull(ablations.map(({ name, flags, set }) => ({ name, flags, set }))),
    ...blocksForm(blocks),
    replicates: replicates === 1 ? null : replicates,
    seed: seed === 1 ? null : seed,
    order: order === 'interleaved' ? null : order,
    limits: emptyAsNull(lessUsual(limitsInFile(limits), limitsInFile(defaultLimits()))),
    needs: needsForm(experiment.needs),
    models: models === undefined ? null : withDurations(plainData(models)),
    calls: callsForm(experiment.calls),
    metrics: emptyAsNull(Object.fromEntries(metrics.map(metric => [metric.name, metricForm(metric)]))),
    inputs: emptyAsNull(inputs),
    outputs: emptyAsNull(outputs.map(({ path, required }) => (required ? path : { path, required }))),
    hooks: emptyAsNull(withoutNulls({ setup: hooks.setup, cleanup: hooks.cleanup })),
    record_env: emptyAsNull(record_env),
    out_root: root === 'results' ? null : root === '' ? '.' : root,
  })
}

function needsForm(needs: FixedExperiment['needs']): Json {
  if (needs === undefined) return null
  if (!('cpu' in needs))
    return emptyAsNull(needs.map(({ when, ...needed }) => ({ ...withoutNulls({ when }), ...neededForm(needed) })))
  return emptyAsNull(neededForm(needs))
}

function neededForm({ cpu, memory_mb, gpu, labels }: Needs): JsonObject {
  const memory = memory_mb === 0 ? null : `${memory_mb}MB`
  return withoutNulls({ cpu: cpu || null, memory, gpu: gpu || null, labels: emptyAsNull(labels) })
}

function blocksForm(blocks: readonly Block[]): JsonObject {
  const [only] = blocks
  if (only === undefined) return {}
  const written = blocks.map(({ name, levels }) => [name, rangeOf(levels) ?? levels] as const)
  return only.name === 'seed' && blocks.length === 1
    ? { seeds: rangeOf(only.levels) ?? only.levels }
    : { blocks: Object.fromEntries(written) }
}

/** A rehearsal is requested on the command line, not in a file. */
function callsForm(calls: FixedExperiment['calls']): Json {
  const { rehearse: _, ...inFile } = calls ?? defaultCalls
  return emptyAsNull(lessUsual({ ...inFile }, { ...defaultCalls }))
}

/** Without settings that equal their defaults. */
const lessUsual = (form: JsonObject, usual: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(form).filter(([key, value]) => canonicalJson(value) !== canonicalJson(usual[key] ?? null)),
  )

function metricForm({ name, goal, primary, value, range, source }: MetricSpec): JsonObject {
  if (!knownKinds.includes(source.kind)) return ownMetricForm({ name, goal, primary, value, range, source })
  const { kind, file, pattern, ...rest } = source
  const own = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== name))
  const read: JsonObject =
    kind === 'reported'
      ? {}
      : kind === 'reward'
        ? { reward: true }
        : kind === 'regex'
          ? { regex: pattern ?? null, file: file ?? null }
          : { [kind]: file ?? null }
  const given = { goal, primary: primary ? true : null, value: value ?? null, range: range ?? null }
  return withoutNulls({ ...given, ...read, ...own })
}

const knownKinds: readonly string[] = [...metricSourceKinds, 'reported']

/** A metric read by a module of the experiment's own. */
function ownMetricForm({ goal, primary, value, range, source: { kind, ...settings } }: MetricSpec): JsonObject {
  const own = { source: kind, settings: emptyAsNull(settings) }
  return withoutNulls({ goal, primary: primary ? true : null, value: value ?? null, range: range ?? null, ...own })
}

/** Values that users pass on to other programs stay unchanged, whatever their names. */
const foreign: readonly string[] = ['options', 'json', 'arguments']

/** `timeout_ms: 5000` is written as `timeout: 5000ms`. */
function withDurations(value: Json): Json {
  if (Array.isArray(value)) return value.map(withDurations)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    if (key.endsWith('_ms') && typeof inner === 'number') return [key.slice(0, -'_ms'.length), `${inner}ms`]
    return [key, foreign.includes(key) ? inner : withDurations(inner)]
  })
  return Object.fromEntries(entries)
}

/** Its interfaces merely lack an index signature. */
const plainData = (data: unknown): Json => JSON.parse(JSON.stringify(data)) as Json

const emptyAsNull = (value: JsonObject | readonly Json[]): Json => (Object.keys(value).length === 0 ? null : value)

/** The schema accepts missing keys, but not null; parameters are left as they are. */
function withoutNulls(form: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(form).flatMap(([key, value]) => {
      if (value === null || value === undefined) return []
      const isOurs = !['params', 'target', 'ablations', 'models'].includes(key) && isJsonObject(value)
      return [[key, isOurs ? withoutNulls(value) : value]]
    }),
  )
}
