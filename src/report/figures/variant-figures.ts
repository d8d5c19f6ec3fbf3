import { armNames } from '../../analyze/arms.ts'
import { drawChart, runPlaces } from '../../charts/draw-chart.ts'
import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import { levelText, listed, percentText, plainNumber, tellingTexts } from '../../util/words.ts'
import type { Distributions, VariantRow, VariantRows } from '../findings/variants.ts'
import { drawnIn, type Figure, rangeOf, times, unitOf, valueWriting } from './figure.ts'

/** The table has more rows. */
const mostDrawn = 40
const mostPoints = 4 * mostDrawn

/** Every variant on its own, the best first if the goal is known. */
export function variantsFigure(found: VariantRows): Figure {
  const means = found.rows.map(({ value }) => value.mean)
  const drawn = drawnIn(found.metric, isRate(found), means)
  const ordered = inOrder(found)
  const write = valueWriting(found.metric, isRate(found), means)
  const writeCost = valueWriting(
    found.cost,
    false,
    found.rows.map(({ cost }) => cost.mean),
  )
  const level = percentText(found.rows[0]?.value.ci?.level ?? 0.95)
  const left = ordered.length - mostDrawn
  const named = shortNames(found.rows)
  const isSingle = found.rows.every(({ value }) => value.ci === null && value.count < 2)
  return {
    id: 'variants',
    title: `${found.metric} of every variant`,
    caption: `${isSingle ? 'The one run of each variant' : `The mean of each variant’s runs with its ${level} confidence interval`}${found.isGoalKnown ? ', the best first' : ''}.${named.caption}${left > 0 ? ` ${left} more are in the table.` : ''}`,
    draw: options =>
      drawChart(
        'estimates',
        {
          metric: found.metric,
          ...unitOf(drawn),
          ...(isSingle ? { statistic: 'value' } : { statistic: 'mean', intervalLabel: `${level} CI` }),
          rows: ordered.slice(0, mostDrawn).map(({ id, value, isBaseline }) => ({
            label: named.of(id),
            n: value.count,
            isBaseline,
            value: times(value.mean, drawn.factor),
            interval: rangeOf(value.ci, drawn.factor),
            reason: value.count === 0 ? (Object.keys(value.missing_reasons)[0] ?? null) : null,
          })),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'variant' },
        { name: 'runs', write: String },
        { name: 'completed', write: String },
        { name: found.metric, write },
        { name: `${level} CI low`, write },
        { name: `${level} CI high`, write },
        { name: 'sd', write: plainNumber },
        { name: `${found.cost}, mean`, write: writeCost },
      ],
      rows: ordered.map(({ label, runs, completed, value, cost }) => [
        label,
        runs,
        completed,
        value.mean,
        value.ci?.low ?? null,
        value.ci?.high ?? null,
        value.stdev,
        cost.mean,
      ]),
    },
  }
}

interface Named {
  readonly of: (id: number) => string
  /** The names of the parts, if the names themselves omit them. */
  readonly caption: string
}

/**
 * `full, 50, no_hedge` for `policy=full, workflows=50, ablation=no_hedge`: charts have no room to repeat them in every
 * row.
 */
function shortNames(rows: readonly VariantRow[]): Named {
  const factors = [...new Set(rows.flatMap(({ levels }) => Object.keys(levels)))]
  const varying = factors.filter(
    name => new Set(rows.map(({ levels }) => canonicalJson(levels[name] ?? null))).size > 1,
  )
  if (varying.length < 2) return { of: id => rows.find(row => row.id === id)?.label ?? '', caption: '' }
  const texts = Object.fromEntries(
    varying.map(name => [name, tellingTexts(rows.map(({ levels }) => levels[name] ?? null))]),
  )
  const named = (rounded: (level: number) => number) =>
    new Map(
      rows.map(({ id, levels }) => [
        id,
        partsOf(levels, varying, (level, name) =>
          typeof level === 'number' ? levelText(rounded(level)) : (texts[name] ?? levelText)(level),
        ),
      ]),
    )
  // Numbers that a search drew have more digits than tell its variants apart.
  const rounded = [3, 4, 5, 6].map(digits =>
    // Whole numbers were chosen: 1024 is not 1020.
    named(level => (Number.isInteger(level) ? level : Number(level.toPrecision(digits)))),
  )
  const names = rounded.find(one => new Set(one.values()).size === rows.length) ?? named(level => level)
  const isMissing = rows.some(({ levels }) => varying.some(name => levels[name] === undefined))
  return {
    of: id => names.get(id) ?? '',
    caption: ` Names are ${varying.join(', ')}${isMissing ? ' (– where there is none)' : ''}.`,
  }
}

/** A factor that does not apply is a dash, or nothing at the end. */
function partsOf(
  levels: JsonObject,
  factors: readonly string[],
  write: (level: Json, factor: string) => string,
): string {
  const parts = factors.map(name => {
    const level = levels[name]
    return level === undefined ? null : write(level, name)
  })
  const last = parts.findLastIndex(part => part !== null)
  return parts
    .slice(0, last + 1)
    .map(part => part ?? '–')
    .join(', ')
}

