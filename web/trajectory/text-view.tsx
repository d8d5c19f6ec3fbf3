import type { Hidden, ShownText } from '../../src/report/dataset/turns.ts'
import { CutTextView } from './cut-text-view.tsx'

const names: Readonly<Record<ShownText['kind'], string>> = {
  system: 'system prompt',
  user: 'user',
  thought: 'thinking',
  words: 'agent',
  call: 'call',
  output: 'output',
  error: 'error',
}

interface TextViewProps {
  readonly shown: ShownText
  /** Whether it states from which turn on it is hidden; a turn that is hidden as a whole states it once. */
  readonly isMarked?: boolean
}

/** One text of a trajectory, always shown as text. Long ones are folded. */
export function TextView({ shown, isMarked = true }: TextViewProps) {
  const { kind, name, hidden } = shown
  const label = kind === 'call' ? (name ?? 'call') : names[kind]
  return (
    <div class={`step-text step-${kind}${hidden === null ? '' : ' is-hidden'}`}>
      <p class="role">
        {label}
        {isMarked && hidden !== null && <span class="hidden-mark">{hiddenText(hidden)}</span>}
      </p>
      <CutTextView cut={shown} where="the trajectory’s file" />
    </div>
  )
}

export const hiddenText = ({ from, how }: Hidden): string => {
  const why = { masked: 'masked', summarised: 'only in a summary', 'left out': 'left out' }[how]
  return `hidden from turn ${from} on: ${why}`
}
