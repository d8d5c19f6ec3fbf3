import type { Message } from '../../models/model-call.ts'
import type { Trajectory, Turn } from '../../models/trajectory/trajectory.ts'

/** A part of a work in which prompts grow; the places of its turns are counted from its own first message. */
export interface Conversation {
  readonly messages: readonly Message[]
  /** How many messages come before its first turn. */
  readonly opening: number
  readonly turns: readonly Turn[]
}

/** A system prompt between two turns begins anew: an agent forgets what it did at the steps of a task before this one. */
export function conversationsIn({ history, turns }: Trajectory): readonly Conversation[] {
  const starts = [{ message: 0, turn: 0 }]
  for (const [at, { from }] of turns.entries()) {
    const end = turns[at - 1]?.to ?? from
    if (end < from && history[end]?.role === 'system') starts.push({ message: end, turn: at })
  }
  return starts.map(({ message, turn }, at) => {
    const next = starts[at + 1]
    const messages = history.slice(message, next?.message)
    const own = turns.slice(turn, next?.turn).map(one => ({ ...one, from: one.from - message, to: one.to - message }))
    return { messages, opening: own[0]?.from ?? messages.length, turns: own }
  })
}
