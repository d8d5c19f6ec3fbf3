import type { PromptSpan, ShownPrompt } from '../../src/report/dataset/turns.ts'
import { counted, listed } from '../../src/util/words.ts'

/** A stretch of earlier turns, as the prompt contained them; `absent`: it did not. */
export interface Stretch extends Pick<PromptSpan, 'from' | 'to'> {
  readonly how: PromptSpan['how'] | 'absent'
}

/** All turns before this one, from the first to the last, with those that the prompt left out. */
export function stretchesOf({ spans }: ShownPrompt, turn: number): readonly Stretch[] {
  const all: Stretch[] = []
  let next = 1
  for (const { from, to, how } of spans) {
    if (from > next) all.push({ from: next, to: from - 1, how: 'absent' })
    all.push({ from: Math.max(from, next), to, how })
    next = Math.max(next, to + 1)
  }
  if (next < turn) all.push({ from: next, to: turn - 1, how: 'absent' })
  return all
}

/** Whether the prompt contained the whole history. */
export const isWholeHistory = (stretches: readonly Stretch[]): boolean => stretches.every(({ how }) => how === 'full')

/** `turns 1–6 masked, turns 7–16 in full`. */
export function promptText(prompt: ShownPrompt, turn: number): string {
  const stretches = stretchesOf(prompt, turn)
  const parts = stretches.map(({ from, to, how }) => `${turnsText(from, to)} ${words[how]}`)
  const further = prompt.further === 0 ? [] : [`${counted(prompt.further, 'message')} not recorded elsewhere`]
  return listed([...parts, ...further], 6)
}

const words: Readonly<Record<Stretch['how'], string>> = {
  full: 'in full',
  masked: 'with masked outputs',
  summary: 'as a summary',
  mixed: 'in many pieces',
  absent: 'left out',
}

export const turnsText = (from: number, to: number): string => (from === to ? `turn ${from}` : `turns ${from}–${to}`)
