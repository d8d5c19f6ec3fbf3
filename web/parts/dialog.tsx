import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog over the page. The browser keeps the focus inside, and Esc closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // It is not closed when it is removed: the browser does that, and `close` would look like a request of the reader.
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same, by the browser itself
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onClick={event => event.target === dialog.current && onClose()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet" onClick={onClose} aria-label="Close">
            Close
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
