import { useMemo, useState } from 'preact/hooks'
import type { TextPart } from '../../src/report/dataset/dataset.ts'
import { counted } from '../../src/util/words.ts'
import { bytesText } from '../runs/output-view.tsx'
import { type DiffFile, diffFiles } from './diff-files.ts'

/** Lines of a file at first, and files that are open at first: a page that makes ten thousand lines is slow. */
const shownLines = 400
const openLines = 120
const shownFiles = 100

/** The changes file by file. Everything in them is text. */
export function DiffView({ diff }: { readonly diff: TextPart }) {
  const files = useMemo(() => diffFiles(diff.text), [diff])
  if (diff.bytes === 0) return <p class="reason">The agent changed no files.</p>
  const total = (name: 'added' | 'removed'): number => files.reduce((sum, file) => sum + file[name], 0)
  return (
    <>
      <p class="note">
        {counted(files.length, 'file')}, <Counts added={total('added')} removed={total('removed')} />
        {diff.left_bytes > 0 && (
          <strong>
            {' '}
            in the first {bytesText(diff.bytes - diff.left_bytes)} of {bytesText(diff.bytes)}; all of it is in{' '}
            {diff.path}
          </strong>
        )}
      </p>
      {files.slice(0, shownFiles).map((file, at) => (
        <FileView key={`${at} ${file.path}`} file={file} isOpen={isShort(files) && file.lines.length <= openLines} />
      ))}
      {files.length > shownFiles && (
        <p class="note">
          {files.length - shownFiles} more files are in {diff.path}.
        </p>
      )}
    </>
  )
}

const isShort = (files: readonly DiffFile[]): boolean => files.length <= 6

function FileView({ file, isOpen }: { readonly file: DiffFile; readonly isOpen: boolean }) {
  const [isSeen, setSeen] = useState(isOpen)
  const [shown, setShown] = useState(shownLines)
  const left = file.lines.length - shown
  return (
    <details class="diff-file" open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && setSeen(true)}>
      <summary>
        <code>{file.from === null ? file.path : `${file.from} → ${file.path}`}</code>
        {file.kind !== 'changed' && <span class="diff-kind">{file.kind}</span>}
        {file.isBinary ? <span class="diff-kind">binary</span> : <Counts added={file.added} removed={file.removed} />}
      </summary>
      {isSeen && file.lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        <pre class="diff" tabIndex={0}>
          {file.lines.slice(0, shown).map(({ kind, text }, at) => (
            <span key={at} class={`diff-${kind}`}>
              {`${text}\n`}
            </span>
          ))}
        </pre>
      )}
      {isSeen && left > 0 && (
        <button type="button" class="quiet" onClick={() => setShown(shown + 10 * shownLines)}>
          {counted(left, 'more line')}
        </button>
      )}
    </details>
  )
}

function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span class="diff-counts">
      <span class="diff-plus">+{added}</span> <span class="diff-minus">−{removed}</span>
    </span>
  )
}
