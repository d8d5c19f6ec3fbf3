import { useState } from 'preact/hooks'
import type { Progress } from '../../../src/serve/wire.ts'
import { Field } from '../../parts/field.tsx'
import { tell } from '../data/ask.ts'

interface LimitsFormProps {
  readonly dir: string
  readonly limits: Progress['limits']
  readonly onDone: () => void
}

type Name = 'jobs' | 'timeout' | 'budget_usd' | 'run_budget_usd'

const fields: readonly (readonly [name: Name, label: string])[] = [
  ['jobs', 'Runs at a time'],
  ['timeout', 'Longest time of a run (30m; none)'],
  ['budget_usd', 'Budget of all, USD (none)'],
  ['run_budget_usd', 'Budget of a run, USD'],
]

/** The limits of `assay set`: they take effect at once, and apply to later calls that don't override them. */
export function LimitsForm({ dir, limits, onDone }: LimitsFormProps) {
  const before = textsOf(limits)
  const [texts, setTexts] = useState(before)
  const [reason, setReason] = useState<string | null>(null)
  const changed = fields.flatMap(([name]) => (texts[name] === before[name] ? [] : [`${name}=${texts[name] || 'none'}`]))
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    try {
      await tell('/api/limits', { dir, set: changed })
      onDone()
    } catch (error) {
      setReason(inWordsOfForm(error instanceof Error ? error.message : String(error)))
    }
  }
  return (
    <form class="fields limits" onSubmit={event => void send(event)}>
      {fields.map(([name, label]) => (
        <Field key={name} label={label} id={`limit-${name}`}>
          <input
            id={`limit-${name}`}
            value={texts[name]}
            onInput={event => setTexts({ ...texts, [name]: event.currentTarget.value.trim() })}
          />
        </Field>
      ))}
      <button type="submit" disabled={changed.length === 0}>
        Set
      </button>
      {reason !== null && (
        <p class="field-reason" role="alert">
          {reason}
        </p>
      )}
    </form>
  )
}

/** `jobs: expected …` refers to the field called “Runs at a time” here. */
function inWordsOfForm(reason: string): string {
  const [, label] = fields.find(([name]) => reason.startsWith(`${name}: `) || reason.startsWith(`${name}=`)) ?? []
  return label === undefined ? reason : `${label.replace(/ \(.*/, '')}: ${reason.replace(/^[a-z_]+[:=]\s*/, '')}`
}

function textsOf(limits: Progress['limits']): Readonly<Record<Name, string>> {
  const text = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : String(value)
  const { timeout_ms } = limits ?? { timeout_ms: null }
  return {
    jobs: text(limits?.jobs),
    timeout: timeout_ms === null ? '' : `${timeout_ms / 1000}s`,
    budget_usd: text(limits?.budget_usd),
    run_budget_usd: text(limits?.run_budget_usd),
  }
}
