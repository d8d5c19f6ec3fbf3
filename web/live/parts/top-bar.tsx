import type { ComponentChildren } from 'preact'

/** The present place, and the way back. */
export function TopBar({
  children,
  isConnected,
}: {
  readonly children: ComponentChildren
  readonly isConnected: boolean
}) {
  return (
    <nav class="top-bar" aria-label="Where you are">
      <ol>
        <li>
          <a href="/">All experiments</a>
        </li>
        {children}
      </ol>
      {!isConnected && (
        <p class="badge warning" role="status">
          The server does not answer: what you see may be old
        </p>
      )}
    </nav>
  )
}
