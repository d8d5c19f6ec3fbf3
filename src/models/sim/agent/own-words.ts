import type { SimPlan } from '../../../define/models/model-settings.ts'
import type { Json } from '../../../util/json.ts'

/**
 * What a simulated agent puts into its own words so that it can later read its progress: these stay in the prompt when
 * a context strategy hides outputs, and summaries preserve them.
 */
export interface Place {
  readonly plan: SimPlan
  /** The step's name; `submit` after the last. */
  readonly step: string
  /** The how-many-th time the step is tried, from 1. */
  readonly tries: number
  /** The fact that was looked up for the step; null: the step itself was done. */
  readonly looks_for: string | null
}

const places = /\[([\w-]+)\/([\w-]+)(?:, try (\d+))?(?:, looks for ([\w-]+))?\]/g
const notes = /^note ([\w-]+) = (".*")$/gm

export const placeText = ({ plan, step, tries, looks_for }: Place): string =>
  `[${plan.name}/${step}${tries > 1 ? `, try ${tries}` : ''}${looks_for === null ? '' : `, looks for ${looks_for}`}]`

export const noteText = (fact: string, value: string): string => `note ${fact} = ${JSON.stringify(value)}`

/** All places that a text names, in order; those of other plans are ignored. */
export const placesIn = (text: string, plans: readonly SimPlan[]): readonly Place[] =>
  [...text.matchAll(places)].flatMap(([, planName, step = '', tries = '1', looks_for = null]) => {
    const plan = plans.find(one => one.name === planName)
    return plan === undefined ? [] : [{ plan, step, tries: Number(tries), looks_for }]
  })

/** The last note of a fact, and its position; null: none. */
export function lastNote(text: string, fact: string): FoundValue | null {
  const found = [...text.matchAll(notes)].findLast(([, name]) => name === fact)
  const value = found === undefined ? null : unquoted(found[2] ?? '')
  return found === undefined || value === null ? null : { value, at: found.index }
}

export interface FoundValue {
  readonly value: string
  readonly at: number
}

function unquoted(written: string): string | null {
  try {
    const value: Json = JSON.parse(written)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
