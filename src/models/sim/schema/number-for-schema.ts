import type { JsonObject } from '../../../util/json.ts'
import type { Random } from '../../../util/random.ts'
import { SimRefused } from '../sim-refused.ts'

/** A number within the bounds of a schema, and of its step. */
export function numberForSchema(schema: JsonObject, isWhole: boolean, random: Random): number {
  const { low, high } = boundsOf(schema)
  const step = stepOf(schema, isWhole)
  if (step === null) {
    const inside = Number((low + random.next() * (high - low)).toFixed(3))
    return inside > low && inside < high ? inside : isAllowed(low, schema) ? low : (low + high) / 2
  }
  let [from, to] = [Math.ceil(low / step), Math.floor(high / step)]
  if (!isAllowed(from * step, schema)) from++
  if (!isAllowed(to * step, schema)) to--
  if (from > to)
    throw new SimRefused(`there is no ${isWhole ? 'whole number' : `multiple of ${step}`} within its bounds`)
  return tidy(random.integer(from, Math.min(to, from + 1_000_000)) * step)
}

function boundsOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: JsonObject): {
  readonly low: number
  readonly high: number
} {
  const numbers = (...written: unknown[]): number[] => written.filter(value => typeof value === 'number')
  const lows = numbers(minimum, exclusiveMinimum)
  const highs = numbers(maximum, exclusiveMaximum)
  const room = Math.max(10, ...numbers(multipleOf).map(step => step * 10))
  const low = lows.length > 0 ? Math.max(...lows) : Math.min(0, ...highs.map(high => high - room))
  const high = highs.length > 0 ? Math.min(...highs) : Math.max(room, low + room)
  if (low > high) throw new SimRefused(`no number is at least ${low} and at most ${high}`)
  return { low, high }
}

/** null: any number will do. */
function stepOf({ multipleOf }: JsonObject, isWhole: boolean): number | null {
  if (typeof multipleOf !== 'number') return isWhole ? 1 : null
  if (!isWhole || Number.isInteger(multipleOf)) return multipleOf
  for (let times = 1; times <= 1000; times++) {
    const multiple = tidy(multipleOf * times)
    if (Number.isInteger(multiple)) return multiple
  }
  throw new SimRefused(`multipleOf ${multipleOf}: no small multiple of it is a whole number`)
}

const isAllowed = (value: number, { exclusiveMinimum, exclusiveMaximum }: JsonObject): boolean =>
  !(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) &&
  !(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)

/** 3 × 0.1 is 0.3, whatever binary fractions make of it. */
const tidy = (value: number): number => Number(value.toPrecision(12))
