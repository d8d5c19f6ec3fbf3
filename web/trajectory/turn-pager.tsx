import { useId, useState } from 'preact/hooks'

interface TurnPagerProps {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly onGo: (turn: number) => void
}

export const turnsAtOnce = 20

/** The range of shown turns, and the way to others: a trajectory may have thousands. */
export function TurnPager({ from, to, count, onGo }: TurnPagerProps) {
  const id = useId()
  const [text, setText] = useState('')
  if (count <= turnsAtOnce) return null
  return (
    <form
      class="turn-pager"
      onSubmit={event => {
        event.preventDefault()
        const turn = Number(text)
        if (Number.isInteger(turn) && turn >= 1) onGo(Math.min(turn, count))
      }}
    >
      <span>
        Turns {from}–{to} of {count.toLocaleString('en')}
      </span>
      <button type="button" class="quiet" disabled={from <= 1} onClick={() => onGo(Math.max(1, from - turnsAtOnce))}>
        Earlier
      </button>
      <button type="button" class="quiet" disabled={to >= count} onClick={() => onGo(to + 1)}>
        Later
      </button>
      <button
        type="button"
        class="quiet"
        disabled={to >= count}
        onClick={() => onGo(Math.max(1, count - turnsAtOnce + 1))}
      >
        End
      </button>
      <span class="go-to">
        <label for={id}>Go to turn</label>
        <input
          id={id}
          inputMode="numeric"
          size={5}
          value={text}
          onInput={event => setText(event.currentTarget.value)}
        />
      </span>
    </form>
  )
}
