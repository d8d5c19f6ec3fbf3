import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { pairNames } from '../runs/difference-table.tsx'
import { turnsText } from './prompt-words.ts'
import { Gap } from './trajectory-view.tsx'
import { TurnPager, turnsAtOnce } from './turn-pager.tsx'
import type { Pages } from './use-pages.ts'

export interface PairSide<Turn> extends Omit<Pages<unknown, Turn>, 'pages'> {
  /** How many turns the run has. */
  readonly count: number
  /** Why a turn is not loaded, if known. */
  problemOf?(turn: number): string | null
}

interface TurnPairProps<Turn> {
  readonly a: PairSide<Turn>
  readonly b: PairSide<Turn>
  /** The first turn in which they differ; null: there is none. */
  readonly parted: number | null
  /** The file with the turns that are not loaded. */
  readonly where?: string
  /** A turn of one of them, with the other's, if that is loaded. */
  readonly show: (turn: Turn, other: Turn | undefined) => ComponentChildren
}

/** Two runs turn by turn, from the first turn in which they differ. */
export function TurnPair<Turn extends { readonly number: number }>({ a, b, parted, where, show }: TurnPairProps<Turn>) {
  const sides = [a, b]
  const count = Math.max(a.count, b.count)
  // Starts one turn earlier, to show the common state.
  const [from, setFrom] = useState(Math.max(1, (parted ?? 1) - 1))
  const to = Math.min(count, from + turnsAtOnce - 1)
  const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  const found = sides.map(side => new Map(side.turns.map(turn => [turn.number, turn])))
  const missing = sides.map(
    (side, at) =>
      rows.find(turn => turn <= side.count && !found[at]?.has(turn) && (side.problemOf?.(turn) ?? null) === null) ??
      null,
  )
  useEffect(() => {
    for (const [at, turn] of missing.entries()) if (turn !== null && sides[at]?.problem === null) sides[at]?.fetch(turn)
  }, [...missing, ...sides.map(({ isLoading }) => isLoading)])
  return (
    <>
      {from > 1 && (
        <p class="note">
          {from - 1 < (parted ?? 0) ? 'Both are the same before. ' : ''}
          {capital(turnsText(1, from - 1))} {from === 2 ? 'is' : 'are'} not shown here.{' '}
          <button type="button" class="quiet" onClick={() => setFrom(1)}>
            From the first turn
          </button>
        </p>
      )}
      <TurnPager from={from} to={to} count={count} onGo={setFrom} />
      {rows.map(turn => (
        <div key={turn} class={`pair-turn${turn === parted ? ' parted' : ''}`} data-pair-turn={turn}>
          {turn === parted && <p class="parted-mark">They diverge at turn {turn}.</p>}
          <div class="two">
            {sides.map((side, at) => {
              const shown = found[at]?.get(turn)
              return (
                <div key={at} data-side={pairNames[at]}>
                  {shown !== undefined ? (
                    show(shown, found[1 - at]?.get(turn))
                  ) : turn > side.count ? (
                    turn === side.count + 1 && (
                      <p class="note">
                        {pairNames[at]} ended after turn {side.count}.
                      </p>
                    )
                  ) : (
                    <Gap
                      from={turn}
                      to={turn}
                      {...(where === undefined ? {} : { where })}
                      isLoading={side.isLoading}
                      problem={side.problemOf?.(turn) ?? side.problem}
                    />
                  )}
                </div>
              )
            })}
          </div>
        </div>
      ))}
      <TurnPager from={from} to={to} count={count} onGo={setFrom} />
    </>
  )
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
