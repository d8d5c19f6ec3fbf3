import type { ShownPrompt } from '../../src/report/dataset/turns.ts'
import { isWholeHistory, promptText, stretchesOf } from './prompt-words.ts'

/** Which of the previous turns were in the prompt, as a thin bar from the first turn to the last. */
export function PromptStrip({ prompt, turn }: { readonly prompt: ShownPrompt | null; readonly turn: number }) {
  if (prompt === null || turn === 1) return null
  const stretches = stretchesOf(prompt, turn)
  const isWhole = isWholeHistory(stretches) && prompt.further === 0
  const text = isWhole ? `The prompt had every turn before in full.` : `The prompt had ${promptText(prompt, turn)}.`
  const share = (turns: number): string => `${((100 * turns) / (turn - 1)).toFixed(2)}%`
  return (
    <div class="prompt">
      <div class="prompt-strip" role="img" aria-label={text} title={text}>
        {stretches.map(({ from, to, how }) => (
          <span key={from} class={`in-${how}`} style={{ left: share(from - 1), width: share(to - from + 1) }} />
        ))}
      </div>
      {!isWhole && <p class="prompt-text">{text}</p>}
    </div>
  )
}
