import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { resolvePath } from '../../../define/read-files.ts'
import type { Json, JsonObject } from '../../../util/json.ts'
import type { OneAssert } from './assert-schema.ts'
import { codeFunction } from './inline-code.ts'

/** The input of a scoring function besides the answer. */
export interface ScoringContext {
  readonly vars: JsonObject
  /** The answer as JSON; undefined if it is not JSON. */
  readonly data: Json | undefined
  /** The prompt's name; for `javascript`, as promptfoo has it, the text that was sent. */
  readonly prompt: string
  readonly model: string
  readonly case: string | null
  readonly replicate: number
  readonly seed: number
  readonly tool_calls: readonly object[]
  /** As the assert has it. */
  readonly config: JsonObject
  readonly provider: { readonly id: string }
}

export interface Scored {
  readonly score: number
  readonly passed: boolean
  readonly reason: string
  /** Further scores under its own names, which become metrics. */
  readonly named?: Readonly<Record<string, number>> | undefined
}

export type Place = { readonly file: string; readonly name: string }

/** The place of an assert's function: `module: score.ts, export: isPolite`, or `value: file://score.ts:isPolite`. */
export function placeOf({ module, export: name, value }: OneAssert, folder: string): Place {
  const [, path = '', named = ''] = /^file:\/\/(.*?)(?::([\p{L}_$][\p{L}\p{N}_$]*))?$/u.exec(String(value)) ?? []
  const file = resolvePath(module ?? path, { folder, cwd: process.cwd() })
  return { file, name: name ?? (named === '' ? 'default' : named) }
}

/** Whether its code is in the experiment file itself. */
export const isInline = ({ type, value }: OneAssert): boolean =>
  /^(not-)?javascript$/.test(type) && !String(value).startsWith('file://')

/**
 * Calls a user's function, in this process: `(answer, context) => boolean | number | { score, passed, reason }`.
 */
export async function callScorer({ file, name }: Place, answer: string, context: ScoringContext): Promise<Scored> {
  // By its time, so that a file that was saved while assay runs is read again.
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const exports: Record<string, unknown> = await import(`${pathToFileURL(file).href}?saved=${changed}`)
  const scorer = exports[name]
  if (typeof scorer !== 'function') throw new TypeError(`${file} has no function "${name}"`)
  return scoredOf(await scorer(answer, context), `${file}#${name}`)
}

export async function runCode(code: string, answer: string, context: ScoringContext): Promise<Scored> {
  return scoredOf(await codeFunction(code, codeParameters)(answer, context), code.trim())
}

export const codeParameters = ['output', 'context']

/** A number above 0 has passed, as in promptfoo, unless there is a threshold. */
function scoredOf(returned: unknown, where: string): Scored {
  if (typeof returned === 'boolean') return { score: Number(returned), passed: returned, reason: where }
  if (typeof returned === 'number') return { score: checked(returned, where), passed: returned > 0, reason: where }
  if (typeof returned !== 'object' || returned === null) throw wrong(returned, where)
  const given: { score?: unknown; passed?: unknown; pass?: unknown; reason?: unknown; namedScores?: unknown } = returned
  const passed = given.passed ?? given.pass
  const score =
    typeof given.score === 'number'
      ? checked(given.score, where)
      : typeof passed === 'boolean'
        ? Number(passed)
        : Number.NaN
  if (Number.isNaN(score)) throw wrong(returned, where)
  return {
    score,
    passed: typeof passed === 'boolean' ? passed : score >= 1,
    reason: typeof given.reason === 'string' ? given.reason : where,
    named: namedOf(given.namedScores, where),
  }
}

function namedOf(given: unknown, where: string): Scored['named'] {
  if (given === undefined || given === null) return undefined
  const entries = Object.entries(given)
  const wrongOne = entries.find(([, value]) => typeof value !== 'number' || !Number.isFinite(value))
  if (wrongOne !== undefined)
    throw new TypeError(
      `${where} returned ${JSON.stringify(wrongOne[1])} as namedScores.${wrongOne[0]}; expected a number`,
    )
  return Object.fromEntries(entries)
}

function checked(score: number, where: string): number {
  if (score >= 0 && score <= 1) return score
  throw new TypeError(`${where} returned the score ${score}; a score is a number from 0 to 1`)
}

const wrong = (returned: unknown, where: string): TypeError =>
  new TypeError(
    `${where} must return true or false, a number from 0 to 1, or { score, passed, reason, namedScores }; it returned ${JSON.stringify(returned)}`,
  )
