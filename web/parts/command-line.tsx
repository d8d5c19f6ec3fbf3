import { useState } from 'preact/hooks'

/** A command line to copy. */
export function CommandLineView({ line }: { readonly line: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(line)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <span class="command">
      <code>{line}</code>
      {navigator.clipboard !== undefined && (
        <button type="button" class="quiet" onClick={copy} aria-label={`Copy: ${line}`}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
    </span>
  )
}
