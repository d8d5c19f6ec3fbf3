import * as z from 'zod'
import { isJsonObject, type Json } from '../../../util/json.ts'

/** Small pieces of the formats of a scenario's files. */

export const textOrEmpty = z.string({ error: 'expected text' })

/** A list of texts; one text of several lines with bullets is read as one too. */
export const textList = z
  .union([z.array(z.union([z.string(), z.number()]).transform(String)), z.string()], {
    error: 'expected a list of texts, or one text',
  })
  .transform(given => (typeof given === 'string' ? bulletsIn(given) : given.map(one => one.trim())))

function bulletsIn(text: string): string[] {
  const lines = text.split('\n').map(line => line.trim())
  const bullets = lines.filter(line => /^([-*•]|\d+[.)])\s+/.test(line))
  if (bullets.length === 0) return text.trim() === '' ? [] : [text.trim()]
  return bullets.map(line => line.replace(/^([-*•]|\d+[.)])\s+/, ''))
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

export const turnRange = z
  .tuple([z.int().min(0), z.int().min(0)], { error: 'expected the first and the last turn, such as [2, 8]' })
  .refine(([first, last]) => first <= last, { error: 'expected the first turn before the last' })

/** What of a scenario's folder is told to people: keys that are accepted and do nothing here, or something else. */
export interface Remark {
  readonly key: string
  readonly text: string
}
