import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

/** One of several. */
export function Choice({ label, value, choices, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <Field label={label} id={id}>
      <select id={id} value={value} onChange={event => onChoose(event.currentTarget.value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

interface FieldProps {
  readonly label: string
  readonly id: string
  readonly children: ComponentChildren
}

export function Field({ label, id, children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
    </div>
  )
}
