import type { OutputTail } from '../../src/report/dataset/dataset.ts'

/** A run's output: always as text. */
export function OutputView({ tails }: { readonly tails: readonly OutputTail[] }) {
  if (tails.length === 0) return <p class="reason">No output is kept here.</p>
  return (
    <>
      {tails.map(({ stream, text, bytes }) => (
        <figure key={stream} class="output">
          <figcaption>
            {stream}
            {bytes > text.length + 64 && `: the end of ${bytesText(bytes)}`}
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
          <pre tabIndex={0}>{text}</pre>
        </figure>
      ))}
    </>
  )
}

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1e3).toPrecision(3)} kB` : `${(bytes / 1e6).toPrecision(3)} MB`
}
