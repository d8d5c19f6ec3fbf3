import type { Hidden, ShownSummary, ShownText, ShownTurn } from '../../src/report/dataset/turns.ts'
import { amountText, plainNumber } from '../../src/util/words.ts'
import { PromptStrip } from './prompt-strip.tsx'
import { turnsText } from './prompt-words.ts'
import { hiddenText, TextView } from './text-view.tsx'

interface TurnViewProps {
  readonly turn: ShownTurn
  readonly isDiverging?: boolean
}

/** One turn: the content of the prompt, the agent's words and actions, the results, and what it used. */
export function TurnView({ turn, isDiverging = false }: TurnViewProps) {
  const { number, kind, before, summaries, prompt, texts } = turn
  const hidden = commonlyHidden(texts)
  return (
    <article class={`step${isDiverging ? ' parted' : ''}`} data-turn={number} aria-label={`Turn ${number}`}>
      {before.map((shown, at) => (
        <TextView key={at} shown={shown} />
      ))}
      {summaries.map((summary, at) => (
        <SummaryView key={at} summary={summary} />
      ))}
      <p class="turn-head">
        <strong>Turn {number}</strong>
        {kind === 'again' && <span class="mark-warning">asked again: the answer could not be used</span>}
        {kind === 'autosubmit' && <span class="mark-warning">cut off: its changes were handed in</span>}
        {factsOf(turn).map(fact => (
          <span key={fact}>{fact}</span>
        ))}
        {hidden !== null && <span class="mark-warning">{hiddenText(hidden)}</span>}
      </p>
      <PromptStrip prompt={prompt} turn={number} />
      {texts.map((shown, at) => (
        <TextView key={at} shown={shown} isMarked={hidden === null} />
      ))}
    </article>
  )
}

/** The turn from which all of it is hidden, for the same reason; null: parts of it differ. */
function commonlyHidden(texts: readonly ShownText[]): Hidden | null {
  const first = texts[0]?.hidden ?? null
  const isSame = ({ hidden }: ShownText): boolean => hidden?.from === first?.from && hidden?.how === first?.how
  return texts.length > 1 && texts.every(isSame) ? first : null
}

export function SummaryView({ summary }: { readonly summary: ShownSummary }) {
  const { from, to, text, model, input_tokens, output_tokens, cost_usd } = summary
  const facts = [
    ...(model === null ? [] : [`by ${model}`]),
    ...(input_tokens === null ? [] : [`${wholeText(input_tokens)} tokens in`]),
    ...(output_tokens === null ? [] : [`${wholeText(output_tokens)} out`]),
    ...(cost_usd === null ? [] : [amountText('cost_usd')(cost_usd)]),
  ]
  return (
    <div class="turn-summary">
      <p class="turn-head">
        <strong>Summary of {turnsText(from, to)}</strong>
        {facts.map(fact => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      <TextView shown={text} />
    </div>
  )
}

function factsOf(turn: ShownTurn): readonly string[] {
  const { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, cost_usd, price_usd } = turn
  const cached =
    cached_input_tokens === null || cached_input_tokens === 0 ? '' : ` (${wholeText(cached_input_tokens)} cached)`
  const thinking =
    reasoning_tokens === null || reasoning_tokens === 0 ? '' : ` (${wholeText(reasoning_tokens)} thinking)`
  return [
    ...(input_tokens === null ? [] : [`${wholeText(input_tokens)} tokens in${cached}`]),
    ...(output_tokens === null ? [] : [`${wholeText(output_tokens)} out${thinking}`]),
    ...costFacts(cost_usd, price_usd),
    ...(turn.inference_ms === null ? [] : [`answered in ${secondsText(turn.inference_ms)}`]),
    ...(turn.execution_ms === null ? [] : [`ran ${secondsText(turn.execution_ms)}`]),
    ...(turn.started_at === null ? [] : [clockText(turn.started_at)]),
  ]
}

/** The amount paid; also the list price, if answers were cached. */
function costFacts(cost: number | null, price: number | null): readonly string[] {
  const money = amountText('cost_usd')
  if (cost === null) return price === null ? [] : [`${money(price)} at list price`]
  return price === null || price === cost ? [money(cost)] : [`${money(cost)} (${money(price)} at list price)`]
}

export const wholeText = (value: number): string => value.toLocaleString('en')
const secondsText = (ms: number): string => `${plainNumber(ms / 1000)} s`

/** `10:02:13` of an ISO time; anything else unchanged. */
const clockText = (time: string): string => /T(\d\d:\d\d:\d\d)/.exec(time)?.[1] ?? time.slice(0, 40)
