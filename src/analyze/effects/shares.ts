import { type Evidence, levelOf } from '../../define/observation.ts'
import { unusable } from '../../stats/index.ts'
import type { Json } from '../../util/json.ts'
import { type Reading, wordsFor } from '../reading.ts'
import { cellsOf, type EffectFactor } from './cells.ts'

/** The shares of the spread between runs, by cause. */
export type Shares = SharesOfSpread | { readonly reason: string }

export interface SharesOfSpread {
  /** The unit: `seed`, `task`. */
  readonly unit: string
  /** The number of units with a value of every combination, on which the shares rest, and of all units. */
  readonly units: number
  readonly of: number
  readonly parts: readonly { readonly source: string; readonly share: number }[]
}

/**
 * Sums of squares of the complete table units × combinations, each as a share of the total (Fisher 1925, analysis of
 * variance). Only a complete table can be decomposed in this way: units that lack a combination are left out.
 */
export function sharesOf(evidence: Evidence, factors: readonly EffectFactor[], reading: Reading): Shares {
  const cells = cellsOf(
    evidence,
    factors.map(({ name }) => name),
    reading,
  )
  const combinations = crossed(factors.map(({ levels }) => levels))
  const whole = cells.units.filter(unit => combinations.every(levels => cells.at(unit, levels) !== null))
  const of = unitsIn(evidence, cells.unit)
  if (evidence.blocks.length === 0 && evidence.runs.every(({ replicate }) => replicate === 1))
    return { reason: 'no seeds, tasks or other blocks that all variants were run in: chance has no share of its own' }
  if (whole.length < 2 || combinations.length < 2)
    return {
      reason: `the table has holes: only ${whole.length} of ${of} ${cells.unit}s have every combination`,
    }
  const values = whole.flatMap(unit =>
    combinations.map(levels => ({ unit, levels, value: cells.at(unit, levels) ?? 0 })),
  )
  const reason = unusable(values.map(({ value }) => value))
  if (reason !== undefined) return { reason: wordsFor(reason.unavailable) }
  const grand = mean(values.map(({ value }) => value))
  const total = sumOf(values.map(({ value }) => (value - grand) ** 2))
  if (total === 0) return { reason: 'every run has the same value' }
  const meansBy = (key: (row: (typeof values)[number]) => string): ReadonlyMap<string, number> =>
    new Map([...Map.groupBy(values, key)].map(([name, rows]) => [name, mean(rows.map(({ value }) => value))]))
  const levelKey = (index: number) => (row: (typeof values)[number]) => JSON.stringify(row.levels[index])
  const main = factors.map((_, index) => meansBy(levelKey(index)))
  const mainShares = factors.map(({ name }, index) => ({
    source: name,
    share: sumOf(values.map(row => ((main[index]?.get(levelKey(index)(row)) ?? grand) - grand) ** 2)) / total,
  }))
  const pairShares = factors.flatMap((first, i) =>
    factors.slice(i + 1).map((second, offset) => {
      const j = i + 1 + offset
      const key = (row: (typeof values)[number]) => `${levelKey(i)(row)}|${levelKey(j)(row)}`
      const joint = meansBy(key)
      const square = (row: (typeof values)[number]) =>
        ((joint.get(key(row)) ?? grand) -
          (main[i]?.get(levelKey(i)(row)) ?? grand) -
          (main[j]?.get(levelKey(j)(row)) ?? grand) +
          grand) **
        2
      return { source: `${first.name} × ${second.name}`, share: sumOf(values.map(square)) / total }
    }),
  )
  const byUnit = meansBy(row => row.unit)
  const unitShare = sumOf(values.map(row => ((byUnit.get(row.unit) ?? grand) - grand) ** 2)) / total
  const known = [...mainShares, ...pairShares, { source: cells.unit, share: unitShare }]
  const rest = { source: 'the rest', share: Math.max(0, 1 - sumOf(known.map(({ share }) => share))) }
  return { unit: cells.unit, units: whole.length, of, parts: [...known, rest] }
}

/** Including those without any value. */
const unitsIn = ({ blocks, runs }: Evidence, unit: string): number =>
  blocks.includes(unit) ? new Set(runs.map(run => String(levelOf(run, unit)))).size : runs.length

function crossed(levels: readonly (readonly Json[])[]): readonly (readonly Json[])[] {
  return levels.reduce<readonly (readonly Json[])[]>(
    (all, own) => all.flatMap(before => own.map(level => [...before, level])),
    [[]],
  )
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const mean = (values: readonly number[]): number => sumOf(values) / values.length
