import { useState } from 'preact/hooks'
import type { CutText } from '../../src/report/dataset/turns.ts'
import { folded } from './folded-text.ts'

interface CutTextViewProps {
  readonly cut: CutText
  /** The file with the whole text. */
  readonly where: string
}

/** Always shown as text. Long ones are folded, with the length of the omitted part. */
export function CutTextView({ cut: { text, left, end }, where }: CutTextViewProps) {
  const [isOpen, setOpen] = useState(false)
  const first = folded(text, left + end.length)
  if (text === '' && left === 0) return <p class="note">(nothing)</p>
  return (
    <>
      <pre tabIndex={isOpen ? 0 : -1} class={first.isFolded && !isOpen ? 'is-folded' : ''}>
        {first.isFolded && !isOpen ? first.shown : text}
        {(!first.isFolded || isOpen) && left > 0 && (
          <>
            <span class="left-out">{`\n… ${left.toLocaleString('en')} characters are not on this page: ${where} has them …\n`}</span>
            {end}
          </>
        )}
      </pre>
      {first.isFolded && (
        <button type="button" class="quiet fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold' : unfoldText(first.lines, text.length + left + end.length)}
        </button>
      )}
    </>
  )
}

const unfoldText = (lines: number, characters: number): string =>
  `Unfold: ${lines > 1 ? `${lines.toLocaleString('en')} lines, ` : ''}${characters.toLocaleString('en')} characters`
