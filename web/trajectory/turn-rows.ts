/** A loaded turn, or a stretch of turns that are not loaded. */
export type TurnRow<Turn> = { readonly turn: Turn } | { readonly from: number; readonly to: number }

/** The turns of one page, with the gaps between them. `turns` is in order. */
export function turnRows<Turn extends { readonly number: number }>(
  turns: readonly Turn[],
  from: number,
  to: number,
): readonly TurnRow<Turn>[] {
  const rows: TurnRow<Turn>[] = []
  let next = from
  for (const turn of turns) {
    if (turn.number < from || turn.number > to) continue
    if (turn.number > next) rows.push({ from: next, to: turn.number - 1 })
    rows.push({ turn })
    next = turn.number + 1
  }
  if (next <= to) rows.push({ from: next, to })
  return rows
}
