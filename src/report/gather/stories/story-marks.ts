import type { TurnRecord } from '../../../targets/scenario/state/state.ts'
import { sha256 } from '../../../util/hash.ts'
import { markLength, type StoryMarks, type StoryPart } from '../../dataset/turns.ts'

/** Digests of whole texts: they distinguish two runs however much was cut. They do not include the cost of calls. */
export function storyMarks(opening: string, turns: readonly TurnRecord[]): StoryMarks {
  const of = (part: StoryPart): string => turns.map(turn => mark(parts[part](turn))).join('')
  return {
    opening: mark(opening),
    ...{ events: of('events'), talks: of('talks'), decisions: of('decisions'), world: of('world') },
  }
}

const parts: Readonly<Record<StoryPart, (turn: TurnRecord) => unknown>> = {
  events: ({ events }) => events,
  talks: ({ talks, coalitions }) => [talks, coalitions],
  decisions: ({ decisions }) => decisions.map(({ raw: _, tokens: __, ...decision }) => decision),
  world: ({ world: { raw: _, ...world } }) => world,
}

export const mark = (data: unknown): string => sha256(JSON.stringify(data) ?? '').slice(0, markLength)
