import type { ComponentChildren } from 'preact'

interface MeterProps {
  readonly label: string
  readonly value: string
  readonly more?: ComponentChildren
  /** 0 to 1; null: there is no bar. */
  readonly share?: number | null
  readonly isTight?: boolean
}

/** A number with its name, and a bar for its share. */
export function Meter({ label, value, more, share = null, isTight = false }: MeterProps) {
  return (
    <div class={`meter${isTight ? ' tight' : ''}`}>
      <dt>{label}</dt>
      <dd>
        <span class="meter-value">{value}</span>
        {share !== null && (
          <span class="meter-bar" aria-hidden="true">
            <span style={{ width: `${100 * Math.min(1, share)}%` }} />
          </span>
        )}
        {more !== undefined && <span class="meter-more">{more}</span>}
      </dd>
    </div>
  )
}
