import type { Message } from '../../../models/model-call.ts'
import type { PromptPart } from '../../../models/trajectory/trajectory.ts'
import { type History, joined, type Strategy, verbatim } from './strategy.ts'

export interface MaskingSettings {
  /** How many of the newest outputs stay visible. */
  readonly n: number
  /**
   * The masked part grows only every this many outputs, so that a provider's cache of the prompt stays useful in
   * between.
   */
  readonly polling: number
  /** Outputs of commands that match are never masked. */
  readonly keep: RegExp | null
  /** Outputs of commands that match are always masked. */
  readonly remove: RegExp | null
}

/** Replaces old outputs by a line with their length; the agent's own words all stay. */
export function observationMasking(settings: MaskingSettings): Strategy<null> {
  return {
    name: 'observation_masking',
    start: () => null,
    next: (history, state) => ({ prompt: masking(verbatim(history), history, settings), state }),
  }
}

/** Masks the older outputs among those in a prompt. The opening and summaries are not outputs. */
export function masking(
  parts: readonly PromptPart[],
  { messages, opening }: History,
  settings: MaskingSettings,
): readonly PromptPart[] {
  const shown = parts.flatMap(part => ('from' in part ? outputsIn(part, messages, opening) : []))
  const old = new Set(shown.slice(0, maskedCount(shown.length, settings)))
  const { keep, remove } = settings
  const isMasked = (at: number): boolean => {
    if (remove?.test(commandOf(at, messages))) return true
    return old.has(at) && !keep?.test(commandOf(at, messages))
  }
  return joined(
    parts.flatMap((part): readonly PromptPart[] =>
      'from' in part ? split(part, opening, isMasked, messages) : [part],
    ),
  )
}

/** The instruction counts as an output that is never masked, as in SWE-agent's `last_n_observations`. */
function maskedCount(outputs: number, { n, polling }: MaskingSettings): number {
  const counted = Math.floor((outputs + 1) / polling) * polling
  return Math.max(0, counted - n - 1)
}

const isOutput = ({ role }: Message): boolean => role === 'tool' || role === 'user'

function outputsIn(
  { from, to }: { readonly from: number; readonly to: number },
  messages: readonly Message[],
  opening: number,
): readonly number[] {
  const found: number[] = []
  for (let at = Math.max(from, opening); at < to; at++) {
    const message = messages[at]
    if (message !== undefined && isOutput(message)) found.push(at)
  }
  return found
}

/** Answers between two masked outputs go with them: masking changes nothing about an answer. */
function split(
  { from, to }: { readonly from: number; readonly to: number },
  opening: number,
  isMasked: (at: number) => boolean,
  messages: readonly Message[],
): readonly PromptPart[] {
  const parts: PromptPart[] = []
  let begin = from
  let wasMasked: boolean | null = null
  for (let at = Math.max(from, opening); at < to; at++) {
    const message = messages[at]
    if (message === undefined || !isOutput(message)) continue
    const now = isMasked(at)
    if (wasMasked === null && now && begin < opening) {
      parts.push({ from: begin, to: opening })
      begin = opening
    }
    if (wasMasked !== null && wasMasked !== now) {
      const cut = endOfLast(messages, begin, at)
      parts.push({ from: begin, to: cut, ...(wasMasked && { masked: true as const }) })
      begin = cut
    }
    wasMasked = now
  }
  parts.push({ from: begin, to, ...(wasMasked === true && { masked: true as const }) })
  return parts
}

/** After the last output before `at`: an answer belongs to the outputs that follow it. */
function endOfLast(messages: readonly Message[], begin: number, at: number): number {
  for (let index = at - 1; index >= begin; index--) {
    const message = messages[index]
    if (message !== undefined && isOutput(message)) return index + 1
  }
  return begin
}

/** The call that produced an output, as text: the tool's name and its arguments. Without tools, the words of the answer. */
function commandOf(at: number, messages: readonly Message[]): string {
  const output = messages[at]
  const from = lastAnswerBefore(at, messages)
  const answer = messages[from]
  if (answer?.role !== 'assistant') return ''
  if (output?.role !== 'tool') return answer.content
  // Some models give all calls of an answer the same id: then their order distinguishes them.
  const next = answer.tool_calls?.[at - from - 1]
  const call = next?.id === output.tool_call_id ? next : answer.tool_calls?.find(({ id }) => id === output.tool_call_id)
  return call === undefined ? '' : `${call.name} ${JSON.stringify(call.arguments)}`
}

function lastAnswerBefore(at: number, messages: readonly Message[]): number {
  let index = at - 1
  while (index >= 0 && messages[index]?.role !== 'assistant') index--
  return index
}
