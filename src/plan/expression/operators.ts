import { canonicalJson, isJsonObject, type Json } from '../../util/json.ts'
import type { Arithmetic, Comparison, FunctionName } from './syntax.ts'

/** Names the operand that an operator cannot work with; the caller adds the place in the expression. */
export class OperandError extends Error {}

/**
 * The operators. An absent parameter is null, and as in SQL it is unknown whether null is less than 5: order and
 * arithmetic with null give null. `==`, `!=` and `in` always give an answer.
 */
export const comparisonOf: Readonly<Record<Comparison, (left: Json, right: Json) => boolean | null>> = {
  '==': equal,
  '!=': (left, right) => !equal(left, right),
  '<': ordered((left, right) => left < right),
  '<=': ordered((left, right) => left <= right),
  '>': ordered((left, right) => left > right),
  '>=': ordered((left, right) => left >= right),
  in: contains,
  'not in': (left, right) => !contains(left, right),
}

export const arithmeticOf: Readonly<Record<Arithmetic, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / notZero(right),
  '%': (left, right) => left % notZero(right),
  '**': (left, right) => left ** right,
}

export const functionOf: Readonly<Record<FunctionName, (args: readonly Json[]) => number | null>> = {
  min: numeric((...numbers) => Math.min(...numbers)),
  max: numeric((...numbers) => Math.max(...numbers)),
  abs: numeric(Math.abs),
  floor: numeric(Math.floor),
  ceil: numeric(Math.ceil),
  round: numeric(Math.round),
  len: ([value = null]) => lengthOf(value),
}

/** Equal data, whatever the order of its keys. */
export function equal(left: Json, right: Json): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  return canonicalJson(left) === canonicalJson(right)
}

/** A number for arithmetic; null stays null. */
export function numberOrNull(value: Json): number | null {
  if (value === null || typeof value === 'number') return value
  throw new OperandError(`expected a number, got ${canonicalJson(value)}`)
}

/** Infinity would silently be larger than everything. */
function notZero(divisor: number): number {
  if (divisor === 0) throw new OperandError('nothing can be divided by 0')
  return divisor
}

function ordered(compare: (left: number | string, right: number | string) => boolean) {
  return (left: Json, right: Json): boolean | null => {
    if (left === null || right === null) return null
    if (typeof left === 'number' && typeof right === 'number') return compare(left, right)
    if (typeof left === 'string' && typeof right === 'string') return compare(left, right)
    throw new OperandError(`cannot order ${canonicalJson(left)} and ${canonicalJson(right)}`)
  }
}

function contains(item: Json, all: Json): boolean {
  if (all === null) return false
  if (Array.isArray(all)) return all.some(one => equal(item, one))
  if (typeof all === 'string') return typeof item === 'string' && all.includes(item)
  throw new OperandError(`in needs a list or a text on its right, got ${canonicalJson(all)}`)
}

function numeric(compute: (...numbers: number[]) => number) {
  return (args: readonly Json[]): number | null => {
    const numbers = args.flatMap(value => (Array.isArray(value) ? value : [value])).map(numberOrNull)
    const known = numbers.filter(number => number !== null)
    return known.length < numbers.length ? null : compute(...known)
  }
}

function lengthOf(value: Json): number | null {
  if (value === null) return null
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (isJsonObject(value)) return Object.keys(value).length
  throw new OperandError(`len needs a text, a list or an object, got ${canonicalJson(value)}`)
}
