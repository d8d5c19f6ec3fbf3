import type { Message } from '../../../models/model-call.ts'
import type { Trajectory } from '../../../models/trajectory/trajectory.ts'
import { sha256 } from '../../../util/hash.ts'
import { canonicalJson } from '../../../util/json.ts'
import { markLength, type TurnMarks } from '../../dataset/turns.ts'
import type { TurnPlaces } from './turn-places.ts'

/** Nobody looks for the first difference beyond this many turns. */
const mostMarked = 2000

/**
 * Digests of whole texts: they distinguish two trajectories however much was cut. They do not include ids of calls,
 * which are random.
 */
export function turnMarks({ history, turns }: Pick<Trajectory, 'history' | 'turns'>, places: TurnPlaces): TurnMarks {
  const marks = { acts: '', results: '', prompts: '' }
  for (const [at, { kind, prompt }] of turns.slice(0, mostMarked).entries()) {
    const { before, own } = places.of(at)
    const messages = history.slice(own.from, own.to)
    marks.acts += mark([kind, ...messages.filter(isAnswer).map(contentOf)])
    marks.results += mark([
      ...(at === 0 ? [] : history.slice(before.from, before.to)).map(contentOf),
      ...messages.filter(message => !isAnswer(message)).map(contentOf),
    ])
    marks.prompts += mark(prompt)
  }
  const { before } = places.of(0)
  return { opening: mark(history.slice(before.from, before.to).map(contentOf)), ...marks }
}

const isAnswer = ({ role }: Message): boolean => role === 'assistant'

function contentOf(message: Message): unknown {
  if (message.role !== 'assistant') return [message.role, message.content]
  const calls = (message.tool_calls ?? []).map(({ name, arguments: given }) => [name, canonicalJson(given)])
  return [message.content, calls]
}

const mark = (data: unknown): string => sha256(JSON.stringify(data) ?? '').slice(0, markLength)
