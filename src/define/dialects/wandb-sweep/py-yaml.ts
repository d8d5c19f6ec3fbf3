import { isJsonObject, type Json } from '../../../util/json.ts'
import type { Path, Source } from '../../source/source.ts'

/** The same file as W&B reads it, with PyYAML: by YAML 1.1, where a plain `yes` is true, 1_000 a number, 010 an octal one and 1:30 ninety. */
export function asPyYaml(source: Source): Source {
  return { ...source, value: converted(source.value, [], source) }
}

function converted(value: Json, path: Path, source: Source): Json {
  if (typeof value === 'string') return source.isUnquoted?.(path) ? (plainText(value) ?? value) : value
  if (typeof value === 'number') return source.isUnquoted?.(path) ? plainNumber(value, source.spellingOf(path)) : value
  if (Array.isArray(value)) return value.map((item, index) => converted(item, [...path, index], source))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, converted(item, [...path, key], source)]))
}

/** What is text in YAML 1.2 only. */
function plainText(text: string): Json | undefined {
  if (/^(yes|Yes|YES|on|On|ON)$/.test(text)) return true
  if (/^(no|No|NO|off|Off|OFF)$/.test(text)) return false
  if (/^[-+]?[1-9][\d_]*(:[0-5]?\d)+$/.test(text) || /^[-+]?\d[\d_]*(:[0-5]?\d)+\.[\d_]*$/.test(text))
    return sexagesimal(text)
  const binary = /^([-+]?)0b([01_]+)$/.exec(text)
  if (binary !== null) return signed(binary[1], Number.parseInt((binary[2] ?? '').replaceAll('_', ''), 2))
  return /^[-+]?[1-9]\d*(_\d+)+(\.\d*)?$/.test(text) ? Number(text.replaceAll('_', '')) : undefined
}

/** `010` is 8 there, `08` and `0o10` are text. */
function plainNumber(value: number, spelling: string | null): Json {
  const digits = /^([-+]?)0(\d+)$/.exec(spelling ?? '')
  if (digits === null) return spelling?.startsWith('0o') ? spelling : value
  return /[89]/.test(digits[2] ?? '') ? digits[0] : signed(digits[1], Number.parseInt(digits[2] ?? '', 8))
}

/** `1:30` is 90. */
function sexagesimal(text: string): number {
  const parts = text.replaceAll(/[-+_]/g, '').split(':').map(Number)
  return signed(
    text[0],
    parts.reduce((sum, part) => sum * 60 + part, 0),
  )
}

const signed = (sign: string | undefined, value: number): number => (sign === '-' ? -value : value)
