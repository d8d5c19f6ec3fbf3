import * as Plot from '@observablehq/plot'
import type { Range } from '../chart.ts'
import { padded } from './interval.ts'
import { fixed, readable, withMinus } from './numbers.ts'
import { shortened, textWidth } from './text-width.ts'
import { fontSize, ink } from './theme.ts'

/** A scale of values: its ends and its ticks. */
export interface Axis {
  readonly label: string
  readonly domain: readonly [number, number]
  readonly ticks: readonly number[]
  /** The labels of ticks, if they are not the numbers themselves. */
  readonly texts?: readonly string[]
  readonly isLog?: true
}

export function valueAxis(label: string, domain: readonly [number, number], about = 6): Axis {
  return { label, domain, ticks: atLeastTwo(domain, about) }
}

/** A single tick gives a position, but no scale. */
function atLeastTwo(domain: readonly [number, number], about: number): number[] {
  for (let more = about; more <= about + 4; more++) {
    const ticks = niceTicks(domain, more)
    if (ticks.length > 1) return ticks
  }
  return niceTicks(domain, about)
}

/** With as many ticks as fit next to each other: small costs have long numbers. */
export function fittingAxis(label: string, domain: readonly [number, number], width: number, most = 7): Axis {
  const axes = Array.from({ length: most - 1 }, (_, at) => valueAxis(label, domain, most - at))
  const fits = ({ ticks }: Axis): boolean => {
    const widest = Math.max(...tickTexts(ticks).map(text => textWidth(text, fontSize.small)))
    return ticks.length * (widest + 12) <= width
  }
  return axes.find(fits) ?? valueAxis(label, domain, 2)
}

/** For positive numbers over several powers of ten: equal ratios have equal lengths. */
export function logAxis(label: string, [low, high]: readonly [number, number], about = 6): Axis {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const powers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const within = (tick: number) => tick >= low && tick <= high
  const times = (factors: readonly number[]) =>
    powers.flatMap(power => factors.map(factor => Number(`${factor}e${power}`))).filter(within)
  const fewest = [[1, 2, 5], [1, 3], [1]].map(times).find(ticks => ticks.length <= about) ?? times([1])
  const step = Math.ceil(fewest.length / about)
  const ticks = fewest.filter((_, at) => at % step === 0)
  return { label: `${label}, log scale`, domain: [low, high], ticks, texts: ticks.map(readable), isLog: true }
}

/** If numbers differ by more than this factor, a linear axis shows only the largest. */
const widestLinear = 20

export const isWide = ({ low, high }: Range): boolean => low > 0 && high / low > widestLinear

/** A log axis for positive values over a wide range, such as the losses of a search. */
export const wideAxis = (label: string, { low, high }: Range): Axis =>
  isWide({ low, high }) ? logAxis(label, [low * 0.9, high * 1.1]) : valueAxis(label, padded({ low, high }))

/** The values are counts of runs: no tick at 2.5. */
export function countAxis(label: string, domain: readonly [number, number], about: number): Axis {
  const [low, high] = domain
  // There may be a billion of them: they are listed only if there are few.
  const whole = Math.max(0, Math.floor(high) - Math.ceil(low) + 1)
  const ticks =
    whole <= about
      ? Array.from({ length: whole }, (_, at) => Math.ceil(low) + at)
      : niceTicks(domain, about).filter(Number.isInteger)
  return { label, domain, ticks }
}

/** The name in the middle, faint grid lines behind the marks. */
export function axisX({ label, ticks, isLog, texts = tickTexts(ticks) }: Axis, room = longestName): Plot.Markish[] {
  return [
    Plot.gridX(ticks, { stroke: ink.grid, strokeOpacity: 1 }),
    Plot.axisX(ticks, { ...look, label: shortened(label, fontSize.text, room), ...written(texts, isLog) }),
  ]
}

/** On a log scale Plot asks d3 which ticks to label, and gets none. */
const written = (texts: readonly string[], isLog: true | undefined): Plot.AxisXOptions & Plot.AxisYOptions =>
  isLog ? { text: [...texts] } : { tickFormat: (_, at) => texts[at] ?? '' }

const longestName = 420

/** A centred name has as much room as there is on the narrower side. */
export function nameRoom(width: number, left: number, right: number): number {
  const middle = (left + width - right) / 2
  return Math.min(longestName, 2 * Math.min(middle, width - middle))
}

export function axisY({ label, ticks, isLog, texts = tickTexts(ticks) }: Axis): Plot.Markish[] {
  return [
    Plot.gridY(ticks, { stroke: ink.grid, strokeOpacity: 1 }),
    Plot.axisY(ticks, { ...look, label: shortened(label, fontSize.text, 280), ...written(texts, isLog) }),
  ]
}

const look = { color: ink.axis, fill: ink.text, tickSize: 4, labelAnchor: 'center', labelArrow: 'none' } as const

/** Room for the ticks' texts and, beyond them, the name. */
export function leftMargin({ ticks, texts = tickTexts(ticks) }: Axis): number {
  return 34 + Math.ceil(Math.max(14, ...texts.map(text => textWidth(text, fontSize.text))))
}

/** Steps of 1, 2 or 5 times a power of ten, about as many as wanted (the rule of d3-array's `ticks`). */
function niceTicks([low, high]: readonly [number, number], about: number): number[] {
  const rough = (high - low) / about
  const power = Math.floor(Math.log10(rough))
  const error = rough / 10 ** power
  const factor = error >= Math.sqrt(50) ? 10 : error >= Math.sqrt(10) ? 5 : error >= Math.sqrt(2) ? 2 : 1
  // Divided, not multiplied, below 1: 3 / 10 is 0.3, 3 × 0.1 is not.
  const at =
    power < 0 ? (index: number) => index / (10 ** -power / factor) : (index: number) => index * factor * 10 ** power
  const first = Math.ceil(low / at(1))
  const last = Math.floor(high / at(1))
  return Array.from({ length: Math.min(100, Math.max(0, last - first + 1)) }, (_, index) => at(first + index) || 0)
}

/** Short, and all in one form: 0, 0.5M, 1.0M. */
function tickTexts(ticks: readonly number[]): string[] {
  const largest = Math.max(0, ...ticks.map(Math.abs))
  const [size, name] = unitFor(largest)
  const decimals = Math.max(0, ...ticks.map(tick => decimalsOf(tick / size)))
  return ticks.map(tick => (tick === 0 ? '0' : `${fixed(tick / size, decimals)}${name}`))
}

function unitFor(largest: number): readonly [number, string] {
  const exponent = Math.floor(Math.log10(largest))
  if (largest > 0 && (largest >= 1e15 || largest < 1e-4)) return [10 ** exponent, `e${withMinus(String(exponent))}`]
  const units = [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
  ] as const
  return units.find(([size]) => largest >= size) ?? (largest >= 1e4 ? [1e3, 'k'] : [1, ''])
}

const decimalsOf = (value: number) => Number(value.toPrecision(6)).toString().split('.')[1]?.length ?? 0
