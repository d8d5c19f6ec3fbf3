import type { Comparison } from '../../src/analyze/compare/comparison.ts'
import { pText } from '../../src/analyze/numbers.ts'
import type { Figure } from '../../src/report/figures/figure.ts'

/** The table of comparisons with what other tests of the same question say: where they disagree, a reader must see it. */
export function withOtherTests(figure: Figure, comparisons: readonly Comparison[]): Figure {
  const { columns, rows } = figure.table
  const tests = [...new Set(comparisons.flatMap(({ other_tests }) => other_tests.map(({ test }) => test)))]
  const chance = (one: Comparison | undefined, name: string): number | null =>
    one?.other_tests.find(({ test }) => test === name)?.p ?? null
  return {
    ...figure,
    table: {
      columns: [...columns, ...tests.map(name => ({ name: `p by ${name}`, write: writeP }))],
      rows: rows.map((row, at) => [...row, ...tests.map(name => chance(comparisons[at], name))]),
    },
  }
}

const writeP = (p: number): string => pText(p).replace(/^p (= )?/, '')
