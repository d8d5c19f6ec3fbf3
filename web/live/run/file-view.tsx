import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { plainOutput } from '../../../src/util/words.ts'
import { bytesText } from '../../runs/output-view.tsx'
import { reasonOf } from '../data/ask.ts'
import { fileAddress } from './file-address.ts'

interface FileViewProps {
  readonly dir: string
  readonly run: string
  readonly path: string
  /** Its present size: the end of a growing file is read again. */
  readonly size?: number
}

/** The part that is shown first. */
const pageBytes = 32 * 1024

interface Piece {
  readonly text: string
  readonly from: number
  readonly length: number
  readonly size: number
}

/** A file of a run as text, its end first, loaded in pieces. */
export function FileView({ dir, run, path, size }: FileViewProps) {
  const [from, setFrom] = useState(-pageBytes)
  const [piece, setPiece] = useState<Piece | null>(null)
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => {
    let isWanted = true
    pieceOf(fileAddress(dir, run, path, { from: String(from), bytes: String(pageBytes) }))
      .then(found => isWanted && setPiece(found))
      .catch((error: unknown) => isWanted && setReason(error instanceof Error ? error.message : String(error)))
    return () => {
      isWanted = false
    }
  }, [dir, run, path, from, from < 0 ? size : null])
  // The end is the interesting part; if the reader has scrolled up meanwhile, the position stays.
  const text = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    const { current: shown } = text
    if (shown !== null && from < 0 && isAtEnd.current) shown.scrollTop = shown.scrollHeight
  }, [piece, from])
  if (reason !== null) return <p class="reason">{reason}</p>
  if (piece === null) return <p class="waiting">Reading {path} …</p>
  const end = piece.from + piece.length
  const isWhole = piece.from === 0 && end === piece.size
  return (
    <figure class="output">
      <figcaption>
        {path}
        {isWhole
          ? `: ${bytesText(piece.size)}`
          : `: ${bytesText(piece.from)} to ${bytesText(end)} of ${bytesText(piece.size)}`}
        {!isWhole && (
          <span class="file-pages">
            <button type="button" class="quiet" disabled={piece.from === 0} onClick={() => setFrom(0)}>
              Beginning
            </button>
            <button
              type="button"
              class="quiet"
              disabled={piece.from === 0}
              onClick={() => setFrom(Math.max(0, piece.from - pageBytes))}
            >
              Before
            </button>
            <button type="button" class="quiet" disabled={end >= piece.size} onClick={() => setFrom(end)}>
              After
            </button>
            <button type="button" class="quiet" disabled={end >= piece.size} onClick={() => setFrom(-pageBytes)}>
              End
            </button>
          </span>
        )}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0} ref={text} onScroll={({ currentTarget }) => (isAtEnd.current = isScrolledDown(currentTarget))}>
        {plainOutput(piece.text)}
      </pre>
    </figure>
  )
}

const isScrolledDown = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean =>
  scrollTop + clientHeight >= scrollHeight - 4

async function pieceOf(address: string): Promise<Piece> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(await reasonOf(response))
  const bytes = await response.arrayBuffer()
  return {
    text: new TextDecoder().decode(bytes),
    from: Number(response.headers.get('x-file-from')),
    length: bytes.byteLength,
    size: Number(response.headers.get('x-file-size')),
  }
}
