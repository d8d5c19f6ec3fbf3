/** How much of a run's turns is shown. */
export interface ViewLimits {
  /** Characters of one text. */
  readonly text: number
  /** Characters of everything. */
  readonly room: number
  readonly turns: number
  /** The part of the room that is kept for the last turns: the cause of a failure is often at the end. */
  readonly endShare: number
}

/** As many turns as there is room for: the first ones, and the last ones where room is kept for them. */
export function fittingTurns<Turn>(
  turnAt: (at: number) => Turn | null,
  { from, to }: { readonly from: number; readonly to: number },
  limits: ViewLimits,
): readonly Turn[] {
  const start = taken(from, to, 1, {
    room: limits.room * (1 - limits.endShare),
    turns: Math.ceil(limits.turns * (1 - limits.endShare)),
  })
  const next = from + start.turns.length
  if (limits.endShare === 0) return start.turns
  const end = taken(to - 1, next - 1, -1, { room: limits.room - start.used, turns: limits.turns - start.turns.length })
  return [...start.turns, ...end.turns.toReversed()]

  function taken(begin: number, stop: number, step: 1 | -1, most: { readonly room: number; readonly turns: number }) {
    const turns: Turn[] = []
    let used = 0
    for (let at = begin; at !== stop && turns.length < most.turns; at += step) {
      const turn = turnAt(at)
      if (turn === null) break
      used += JSON.stringify(turn).length
      if (used > most.room && turns.length > 0) break
      turns.push(turn)
    }
    return { turns, used }
  }
}

/** Characters of all such views in a report, and of one run: the fewer there are, the more of each. */
const mostOfAll = 1_500_000
const leastOfOne = 24_000
const mostOfOne = 150_000

/** How much a report shows of each run, given their number. */
export function limitsInReport(count: number): ViewLimits {
  const room = Math.min(mostOfOne, Math.max(leastOfOne, mostOfAll / Math.max(1, count)))
  return { text: Math.round(Math.min(2000, Math.max(400, room / 60))), room, turns: 400, endShare: 1 / 3 }
}

/** For a page with a single run. */
export const limitsAlone: ViewLimits = { text: 40_000, room: 3_000_000, turns: 1000, endShare: 0 }

export interface ViewsOfRuns<View> {
  readonly views: readonly (View | null)[]
  /** How many runs have something to show, as far as that was looked for. */
  readonly found: number
}

/** The views of runs in this order, until a report has no room for more; those that come after that are counted. */
export function viewsWithinRoom<Place, View>(
  places: readonly (Place | null)[],
  order: readonly number[],
  {
    view,
    isThere,
  }: {
    readonly view: (place: Place, limits: ViewLimits) => View | null
    readonly isThere: (place: Place) => boolean
  },
): ViewsOfRuns<View> {
  const limits = limitsInReport(order.length)
  const views = new Map<number, View>()
  let room = mostOfAll
  let found = 0
  for (const at of order) {
    const place = places[at] ?? null
    if (place === null) continue
    if (room <= 0) {
      if (isThere(place)) found++
      continue
    }
    const shown = view(place, limits)
    if (shown === null) continue
    found++
    views.set(at, shown)
    room -= JSON.stringify(shown).length
  }
  return { views: places.map((_, at) => views.get(at) ?? null), found }
}
