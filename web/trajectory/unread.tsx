import { bytesText } from '../runs/output-view.tsx'

export interface UnreadFile {
  readonly file: string
  readonly bytes?: number
  readonly problem: string
}

/** Names a broken file. */
export const Unread = ({ found: { file, bytes, problem } }: { readonly found: UnreadFile }) => (
  <p class="reason">
    {file}
    {bytes === undefined ? '' : ` (${bytesText(bytes)})`} {problem}.
  </p>
)
