import type { Bounds } from '../../analyze/compare/compare.ts'
import type { Effects } from '../../analyze/effects/effects.ts'
import { amountText, chanceText, levelText, percentText, plainNumber } from '../../util/words.ts'
import type { Style } from '../views/style.ts'
import { tableLines } from '../views/table.ts'

/** The largest effect in words, then each level, the largest of those that are shown first; then the tables. */
export function effectsLines(effects: Effects, columns: number, style: Style): readonly string[] {
  const isKnown = ({ verdict }: Effects['main'][number]): boolean => verdict !== 'inconclusive'
  const all = [
    ...largestFirst(effects.main.filter(isKnown)),
    ...largestFirst(effects.main.filter(one => !isKnown(one))),
  ]
  const left = all.length - mostSentences
  return [
    // A single effect is its own headline.
    ...(all.length > 1 ? [style.bold(`${sentenceStart(effects.headline)}.`), ''] : []),
    ...all.slice(0, mostSentences).map(sentenceText),
    ...(left <= 0 ? [] : [`and ${left} smaller effects`]),
    '',
    ...sharesLines(effects, columns, style),
    ...mainLines(effects, columns),
    ...interactionLines(effects, columns),
    ...deltaLines(effects, columns),
    ...effects.warnings.map(warning => style.yellow(`! ${warning}`)),
  ]
}

const largestFirst = <T extends { readonly estimate: number | null }>(all: readonly T[]): readonly T[] =>
  all.toSorted((a, b) => sizeOf(b) - sizeOf(a))

const sizeOf = ({ estimate }: { readonly estimate: number | null }): number =>
  estimate === null ? -1 : Math.abs(estimate)

const sentenceStart = (text: string): string => text.replace(/^[nt](?=o |he )/, letter => letter.toUpperCase())

/** Nobody would read ten thousand; `--json` has them all. */
const mostSentences = 40
const mostRows = 100

/** All in their order; if there are too many, the largest by their means. */
function largest<T extends { readonly estimate: number | null }>(
  all: readonly T[],
  most: number,
): { readonly shown: readonly T[]; readonly left: number } {
  return all.length <= most
    ? { shown: all, left: 0 }
    : { shown: largestFirst(all).slice(0, most), left: all.length - most }
}

const leftLines = (left: number, most: number): readonly string[] =>
  left === 0 ? [] : [`the ${most} largest of ${most + left}: --json has all, --filter leaves fewer`]

/** Names are not capitalised: levels may be called both `b` and `B`. */
const sentenceText = ({ sentence }: Effects['main'][number]): string =>
  `${sentence.replace(/^no difference /, 'No difference ')}.`

function sharesLines({ shares, metric }: Effects, columns: number, style: Style): readonly string[] {
  if ('reason' in shares) return [`no shares: ${shares.reason}`, '']
  const { unit, units, of, parts } = shares
  const rows = parts.map(({ source, share }) => [source, share < 0.0005 ? '< 0.1%' : percentText(share)])
  const left =
    units === of
      ? []
      : [style.yellow(`! shares rest on ${units} of ${of} ${unit}s: the others lack a value of some combination`)]
  return [...tableLines([`spread of ${metric} goes with`, 'share'], rows, { columns }), ...left, '']
}

function mainLines({ main, metric }: Effects, columns: number): readonly string[] {
  const amount = amountText(metric)
  const { shown, left } = largest(main, mostRows)
  const rows = shown.map(({ factor, level, control, estimate, ci, p, p_is_bound, p_adjusted, effect, n }) => [
    `${factor}: ${levelText(level)}`,
    control,
    String(n.pairs ?? n.candidate),
    estimate === null ? '–' : amount(estimate),
    boundsText(ci, amount),
    effect.ratio === null ? '–' : plainNumber(effect.ratio.value),
    pCell(p_adjusted ?? p, p_is_bound),
  ])
  return [
    ...tableLines(['effect of', 'against', 'n', 'difference', intervalTitle(main[0]?.ci), 'ratio', 'p'], rows, {
      columns,
    }),
    ...leftLines(left, mostRows),
    '',
  ]
}

function interactionLines({ interactions, metric }: Effects, columns: number): readonly string[] {
  if (interactions.length === 0) return []
  const amount = amountText(metric)
  const { shown, left } = largest(interactions, mostRows)
  const rows = shown.map(({ factors, levels, estimate, ci, p, p_is_bound, p_adjusted, n }) => [
    `${factors[0]}=${levelText(levels[0])} × ${factors[1]}=${levelText(levels[1])}`,
    String(n),
    estimate === null ? '–' : amount(estimate),
    boundsText(ci, amount),
    pCell(p_adjusted ?? p, p_is_bound),
  ])
  return [
    ...tableLines(['more than the sum of both', 'n', 'difference', intervalTitle(interactions[0]?.ci), 'p'], rows, {
      columns,
    }),
    ...leftLines(left, mostRows),
    '',
  ]
}

function deltaLines({ deltas, metric }: Effects, columns: number): readonly string[] {
  if (deltas.length === 0) return []
  const amount = amountText(metric)
  const rows = deltas.map(({ within, factor, level, estimate, ci, effect }) => [
    Object.entries(within)
      .map(([name, value]) => `${name}=${levelText(value)}`)
      .join(' '),
    `${factor}=${levelText(level)}`,
    estimate === null ? '–' : amount(estimate),
    boundsText(ci, amount),
    effect.ratio === null ? '–' : plainNumber(effect.ratio.value),
    effect.ratio === null ? '–' : boundsText(effect.ratio, plainNumber),
  ])
  const level = percentText(deltas[0]?.ci?.level ?? 0.95)
  return [
    ...tableLines(['within', 'against the baseline', 'difference', `${level} CI`, 'ratio', `${level} CI`], rows, {
      columns,
    }),
    '',
  ]
}

const intervalTitle = (ci: Bounds | null | undefined): string => `${percentText(ci?.level ?? 0.95)} CI`
const boundsText = (bounds: Bounds | null, amount: (value: number) => string): string =>
  bounds === null || bounds.low === null || bounds.high === null
    ? '–'
    : `${amount(bounds.low)} to ${amount(bounds.high)}`
const pCell = (p: number | null, isBound: boolean): string =>
  p === null ? '–' : chanceText(p, isBound).replace(/^p (= )?/, '')
