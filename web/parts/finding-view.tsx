import type { ComponentChildren } from 'preact'
import type { Finding } from '../analysis/use-finding.ts'

interface FindingViewProps<T> {
  readonly finding: Finding<T>
  readonly children: (found: T) => ComponentChildren
  /** Whether nothing is shown if nothing was found: other parts of the page are enough. */
  readonly isQuiet?: boolean
}

/** The finding; the reason why there is none; or that it is being computed. */
export function FindingView<T>({ finding: { value, isOld }, children, isQuiet = false }: FindingViewProps<T>) {
  if (value === undefined)
    return (
      <p class="waiting" role="status">
        Computing …
      </p>
    )
  if (isQuiet && 'reason' in value) return null
  return (
    <div class={isOld ? 'old' : ''} aria-busy={isOld}>
      {'reason' in value ? <p class="reason">{sentence(value.reason)}</p> : children(value.found)}
    </div>
  )
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
