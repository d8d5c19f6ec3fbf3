import type { SimFact, SimPlan } from '../../../define/models/model-settings.ts'
import { linearRegExp } from '../../../util/linear-regexp.ts'
import { type Message, wordsIn } from '../../model-call.ts'
import { type FoundValue, lastNote } from './own-words.ts'

/** The last visible value of a fact: in an output, or in a note. null: the prompt does not show it. */
export function visibleFact(name: string, fact: SimFact, messages: readonly Message[]): string | null {
  for (const message of messages.toReversed()) {
    const text = wordsIn(message.content)
    const found = message.role === 'tool' ? lastSeen(text, fact) : lastNote(text, name)
    if (found !== null) return found.value
  }
  return null
}

/** The facts of a plan that an output shows. */
export const factsShown = (text: string, { facts = {} }: SimPlan): readonly (readonly [string, string])[] =>
  Object.entries(facts).flatMap(([name, fact]) => {
    const found = lastSeen(text, fact)
    return found === null ? [] : [[name, found.value] as const]
  })

/** The facts of a plan in a text with both outputs and words, such as the prompt of a summary. */
export const factsStated = (text: string, { facts = {} }: SimPlan): readonly (readonly [string, string])[] =>
  Object.entries(facts).flatMap(([name, fact]) => {
    const [seen, noted] = [lastSeen(text, fact), lastNote(text, name)]
    const latest = (seen?.at ?? -1) > (noted?.at ?? -1) ? seen : noted
    return latest === null ? [] : [[name, latest.value] as const]
  })

function lastSeen(text: string, { matches }: SimFact): FoundValue | null {
  let last: FoundValue | null = null
  for (const match of text.matchAll(linearRegExp(matches, 'gisu')))
    last = { value: match[1] ?? match[0], at: match.index }
  return last
}
