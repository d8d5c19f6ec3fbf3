import { useEffect, useState } from 'preact/hooks'
import { bytesText } from '../../runs/output-view.tsx'
import { reasonOf } from '../data/ask.ts'
import { fileAddress } from './file-address.ts'

interface FileViewProps {
  readonly dir: string
  readonly run: string
  readonly path: string
}

/** What is shown at once. */
const pageBytes = 32 * 1024

interface Piece {
  readonly text: string
  readonly from: number
  readonly length: number
  readonly size: number
}

/** A file of a run as text, its end first, piece by piece however large it is. */
export function FileView({ dir, run, path }: FileViewProps) {
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
  }, [dir, run, path, from])
  if (reason !== null) return <p class="reason">{reason}</p>
  if (piece === null) return <p class="waiting">Reading {path} …</p>
  const end = piece.from + piece.length
  const isWhole = piece.from === 0 && end === piece.size
  return (
    <figure class="output">
      <figcaption>
        {path}
        {isWhole ? `: ${bytesText(piece.size)}` : `: bytes ${piece.from} to ${end} of ${piece.size}`}
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
      <pre tabIndex={0}>{piece.text}</pre>
    </figure>
  )
}

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