const isRate = ({ rows }: VariantRows): boolean =>
  rows.some(({ value }) => value.ci?.method.startsWith('wilson') === true)

function inOrder({ rows, goal, isGoalKnown }: VariantRows): readonly VariantRow[] {
  if (!isGoalKnown) return rows
  const sign = goal === 'maximize' ? -1 : 1
  const rank = ({ value }: VariantRow) => (value.mean === null ? Number.POSITIVE_INFINITY : sign * value.mean)
  return rows.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id)
}

/** The benefit of each variant against its cost. */
export function paretoFigure(found: VariantRows): Figure {
  // If there are many, the front must be visible; then the best.
  const points = inOrder(found).toSorted((a, b) => Number(b.isOnFront) - Number(a.isOnFront))
  const left = points.length - mostPoints
  const isOneBaseline = points.filter(({ isBaseline }) => isBaseline).length === 1
  const scores = found.rows.map(({ value }) => value.mean)
  const costs = found.rows.map(({ cost }) => cost.mean)
  const drawn = drawnIn(found.metric, isRate(found), scores)
  const cost = drawnIn(found.cost, false, costs)
  const write = valueWriting(found.metric, isRate(found), scores)
  const writeCost = valueWriting(found.cost, false, costs)
  const named = shortNames(found.rows)
  return {
    id: 'cost-and-score',
    title: `${found.metric} against ${found.cost}`,
    caption: `A variant is on the front if no other is both cheaper and better. Bars are confidence intervals: a place on the front by a hair is no place.${left > 0 ? ` The front and the best are drawn; ${left} more variants are in the table.` : ''}${named.caption}${mixed(found)}`,
    draw: options =>
      drawChart(
        'pareto',
        {
          cost: { label: `mean ${found.cost}`, ...unitOf(cost) },
          score: { label: found.metric, ...unitOf(drawn), goal: found.goal },
          points: points.slice(0, mostPoints).map(({ id, value, cost: spent, isBaseline }) => ({
            label: named.of(id),
            cost: times(spent.mean, cost.factor),
            score: times(value.mean, drawn.factor),
            costInterval: rangeOf(spent.ci, cost.factor),
            scoreInterval: rangeOf(value.ci, drawn.factor),
            isBaseline: isBaseline && isOneBaseline,
          })),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'variant' },
        { name: `${found.cost}, mean`, write: writeCost },
        { name: `${found.cost} low`, write: writeCost },
        { name: `${found.cost} high`, write: writeCost },
        { name: found.metric, write },
        { name: `${found.metric} low`, write },
        { name: `${found.metric} high`, write },
        { name: 'on the front' },
      ],
      rows: found.rows.map(({ label, value, cost: spent, isOnFront }) => [
        label,
        spent.mean,
        spent.ci?.low ?? null,
        spent.ci?.high ?? null,
        value.mean,
        value.ci?.low ?? null,
        value.ci?.high ?? null,
        isOnFront ? 'yes' : 'no',
      ]),
    },
  }
}

/** Easier conditions look like a better choice. */
const mixed = ({ conditions }: VariantRows): string =>
  conditions.length === 0
    ? ''
    : ` They differ in ${listed(conditions)} too: if that is a condition and no choice, look at one level of it at a time.`

/** Every run a point. */
export function distributionsFigure({ metric, rows }: Distributions): Figure {
  const all = rows.flatMap(({ values }) => values)
  const write = valueWriting(metric, false, all)
  const drawn = rows.slice(0, mostDrawn)
  const scale = drawnIn(metric, false, all)
  const nameOf = armNames(rows.map(({ label }) => label))
  const data = {
    metric,
    ...unitOf(scale),
    rows: drawn.map(row => ({
      ...row,
      label: nameOf(row.label),
      values: row.values.map(value => scale.factor * value),
    })),
  }
  return {
    id: 'distributions',
    title: `${metric} of every run`,
    caption: `Each point is a run. The height inside a row means nothing: it keeps points apart.${rows.length > mostDrawn ? ` The first ${mostDrawn} of ${rows.length} rows are drawn: the table has all.` : ''}`,
    draw: options => drawChart('distributions', data, options),
    points: width =>
      runPlaces(data, { width }).flatMap((places, at) => {
        const { label = '', values = [], runs = [] } = drawn[at] ?? {}
        return places.map(({ x, y }, place) => ({
          ...{ x, y, row: at, label },
          value: values[place] ?? Number.NaN,
          run: runs[place] ?? '',
        }))
      }),
    table: {
      columns: [{ name: 'arm' }, { name: 'run' }, { name: metric, write }],
      rows: rows.flatMap(({ label, values, runs }) => values.map((value, at) => [label, runs[at] ?? '', value])),
    },
  }
}
