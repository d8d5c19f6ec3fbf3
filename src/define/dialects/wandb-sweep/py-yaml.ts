import { isJsonObject, type Json } from '../../../util/json.ts'
import type { Path, Source } from '../../source/source.ts'

/** The same file as W&B reads it, with PyYAML: by YAML 1.1, where a plain `yes` is true and 1_000 a number. */
export function asPyYaml(source: Source): Source {
  return { ...source, value: converted(source.value, [], source) }
}

function converted(value: Json, path: Path, source: Source): Json {
  if (typeof value === 'string') return source.isUnquoted?.(path) ? (plainValue(value) ?? value) : value
  if (Array.isArray(value)) return value.map((item, index) => converted(item, [...path, index], source))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, converted(item, [...path, key], source)]))
}

function plainValue(text: string): Json | undefined {
  if (/^(yes|Yes|YES|on|On|ON)$/.test(text)) return true
  if (/^(no|No|NO|off|Off|OFF)$/.test(text)) return false
  return /^[-+]?[1-9]\d*(_\d+)+(\.\d*)?$/.test(text) ? Number(text.replaceAll('_', '')) : undefined
}
