import type { Trajectory } from '../../../models/trajectory/trajectory.ts'

/** Which messages belong to which turn. */
export interface TurnPlaces {
  /** The turn of a message, from 0; for one between turns, the turn before it; -1 before the first. */
  turnOf(message: number): number
  /** The first turn with a message at or after this place. */
  firstFrom(message: number): number
  /** The messages of a turn, and those between it and the turn before. */
  of(turn: number): { readonly before: Range; readonly own: Range }
  /** The messages after the last turn. */
  readonly rest: Range
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** In one pass. In a malformed file, a turn whose messages do not follow those of the turn before has none. */
export function turnPlaces({ history, turns }: Pick<Trajectory, 'history' | 'turns'>): TurnPlaces {
  const turnOf = new Int32Array(history.length).fill(-1)
  const places: { readonly before: Range; readonly own: Range }[] = []
  let at = 0
  for (const [number, { from, to }] of turns.entries()) {
    const isNext = from >= at && to >= from && to <= history.length
    const own = isNext ? { from, to } : { from: at, to: at }
    places.push({ before: { from: at, to: own.from }, own })
    turnOf.fill(number - 1, at, own.from)
    turnOf.fill(number, own.from, own.to)
    at = own.to
  }
  turnOf.fill(turns.length - 1, at)
  const nothing = { from: at, to: at }
  return {
    turnOf: message => turnOf[message] ?? turns.length - 1,
    firstFrom: message => {
      const turn = turnOf[message] ?? turns.length
      return message >= (places[turn]?.own.to ?? 0) ? turn + 1 : turn
    },
    of: turn => places[turn] ?? { before: nothing, own: nothing },
    rest: { from: at, to: history.length },
  }
}
