import { markLength, markOf, type TrajectoryView, type TurnMarks } from '../../src/report/dataset/turns.ts'

/** Where two trajectories diverge. Turns are counted from 1. */
export interface Divergence {
  /** Whether both had the same messages before the first turn. */
  readonly isSameOpening: boolean
  /** The first turn in which the agents' words or calls differ; null: none of those compared. */
  readonly acts: number | null
  /** The first turn in which a command gave another result, while the agents still acted the same; null: none. */
  readonly results: number | null
  /** The first turn whose prompts contained another part of the history; null: none. */
  readonly prompts: number | null
  /** How many turns were compared, and whether these are all of both. */
  readonly compared: number
  readonly isWhole: boolean
}

type Marked = Pick<TrajectoryView, 'marks' | 'turn_count'>

/** By digests of whole texts, so that it is correct even if texts were shortened. */
export function divergenceOf(a: Marked, b: Marked): Divergence {
  const counts = [a, b].map(({ marks, turn_count }) => Math.min(turn_count, marks.acts.length / markLength))
  const compared = Math.min(...counts)
  const isWhole = counts[0] === a.turn_count && counts[1] === b.turn_count
  const first = (kind: Exclude<keyof TurnMarks, 'opening'>): number | null => {
    for (let turn = 1; turn <= compared; turn++)
      if (markOf(a.marks[kind], turn) !== markOf(b.marks[kind], turn)) return turn
    return null
  }
  const isShorter = isWhole && a.turn_count !== b.turn_count
  const acts = first('acts') ?? (isShorter ? compared + 1 : null)
  const results = first('results')
  return {
    isSameOpening: a.marks.opening === b.marks.opening,
    acts,
    results: results !== null && (acts === null || results < acts) ? results : null,
    prompts: first('prompts'),
    compared,
    isWhole,
  }
}

/** The same in words, for a page. */
export function divergenceSentences(a: Marked, b: Marked): readonly string[] {
  const { isSameOpening, acts, results, prompts, compared, isWhole } = divergenceOf(a, b)
  return [
    ...(isSameOpening ? [] : ['Their prompts before the first turn differ.']),
    divergenceText(acts, { a, b, compared, isWhole }),
    ...(results === null
      ? []
      : [
          `The same command gave another result in turn ${results}${acts === null ? '' : ', before the agents diverged'}.`,
        ]),
    ...(prompts === null
      ? []
      : [`Their prompts had different parts of the history for the first time in turn ${prompts}.`]),
  ]
}

function divergenceText(
  acts: number | null,
  { a, b, compared, isWhole }: { readonly a: Marked; readonly b: Marked } & Pick<Divergence, 'compared' | 'isWhole'>,
): string {
  if (acts === null)
    return isWhole
      ? 'Both agents did the same in every turn.'
      : `Both agents did the same in the first ${compared} turns; later ones were not compared.`
  if (acts > compared) {
    const [name, count] = a.turn_count < b.turn_count ? ['A', a.turn_count] : ['B', b.turn_count]
    return `They diverge at turn ${acts}: until then both did the same, and ${name} ended after turn ${count}.`
  }
  return acts === 1
    ? 'They diverge at turn 1: the first thing that they did differs.'
    : `They diverge at turn ${acts}: until then both agents did the same.`
}
