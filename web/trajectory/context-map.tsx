import type { TrajectoryView } from '../../src/report/dataset/turns.ts'
import { isWholeHistory, stretchesOf } from './prompt-words.ts'

const legend = [
  ['full', 'in full'],
  ['masked', 'outputs masked'],
  ['summary', 'in a summary'],
  ['absent', 'not in the prompt'],
] as const

/**
 * Which part of the history each prompt contained: a column per turn, the first turn at the bottom. Not drawn if
 * nothing was ever hidden.
 */
export function ContextMap({ map, turn_count: count }: Pick<TrajectoryView, 'map' | 'turn_count'>) {
  const columns = map.flatMap(({ number, prompt }) =>
    prompt === null || number === 1 ? [] : [{ number, stretches: stretchesOf(prompt, number) }],
  )
  if (columns.every(({ stretches }) => isWholeHistory(stretches))) return null
  const step = (map[1]?.number ?? 2) - 1
  const used = new Set(columns.flatMap(({ stretches }) => stretches.map(({ how }) => how)))
  return (
    <figure class="context-map">
      <figcaption>What each prompt had of the turns before</figcaption>
      <svg
        viewBox={`0 0 ${count} ${count}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="What each prompt had of the turns before"
      >
        {columns.flatMap(({ number, stretches }) =>
          stretches.map(({ from, to, how }) => (
            <rect
              key={`${number} ${from}`}
              class={`in-${how}`}
              x={number - 1}
              y={count - to}
              width={step}
              height={to - from + 1}
            />
          )),
        )}
      </svg>
      <p class="map-axis">
        <span>turn 1</span>
        <span>turn {count}</span>
      </p>
      <ul class="map-legend">
        {legend
          .filter(([how]) => used.has(how))
          .map(([how, text]) => (
            <li key={how}>
              <span class={`map-key in-${how}`} /> {text}
            </li>
          ))}
      </ul>
    </figure>
  )
}
