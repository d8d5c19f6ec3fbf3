import {
  type MetricValue,
  markLength,
  markOf,
  type StoryPart,
  type StoryText,
  type StoryTurn,
  type StoryView,
  storyParts,
} from '../../src/report/dataset/turns.ts'
import { listed } from '../../src/util/words.ts'

/** Where two runs of a scenario diverge. Turns are counted from 1. */
export interface StoryDivergence {
  /** Whether both began in the same state of the world. */
  readonly isSameOpening: boolean
  /** The first turn in which any text differs; null: none of the compared ones. */
  readonly turn: number | null
  /** The first difference in it; null: one of them has no such turn. */
  readonly part: StoryPart | null
  /** The first turn after which a metric differs; null: there is none. */
  readonly metric: MetricDivergence | null
  /** How many turns were compared, and whether these are all of both. */
  readonly compared: number
  readonly isWhole: boolean
}

export interface MetricDivergence {
  readonly turn: number
  readonly name: string
  readonly a: MetricValue
  readonly b: MetricValue
}

/** By digests of whole texts, so that it is correct even if texts were shortened. */
export function storyDivergenceOf(a: StoryView, b: StoryView): StoryDivergence {
  const counts = [a, b].map(({ marks }) => marks.world.length / markLength)
  const compared = Math.min(...counts)
  const isWhole = counts[0] === a.turn_count && counts[1] === b.turn_count
  const found = firstDifference(a, b, compared)
  const isShorter = found === null && isWhole && a.turn_count !== b.turn_count
  return {
    isSameOpening: a.marks.opening === b.marks.opening,
    turn: found?.turn ?? (isShorter ? compared + 1 : null),
    part: found?.part ?? null,
    metric: metricDivergence(a, b),
    ...{ compared, isWhole },
  }
}

function firstDifference(
  a: StoryView,
  b: StoryView,
  compared: number,
): { readonly turn: number; readonly part: StoryPart } | null {
  for (let turn = 1; turn <= compared; turn++)
    for (const part of storyParts)
      if (markOf(a.marks[part], turn) !== markOf(b.marks[part], turn)) return { turn, part }
  return null
}

/** For metrics and turns that both have. */
function metricDivergence(a: StoryView, b: StoryView): MetricDivergence | null {
  const rows = new Map(b.overview.map(row => [row.number, row]))
  const places = a.metrics.flatMap((name, at) => {
    const other = b.metrics.indexOf(name)
    return other === -1 ? [] : [{ name, at, other }]
  })
  for (const { number, values } of a.overview) {
    const row = rows.get(number)
    if (row === undefined) continue
    for (const { name, at, other } of places) {
      const [one, two] = [values[at] ?? null, row.values[other] ?? null]
      if (one !== two) return { turn: number, name, a: one, b: two }
    }
  }
  return null
}

/** The same in words, for a page. */
export function storyDivergenceSentences(a: StoryView, b: StoryView): readonly string[] {
  const divergence = storyDivergenceOf(a, b)
  const { isSameOpening, turn, compared, metric } = divergence
  const cast = castDifferences(a, b)
  return [
    ...commonText(a, b, divergence),
    ...(cast.length === 0 ? [] : [`Played by other models: ${listed(cast, 6)}.`]),
    ...(isSameOpening ? [] : ['They began in different states of the world.']),
    divergenceText(a, b, divergence),
    ...(turn === null || compared === 0 ? [] : [metricText(metric)]),
  ]
}

/** `Port (A sim/firm, B sim/soft)`. */
function castDifferences(a: StoryView, b: StoryView): readonly string[] {
  const models = new Map(b.actors.map(({ short_name, model }) => [short_name, model]))
  return a.actors.flatMap(({ short_name, name, model }) => {
    const other = models.get(short_name)
    return other === undefined || other === model ? [] : [`${name} (A ${model ?? 'unknown'}, B ${other ?? 'unknown'})`]
  })
}

