import * as Plot from '@observablehq/plot'
import type { ChartOptions } from './chart.ts'
import { countAxis, isWide, logAxis, valueAxis, wideAxis } from './drawing/axis.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { extentOf, padded } from './drawing/interval.ts'
import { axisLabel, isDrawable, readable, withUnit } from './drawing/numbers.ts'
import { panel, xyPanel } from './drawing/panel.ts'
import { boldWidth, shortened, textWidth } from './drawing/text-width.ts'
import { colors, fontSize, ink } from './drawing/theme.ts'

/** A parameter, or at the end the objective. */
export type ParallelAxis =
  | {
      readonly name: string
      readonly kind: 'number'
      readonly min: number
      readonly max: number
      readonly isLog: boolean
    }
  | { readonly name: string; readonly kind: 'choice'; readonly levels: readonly string[] }

export interface ParallelData {
  readonly goal: 'maximize' | 'minimize'
  /** The last one is the objective. */
  readonly axes: readonly ParallelAxis[]
  /** The label of the best row; default: the first of those with the best value. */
  readonly best?: string
  /** A value for each axis; null if the parameter does not apply. */
  readonly rows: readonly { readonly label: string; readonly values: readonly (number | string | null)[] }[]
}

/** This many lines can be distinguished; beyond that, the best and an even selection of the others are drawn. */
const mostLines = 300

/** Every variant as a line across its parameters, ending at its result: the better, the darker. */
export function parallelCoordinates(data: ParallelData, options: ChartOptions): string {
  const width = options.width ?? 960
  const objective = data.axes.at(-1)
  const title = `Parameters and ${objective?.name ?? 'objective'} of every variant`
  const axes = data.axes.map((axis, at) => (at === data.axes.length - 1 ? withSharedScale(axis) : axis))
  const ranked = rankedRows(data)
  if (ranked.length === 0 || data.axes.length < 2)
    return nothingToDraw(title, 'There are no parameters that vary, or no variant has a value.', { ...options, width })
  const shown = thinned(ranked)
  const inner = innerWidth(width)
  const height = 380
  const absent = data.axes.map((_, at) => at).filter(at => shown.some(({ row }) => row.values[at] === null))
  const domain = absent.length > 0 ? [-0.16, 1] : [0, 1]
  const side = Math.min(90, inner / 8)
  const room = Math.min(150, (inner - 2 * side) / (data.axes.length - 1) - 6)
  // Every other name stands higher where they would touch each other.
  const isTight = axes.some(({ name }) => textWidth(name, fontSize.text * boldWidth) > room - 8)
  const lines = shown.map(({ row, rank }) => ({
    rank,
    label: row.label,
    points: axes.map((axis, at) => ({ axis: at, place: placeOn(axis, row.values[at] ?? null), label: row.label })),
  }))
  const best = lines.at(-1)
  const chart = panel({
    document: options.document,
    width: inner,
    height,
    marginLeft: side,
    marginRight: side,
    marginTop: isTight ? 54 : 40,
    marginBottom: 20,
    x: { domain: [0, data.axes.length - 1], axis: null },
    y: { domain, axis: null },
    marks: [
      ...lines.slice(0, -1).map(({ points, rank }) =>
        Plot.line(points, {
          x: 'axis',
          y: 'place',
          stroke: colors.blue,
          strokeOpacity: opacityOf(rank),
          strokeWidth: 1.2,
        }),
      ),
      Plot.ruleX(data.axes, { x: (_, at) => at, y1: 0, y2: 1, stroke: ink.axis }),
      ...(best === undefined
        ? []
        : [
            Plot.line(best.points, { x: 'axis', y: 'place', stroke: colors.orange, strokeWidth: 3 }),
            Plot.dot(best.points, {
              x: 'axis',
              y: 'place',
              r: 4.5,
              fill: colors.orange,
              stroke: ink.paper,
              symbol: 'diamond',
            }),
          ]),
      ...axes.flatMap((axis, at) => axisTexts(axis, at, { room, isTight })),
      Plot.text(absent, {
        x: at => at,
        y: -0.16,
        text: () => 'none',
        dy: 12,
        fontSize: fontSize.small,
        fill: ink.quiet,
      }),
    ],
  })
  const left = ranked.length - shown.length
  const without = data.rows.length - ranked.length
  return frame(
    {
      title,
      description: `${ranked.length} variants across ${data.axes.map(axis => axis.name).join(', ')}. Best: ${best?.label ?? 'none'}.`,
      legend: [
        { label: `best: ${best?.label ?? ''}`, color: colors.orange, sample: 'line' },
        { label: 'others, the better the stronger', color: colors.blue, sample: 'line' },
      ],
      panels: [[chart]],
      notes: [
        ...(left > 0 ? [`${left} of ${ranked.length} variants are left out so that lines can be distinguished.`] : []),
        ...(without > 0 ? [`${without} without a value ${without === 1 ? 'is' : 'are'} not drawn.`] : []),
      ],
    },
    { ...options, width },
  )
}

