import { useState } from 'preact/hooks'
import type { Hidden, ShownText } from '../../src/report/dataset/trajectory.ts'
import { folded } from './folded-text.ts'

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
  /** Whether it says from when on it is hidden; a turn that is hidden as a whole says it once. */
  readonly isMarked?: boolean
}

/** One text of a trajectory: text and nothing else, whatever it holds. Long ones are folded. */
export function TextView({ shown, isMarked = true }: TextViewProps) {
  const { kind, name, text, left, end, hidden } = shown
  const [isOpen, setOpen] = useState(false)
  const first = folded(text, left + end.length)
  const label = kind === 'call' ? (name ?? 'call') : names[kind]
  return (
    <div class={`step-text step-${kind}${hidden === null ? '' : ' is-hidden'}`}>
      <p class="role">
        {label}
        {isMarked && hidden !== null && <span class="hidden-mark">{hiddenText(hidden)}</span>}
      </p>
      {text === '' && left === 0 ? (
        <p class="note">(nothing)</p>
      ) : (
        <pre tabIndex={isOpen ? 0 : -1} class={first.isFolded && !isOpen ? 'is-folded' : ''}>
          {first.isFolded && !isOpen ? first.shown : text}
          {(!first.isFolded || isOpen) && left > 0 && (
            <>
              <span class="left-out">{`\n… ${left.toLocaleString('en')} characters are not on this page: the trajectory’s file has them …\n`}</span>
              {end}
            </>
          )}
        </pre>
      )}
      {first.isFolded && (
        <button type="button" class="quiet fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold' : unfoldText(first.lines, text.length + left + end.length)}
        </button>
      )}
    </div>
  )
}

const unfoldText = (lines: number, characters: number): string =>
  `Unfold: ${lines > 1 ? `${lines.toLocaleString('en')} lines, ` : ''}${characters.toLocaleString('en')} characters`

export const hiddenText = ({ from, how }: Hidden): string => {
  const why = { masked: 'masked', summarised: 'only in a summary', 'left out': 'left out' }[how]
  return `hidden from turn ${from} on: ${why}`
}
