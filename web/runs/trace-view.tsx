import type { TraceMessage, TraceScore, TraceTurn } from '../../src/report/dataset/dataset.ts'
import { amountText } from '../../src/util/words.ts'

/** The messages to models and their answers, turn by turn, with the agents and tools around them. */
export function TraceView({ turns, parted }: { readonly turns: readonly TraceTurn[]; readonly parted?: number }) {
  return (
    <ol class="trace">
      {turns.map((turn, at) => (
        <li key={at} class={at === parted ? 'parted' : ''} style={{ '--depth': turn.depth }}>
          {at === parted && <p class="parted-mark">From here on they differ.</p>}
          <p class="turn-head">
            <strong>{turn.name}</strong>
            {factsOf(turn).map(fact => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
          {turn.error !== null && <p class="turn-error">{turn.error}</p>}
          {turn.repeated > 0 && (
            <p class="note">{turn.repeated === 1 ? '1 message' : `${turn.repeated} messages`} as before</p>
          )}
          <Messages messages={turn.messages} />
          <Messages messages={turn.answer} />
          {turn.scores.map((score, nth) => (
            <p key={nth} class="turn-score">
              {scoreText(score)}
            </p>
          ))}
        </li>
      ))}
    </ol>
  )
}

function factsOf(turn: TraceTurn): readonly string[] {
  return [
    ...(turn.service === null ? [] : [`sent by ${turn.service}`]),
    ...(turn.purpose === null ? [] : [turn.purpose]),
    ...(turn.ms === null ? [] : [amountText('latency_s')(turn.ms / 1000)]),
    ...(turn.input_tokens === null ? [] : [`${turn.input_tokens} tokens in`]),
    ...(turn.output_tokens === null ? [] : [`${turn.output_tokens} out`]),
    ...(turn.reasoning_tokens === null || turn.reasoning_tokens === 0
      ? []
      : [`${turn.reasoning_tokens} of them thinking`]),
    ...(turn.cost_usd === null ? [] : [amountText('cost_usd')(turn.cost_usd)]),
    ...(turn.is_cached ? ['kept answer'] : []),
  ]
}

const scoreText = ({ name, value, label, explanation }: TraceScore): string =>
  [`${name}: ${[value, label].filter(one => one !== null).join(', ')}`, explanation]
    .filter(one => one !== null)
    .join(' – ')

function Messages({ messages }: { readonly messages: readonly TraceMessage[] }) {
  return (
    <>
      {messages.map(({ role, text }, at) => (
        <div key={at} class="message">
          <p class="role">{role}</p>
          <pre>{text}</pre>
        </div>
      ))}
    </>
  )
}