/** The objective has the same scale as in the history and in the slices. */
const withSharedScale = (axis: ParallelAxis): ParallelAxis =>
  axis.kind === 'number' ? { ...axis, isLog: isWide({ low: axis.min, high: axis.max }) } : axis

interface Ranked {
  readonly row: ParallelData['rows'][number]
  /** 0 is the worst, 1 the best. */
  readonly rank: number
}

/** The best of all, whose label the page may have named already. */
export function bestRow({ rows, axes, goal, best }: ParallelData): ParallelData['rows'][number] | undefined {
  const resultOf = (row: ParallelData['rows'][number]) => numberOf(row.values[axes.length - 1])
  const rated = rows.filter(row => isDrawable(resultOf(row)))
  const isBetter = (a: number, b: number): boolean => (goal === 'maximize' ? a > b : a < b)
  return (
    rated.find(({ label }) => label === best) ??
    rated.reduce<ParallelData['rows'][number] | undefined>(
      (found, row) => (found === undefined || isBetter(resultOf(row) ?? 0, resultOf(found) ?? 0) ? row : found),
      undefined,
    )
  )
}

/** The worst first, so that better ones are on top, and the best one last. */
function rankedRows(data: ParallelData): readonly Ranked[] {
  const { rows, axes, goal } = data
  const best = bestRow(data)
  const value = (row: ParallelData['rows'][number]) => row.values[axes.length - 1]
  const sign = goal === 'maximize' ? 1 : -1
  const rated = rows.filter(row => isDrawable(numberOf(value(row))))
  const ordered = rated.toSorted(
    (a, b) => Number(a === best) - Number(b === best) || sign * ((numberOf(value(a)) ?? 0) - (numberOf(value(b)) ?? 0)),
  )
  return ordered.map((row, at) => ({ row, rank: ordered.length === 1 ? 1 : at / (ordered.length - 1) }))
}

const numberOf = (value: number | string | null | undefined): number | null =>
  typeof value === 'number' ? value : null

function thinned(ranked: readonly Ranked[]): readonly Ranked[] {
  if (ranked.length <= mostLines) return ranked
  const best = ranked.slice(-mostLines / 2)
  const others = ranked.slice(0, -mostLines / 2)
  const step = others.length / (mostLines / 2)
  return [...Array.from({ length: mostLines / 2 }, (_, at) => others[Math.floor(at * step)]), ...best].filter(
    row => row !== undefined,
  )
}

/** Four steps, so that lines differ at a glance. */
const opacityOf = (rank: number): number => (rank > 0.9 ? 0.9 : rank > 0.75 ? 0.55 : rank > 0.5 ? 0.3 : 0.14)

function placeOn(axis: ParallelAxis, value: number | string | null): number {
  if (value === null) return -0.16
  if (axis.kind === 'choice') {
    const at = axis.levels.indexOf(String(value))
    return axis.levels.length < 2 ? 0.5 : at / (axis.levels.length - 1)
  }
  const scale = (number: number) => (axis.isLog ? Math.log(number) : number)
  const [low, high] = [scale(axis.min), scale(axis.max)]
  return high > low ? (scale(Number(value)) - low) / (high - low) : 0.5
}

/** Its name above, and its values next to it. */
function axisTexts(
  axis: ParallelAxis,
  at: number,
  { room, isTight }: { readonly room: number; readonly isTight: boolean },
): Plot.Markish[] {
  const ticks = ticksOf(axis)
  return [
    Plot.text([axis.name], {
      x: at,
      frameAnchor: 'top',
      dy: isTight && at % 2 === 1 ? -42 : -26,
      text: [shortened(axis.name, fontSize.text * boldWidth, isTight ? 2 * room - 8 : room)],
      title: [axis.name],
      fontWeight: 'bold',
      fill: ink.text,
    }),
    Plot.text(ticks, {
      x: at,
      y: 'place',
      text: tick => shortened(tick.text, fontSize.small, room - 10),
      title: 'text',
      textAnchor: 'start',
      dx: 6,
      fontSize: fontSize.small,
      fill: ink.text,
      stroke: ink.paper,
      strokeWidth: 3,
    }),
  ]
}

