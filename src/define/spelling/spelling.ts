import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { Experiment, Naming, PythonValues, Spelling } from '../experiment.ts'

import { pythonText } from './python-text.ts'

export { pythonText, spacedJson } from './python-text.ts'

/** A parameter's value as one word on a command line: as the program that the dialect comes from would write it. */
export function spell(naming: Naming, parameter: string, value: Json): string {
  if (typeof value === 'string') return value
  const spelt = spellingOf(naming)[parameter]?.[canonicalJson(value)]
  return (
    (spelt === undefined ? undefined : pythonText(spelt)) ??
    (typeof value === 'object' ? JSON.stringify(value) : String(value))
  )
}

export const spellingOf = (naming: Naming): Spelling => ('spelling' in naming ? naming.spelling : {})

type Path = readonly (string | number)[]

/**
 * A value as Python's `json.dumps(value, sort_keys=True, separators=(',', ':'))` spells it. Python distinguishes 50
 * from 50.0, which JSON data in JavaScript can't, so `spellingOf` says how a number was written; null: as in
 * JavaScript.
 */
export function pythonJson(
  value: Json,
  spellingOf: (path: Path) => string | null = () => null,
  path: Path = [],
): string {
  if (typeof value === 'number') return pythonNumber(value, spellingOf(path))
  if (typeof value === 'string') return pythonString(value)
  if (isJsonObject(value)) {
    const items = Object.entries(value)
    return pythonObject(items.map(([key, item]) => [key, pythonJson(item, spellingOf, [...path, key])]))
  }
  if (Array.isArray(value))
    return `[${value.map((item, index) => pythonJson(item, spellingOf, [...path, index])).join(',')}]`
  return String(value)
}

/** An object whose values are already spelt. */
export function pythonObject(entries: readonly (readonly [key: string, json: string])[]): string {
  const sorted = entries.toSorted(([a], [b]) => byCodePoint(a, b))
  return `{${sorted.map(([key, json]) => `${pythonString(key)}:${json}`).join(',')}}`
}

/** Whole numbers keep all their digits; a point or an exponent makes a float. */
export function pythonNumber(value: number, spelling: string | null): string {
  if (spelling === null) return Number.isInteger(value) ? BigInt(value).toString() : pythonFloat(value)
  if (/^-?(0|[1-9]\d*)$/.test(spelling)) return BigInt(spelling).toString()
  return /^[-+\d._]*[.eE]/.test(spelling) ? pythonFloat(value) : BigInt(value).toString()
}

/**
 * Python's repr of a float. Both languages print the shortest digits that read back as the same number; they differ in
 * where they put the point (float_repr_style "short": an exponent below 1e-4 and from 1e16 on).
 */
export function pythonFloat(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const [mantissa = '0', exponentText = '0'] = Math.abs(value).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const exponent = Number(exponentText)
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}

/** Python compares strings by code point, JavaScript by UTF-16 unit: they differ beyond U+FFFF. */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (const [index, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function pythonString(text: string): string {
  const short: Readonly<Record<string, string>> = {
    '"': '\\"',
    '\\': '\\\\',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\f': '\\f',
    '\b': '\\b',
  }
  const escaped = (unit: string) => short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `"${text.replaceAll(/["\\]|[^ -~]/g, escaped)}"`
}

/** Macros in the words of a command, as in a W&B sweep file: `${args}` is replaced by all parameters. */
export const macroNames = [
  'env',
  'interpreter',
  'program',
  'args',
  'args_no_hyphens',
  'args_no_equals',
  'args_no_boolean_flags',
  'args_append_hydra',
  'args_override_hydra',
  'args_json',
  'args_json_file',
] as const

export type MacroName = (typeof macroNames)[number]

/** A parameter as a program gets it, its value as compact JSON in Python's spelling. */
export interface Argument {
  readonly name: string
  readonly json: string
}

/** The parameters of a run by name, with nested ones inside their parents: `optimizer.lr` in `optimizer`. */
export function argumentsOf(params: JsonObject, { python }: Pick<Experiment, 'python'>): readonly Argument[] {
  const tree: Tree = new Map()
  for (const [name, value] of Object.entries(params))
    put(tree, python?.nested[name] ?? [name], pythonSpelling(name, value, python))
  return [...tree]
    .map(([name, branch]) => ({ name, json: jsonOf(branch) }))
    .sort((one, other) => byCodePoint(one.name, other.name))
}

/** A parameter's value as compact JSON, in which 50.0 is not 50. */
export function pythonSpelling(name: string, value: Json, python: PythonValues | undefined): string {
  const written = python?.spelling[name]?.[canonicalJson(value)]
  if (written !== undefined) return written
  return typeof value === 'number' && python?.floats.includes(name) ? pythonFloat(value) : pythonJson(value)
}

type Tree = Map<string, string | Tree>

function put(tree: Tree, [name = '', ...rest]: readonly string[], json: string): void {
  const inner = tree.get(name)
  if (rest.length === 0 || typeof inner === 'string') {
    tree.set([name, ...rest].join('.'), json)
    return
  }
  const branch = inner ?? new Map()
  tree.set(name, branch)
  put(branch, rest, json)
}

const jsonOf = (branch: string | Tree): string =>
  typeof branch === 'string' ? branch : pythonObject([...branch].map(([name, inner]) => [name, jsonOf(inner)] as const))
