import type { SQLOutputValue } from 'node:sqlite'
import { outcomeKinds } from '../../define/outcome.ts'
import { attemptModes } from '../../define/run.ts'

/** The types of a row's columns, by the name that the query gives them. */
export interface Columns {
  readonly [name: string]: Column<unknown>
}

/** Whether a value is valid, and what a valid one would be. */
export interface Column<T> {
  /** A value of this type is valid and needs no further check. */
  readonly type?: 'string' | 'number' | undefined
  readonly isRight: (value: unknown) => value is T
  readonly what: string
}

/** A row whose columns were checked when it was read: see `Statement`. */
export type RowOf<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer T> ? T : never
}

export const text: Column<string> = {
  type: 'string',
  isRight: value => typeof value === 'string',
  what: 'a text',
}
export const number: Column<number> = {
  type: 'number',
  isRight: value => typeof value === 'number',
  what: 'a number',
}

export const oneOf = <const T extends string>(choices: readonly T[]): Column<T> => {
  const known: ReadonlySet<unknown> = new Set(choices)
  return { isRight: (value): value is T => known.has(value), what: `one of ${choices.join(', ')}` }
}

export const orNull = <T>({ type, isRight, what }: Column<T>): Column<T | null> => ({
  type,
  isRight: (value): value is T | null => value === null || isRight(value),
  what: `${what} or nothing`,
})

export const textOrNull = orNull(text)
export const numberOrNull = orNull(number)

export const outcomeKind = oneOf(outcomeKinds)
export const outcomeKindOrNull = orNull(outcomeKind)
export const attemptMode = oneOf(attemptModes)
export const runState = oneOf(['ready', 'running', 'finished', 'quarantined'])

/** For rows that are copied from one journal to another as they are. */
export const anyColumns: { readonly [name: string]: Column<SQLOutputValue> } = {}