/** The part that a branch shares with its trunk is the same by construction, which is what pairs the two. */
function commonText(a: StoryView, b: StoryView, { turn }: StoryDivergence): readonly string[] {
  const shared = sharedTurns(a, b)
  if (shared === null) return []
  const changed = changesAfter(a, b, shared)
  if (changed.length > 0 && (turn === null || turn >= shared))
    return [
      `${shared === 1 ? 'Turn 1 is' : `Turns 1 to ${shared} are`} one and the same history up to the state after turn ${shared}, which was changed: ${changed.join('; ')}. Both draw their events from the same seed.`,
    ]
  if (turn !== null && turn <= shared) return []
  const sharedText = shared === 1 ? 'Turn 1 is' : `Turns 1 to ${shared} are`
  return [
    `${sharedText} one and the same history, and both draw their events from the same seed: what differs from turn ${shared + 1} on comes from what was changed there, and from chance in the models’ answers.`,
  ]
}

/** `world_state in B`, if a branch changes the state from which it continues. */
const changesAfter = (a: StoryView, b: StoryView, shared: number): readonly string[] =>
  [a, b].flatMap(({ branched_from }, at) => {
    const { turn, changed = [] } = branched_from ?? { turn: null }
    return turn !== shared || changed.length === 0 ? [] : [`${changed.join(', ')} in ${at === 0 ? 'A' : 'B'}`]
  })

/** How many turns two runs share from one trunk; null: neither is a branch of the other, nor both of one run. */
export function sharedTurns(a: StoryView, b: StoryView): number | null {
  if (a.seed !== b.seed || a.marks.opening !== b.marks.opening) return null
  const [one, other] = [a.branched_from, b.branched_from]
  if (one !== null && other !== null) return one.run === other.run ? Math.min(one.turn, other.turn) : null
  return one?.turn ?? other?.turn ?? null
}

function divergenceText(a: StoryView, b: StoryView, { turn, part, compared, isWhole }: StoryDivergence): string {
  if (turn === null) {
    if (compared === 0) return 'No turn of both is here to be compared.'
    return isWhole
      ? 'Both runs are the same in every turn.'
      : `Both runs are the same in the first ${compared} turns; later ones were not compared.`
  }
  const until = turn === 1 ? '' : ', and are the same until then'
  if (part === null) {
    const [name, count] = a.turn_count < b.turn_count ? ['A', a.turn_count] : ['B', b.turn_count]
    return `They diverge at turn ${turn}${until}: ${name} ended after turn ${count}.`
  }
  const isChanged = part === 'world' && changesAfter(a, b, turn).length > 0
  if (isChanged) return `They diverge with the state of the world after turn ${turn}, which was changed for the branch.`
  const who = divergingActors(a, b, turn, part)
  return `They diverge at turn ${turn}${until}. The first difference is in ${words[part]}${who.length === 0 ? '' : ` of ${listed(who, 4)}`}.`
}

const words: Readonly<Record<StoryPart, string>> = {
  events: 'the events',
  talks: 'the private talks',
  decisions: 'the decisions',
  world: 'the narrator’s account of the same actions',
}

/** The actors whose decisions or talks differ, if both turns are loaded. */
function divergingActors(a: StoryView, b: StoryView, turn: number, part: StoryPart): readonly string[] {
  const [one, other] = [a, b].map(view => view.turns.find(({ number }) => number === turn))
  if (one === undefined || other === undefined) return []
  const names = new Map(a.actors.map(({ short_name, name }) => [short_name, name]))
  return a.actors
    .filter(({ short_name }) => doneBy(one, short_name, part) !== doneBy(other, short_name, part))
    .map(({ short_name }) => names.get(short_name) ?? short_name)
}

function doneBy({ decisions, talks, coalitions }: StoryTurn, actor: string, part: StoryPart): string {
  if (part === 'decisions') return JSON.stringify(decisions.filter(one => one.actor === actor))
  if (part !== 'talks') return ''
  return JSON.stringify([
    talks.filter(({ from, to }) => from === actor || to === actor),
    coalitions.filter(({ members }) => members.includes(actor)),
  ])
}

const metricText = (metric: MetricDivergence | null): string =>
  metric === null
    ? 'Their metrics are the same in all turns that both have.'
    : `Their metrics differ for the first time after turn ${metric.turn}: ${metric.name} is ${valueText(metric.a)} in A and ${valueText(metric.b)} in B.`

export const valueText = (value: MetricValue): string => {
  if (value === null) return 'not known'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

/** Whether two texts are the same, even if their middle is left out. */
export const isSameText = (a: StoryText, b: StoryText): boolean =>
  a.text === b.text && a.left === b.left && a.end === b.end && a.mark === b.mark