function ticksOf(axis: ParallelAxis): readonly { readonly place: number; readonly text: string }[] {
  if (axis.kind === 'choice') {
    // If there are too many names, only every n-th is shown.
    const step = Math.ceil(axis.levels.length / 18)
    return axis.levels.map((text, at) => ({ place: placeOn(axis, text), text, at })).filter(({ at }) => at % step === 0)
  }
  if (axis.max <= axis.min) return [{ place: 0.5, text: readable(axis.min) }]
  const { ticks } = (axis.isLog ? logAxis : valueAxis)(axis.name, [axis.min, axis.max], 5)
  const values = ticks.length > 1 ? ticks : [axis.min, axis.max]
  return values.map(value => ({ place: placeOn(axis, value), text: readable(value) }))
}

export interface SearchHistoryPoint {
  /** The variant's number in the order of trials. */
  readonly number: number
  readonly value: number | null
  /** The best of all up to this one. */
  readonly best: number | null
  readonly label?: string
}

export interface SearchHistoryData {
  readonly metric: string
  readonly unit?: string
  readonly goal: 'maximize' | 'minimize'
  readonly points: readonly SearchHistoryPoint[]
}

/** The result of each variant that a search tried, and the best so far. */
export function searchHistory(data: SearchHistoryData, options: ChartOptions): string {
  const width = options.width ?? 720
  const title = `${data.metric} of every variant tried`
  const tried = data.points.filter((point): point is Tried => isDrawable(point.value))
  const spread = extentOf(tried.map(point => point.value))
  if (spread === null) return nothingToDraw(title, 'No variant that was tried has a value.', { ...options, width })
  const numbers = extentOf(data.points.map(point => point.number)) ?? { low: 1, high: 1 }
  const best = data.points.filter((point): point is Best => isDrawable(point.best))
  const found = best.filter((point, at) => point.best !== best[at - 1]?.best)
  const last = found.at(-1)
  const chart = xyPanel({
    document: options.document,
    width: innerWidth(width),
    height: 320,
    x: countAxis(
      'variant, in the order tried',
      numbers.low < numbers.high ? [numbers.low, numbers.high] : padded(numbers),
      8,
    ),
    y: wideAxis(axisLabel(data.metric, data.unit), spread),
    marks: [
      Plot.line(best, { x: 'number', y: 'best', stroke: colors.orange, strokeWidth: 2, curve: 'step-after' }),
      Plot.dot(tried, {
        x: 'number',
        y: 'value',
        r: 3.2,
        stroke: colors.blue,
        fill: colors.blue,
        fillOpacity: 0.25,
        title: point => point.label ?? `${point.number}: ${withUnit(point.value, data.unit)}`,
      }),
      Plot.dot(found, { x: 'number', y: 'best', r: 4.4, fill: colors.orange, stroke: ink.paper, symbol: 'diamond' }),
    ],
  })
  const failed = data.points.length - tried.length
  return frame(
    {
      title,
      description: `${tried.length} variants with a value. The best, ${withUnit(last?.best ?? spread.low, data.unit)}, was number ${last?.number} of ${data.points.length}; ${data.goal === 'minimize' ? 'less' : 'more'} is better.`,
      legend: [
        { label: 'a variant', color: colors.blue, sample: 'dot', symbol: 'circle', isHollow: true },
        {
          label: `best so far (${data.goal === 'minimize' ? 'less' : 'more'} is better)`,
          color: colors.orange,
          sample: 'line',
        },
        { label: 'better than all before', color: colors.orange, sample: 'dot', symbol: 'diamond' },
      ],
      panels: [[chart]],
      notes:
        failed > 0
          ? [
              `${failed} of ${data.points.length} variants ${failed === 1 ? 'has no value and is' : 'have no value and are'} not drawn.`,
            ]
          : [],
    },
    { ...options, width },
  )
}

type Tried = SearchHistoryPoint & { readonly value: number }
type Best = SearchHistoryPoint & { readonly best: number }
