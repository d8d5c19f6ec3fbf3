import { useState } from 'preact/hooks'
import type { Found } from '../../src/report/findings/findings.ts'
import { usePage } from '../app/context.ts'
import { Choice } from '../parts/field.tsx'

/** Two variants to lay side by side. */
export function ChoosePair({ rows }: { readonly rows: Found<'variants'>['rows'] }) {
  const { go } = usePage()
  const [a, setA] = useState(rows[0]?.label ?? '')
  const [b, setB] = useState(rows[1]?.label ?? '')
  const choices = rows.map(({ label }) => [label, label] as const)
  return (
    <form
      class="fields choose-pair"
      aria-label="Two variants side by side"
      onSubmit={event => {
        event.preventDefault()
        go({ pair: { kind: 'variants', a, b }, run: null })
      }}
    >
      <Choice label="Variant" value={a} choices={choices} onChoose={setA} />
      <Choice label="and variant" value={b} choices={choices} onChoose={setB} />
      <button type="submit" disabled={a === b}>
        Side by side
      </button>
    </form>
  )
}
