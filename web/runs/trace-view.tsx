import type { TraceMessage, TraceTurn } from '../../src/report/dataset/dataset.ts'
import { amountText } from '../../src/util/words.ts'

/** What was said to models and what they answered, turn by turn. */
export function TraceView({ turns, parted }: { readonly turns: readonly TraceTurn[]; readonly parted?: number }) {
  return (
    <ol class="trace">
      {turns.map((turn, at) => (
        <li key={at} class={at === parted ? 'parted' : ''}>
          {at === parted && <p class="parted-mark">From here on they differ.</p>}
          <p class="turn-head">
            <strong>{turn.name}</strong>
            {factsOf(turn).map(fact => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
          {turn.error !== null && <p class="turn-error">{turn.error}</p>}
          {turn.repeated > 0 && <p class="note">{turn.repeated} messages as before</p>}
          <Messages messages={turn.messages} />
          <Messages messages={turn.answer} />
        </li>
      ))}
    </ol>
  )
}

function factsOf(turn: TraceTurn): readonly string[] {
  return [
    ...(turn.purpose === null ? [] : [turn.purpose]),
    ...(turn.ms === null ? [] : [amountText('latency_s')(turn.ms / 1000)]),
    ...(turn.input_tokens === null ? [] : [`${turn.input_tokens} tokens in`]),
    ...(turn.output_tokens === null ? [] : [`${turn.output_tokens} out`]),
    ...(turn.cost_usd === null ? [] : [amountText('cost_usd')(turn.cost_usd)]),
    ...(turn.is_cached ? ['kept answer'] : []),
  ]
}

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
