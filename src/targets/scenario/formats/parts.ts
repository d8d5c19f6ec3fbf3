import * as z from 'zod'
import { isJsonObject, type Json } from '../../../util/json.ts'

/** Small pieces of the formats of a scenario's files. */

export const textOrEmpty = z.string({ error: 'expected text' })

/** A list of texts; a text of several lines with bullets is read as one too. */
export const textList = z.lazy(() =>
  z
    .union([z.array(z.union([z.string(), z.number()]).transform(String)), z.string()], {
      error: 'expected a list of texts, or one text',
    })
    .transform(given => (typeof given === 'string' ? bulletsIn(given) : given.map(one => one.trim()))),
)

/** Each bullet with its lines; text before the first is an item too. */
function bulletsIn(text: string): string[] {
  const items: string[] = []
  for (const line of text.trim().split('\n')) {
    const bullet = /^\s*(?:[-*•]|\d+[.)])\s+(.*)$/.exec(line)?.[1]
    const before = items.at(-1)
    if (bullet !== undefined) items.push(bullet.trim())
    else if (before === undefined) items.push(line.trim())
    else items[items.length - 1] = `${before}\n${line.trim()}`.trim()
  }
  return items.filter(item => item !== '')
}

/** A map, a list of maps, a list of texts or one text, as lines: `technology: expert`. */
export const linesOf = (value: Json | undefined): string[] => {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (Array.isArray(value)) return value.flatMap(linesOf)
  if (!isJsonObject(value)) return [String(value)]
  return Object.entries(value).map(([name, item]) => `${name}: ${linesOf(item).join('; ')}`)
}

export const turnNumber = z
  .int({ error: 'expected a whole number of turns above 0' })
  .min(1, { error: 'expected a whole number of turns above 0' })

export const turnRange = z.lazy(() =>
  z
    .tuple([z.int().min(0), z.int().min(0)], { error: 'expected the first and the last turn, such as [2, 8]' })
    .refine(([first, last]) => first <= last, { error: 'expected the first turn before the last' }),
)
