import type { Json } from '../../../util/json.ts'
import type { MetricSourceSpec } from '../../experiment.ts'
import type { WrittenMetric } from './metric-schema.ts'
import { groupsOf } from './regex-groups.ts'

/** Where a metric is read from; a metric without a source is reported by the run itself. */
export function metricSource(name: string, spec: WrittenMetric): MetricSourceSpec {
  const own = name === '*' ? undefined : name
  const { csv, json, jsonl, regex, row_name, step, optional } = spec
  if (spec.source !== undefined) return { ...spec.settings, kind: spec.source }
  if (csv !== undefined) return source('csv', { file: csv, column: spec.column ?? own, row_name, optional })
  if (json !== undefined) return source('json', { file: json, path: spec.path ?? own, optional })
  if (jsonl !== undefined) return source('jsonl', { file: jsonl, field: spec.field ?? name, step, optional })
  if (spec.tensorboard !== undefined)
    return source('tensorboard', { file: spec.tensorboard, tag: spec.tag ?? own, optional })
  if (regex !== undefined) {
    const { file = 'stdout.txt', group = firstGroup(regex) } = spec
    return source('regex', { file, pattern: regex, group, optional })
  }
  return source(spec.reward === true ? 'reward' : 'reported', {})
}

/** Omitted keys stay omitted: specs are compared and stored as JSON. */
function source(kind: string, fields: { readonly [key: string]: Json | undefined }): MetricSourceSpec {
  const given = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
  return { ...Object.fromEntries(given), kind }
}

function firstGroup(pattern: string): number {
  const groups = groupsOf(pattern)
  return groups.isValid && groups.names.includes('1') ? 1 : 0
}
