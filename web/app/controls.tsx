import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { labelOf } from '../../src/analyze/arms.ts'
import {
  armsBy,
  defaultBaseline,
  keptBy,
  metricsOf,
  type View,
  varyingFactors,
} from '../../src/report/findings/view.ts'
import { canonicalJson } from '../../src/util/json.ts'
import { percentText } from '../../src/util/words.ts'
import { Choice, Field } from '../parts/field.tsx'
import { useTheme } from '../state/theme.ts'
import { usePage } from './context.ts'

const alphas = [0.1, 0.05, 0.01, 0.001]
const mostBaselines = 200

/** The reader's settings; everything below follows them. */
export function Controls({ defaults }: { readonly defaults: View }) {
  const { dataset, view, look } = usePage()
  const { evidence } = dataset
  const [theme, turnTheme] = useTheme()
  // The compared factor may not vary yet during the experiment.
  const varying = useMemo(() => varyingFactors(evidence), [evidence])
  const factors = evidence.factors.filter(name => varying.includes(name) || view.group.includes(name))
  const arms = useMemo(() => armsBy(evidence, view.group), [evidence, view.group])
  const isChanged = canonicalJson(view as never) !== canonicalJson(defaults as never)
  const groupBy = (name: string): void => {
    const group = name === '' ? [] : name === everything ? factors : [name]
    look({ group, baseline: defaultBaseline(evidence, group) })
  }
  return (
    <header class="bar">
      <div class="bar-head">
        <p class="bar-title" title={dataset.title}>
          {dataset.title}
        </p>
        <button type="button" class="quiet" onClick={turnTheme} title="As your system has them, light, or dark">
          Colours: {theme}
        </button>
      </div>
      <details class="bar-controls" open={innerWidth >= 760}>
        <summary>What is shown</summary>
        <form class="fields" onSubmit={event => event.preventDefault()} aria-label="What is shown">
          <Choice
            label="Metric"
            value={view.metric}
            choices={metricsOf(evidence).map(name => [name, name])}
            onChoose={metric => look({ metric })}
          />
          <Choice
            label="Compare by"
            value={view.group.length === 0 ? '' : view.group.length === 1 ? (view.group[0] ?? '') : everything}
            choices={[
              ...factors.map(name => [name, name] as const),
              ...(factors.length > 1 ? [[everything, 'all factors'] as const] : []),
              ['', 'nothing'] as const,
            ]}
            onChoose={groupBy}
          />
          {view.group.length > 0 && (
            <Choice
              label="Baseline"
              value={canonicalJson(view.baseline)}
              choices={arms.slice(0, mostBaselines).map(levels => [canonicalJson(levels), labelOf(levels)])}
              onChoose={text => look({ baseline: JSON.parse(text) as View['baseline'] })}
            />
          )}
          <Choice
            label="Confidence"
            value={String(view.alpha)}
            choices={[...new Set([...alphas, view.alpha])]
              .sort((a, b) => b - a)
              .map(alpha => [String(alpha), percentText(1 - alpha)])}
            onChoose={alpha => look({ alpha: Number(alpha) })}
          />
          <FilterField />
          {isChanged && (
            <button type="button" class="quiet reset" onClick={() => look(defaults)}>
              Reset
            </button>
          )}
        </form>
      </details>
    </header>
  )
}

const everything = '*'

/** Only these runs, in the language of `--filter`. */
function FilterField() {
  const { dataset, view, look, refuse } = usePage()
  const [text, setText] = useState(view.filter)
  const id = useId()
  const tried = useMemo(() => keptBy(dataset.evidence, text), [dataset, text])
  const change = (filter: string): void => {
    setText(filter)
    if ('found' in keptBy(dataset.evidence, filter)) look({ filter })
  }
  // The Back button, or Reset, changes the filter from outside.
  const [seen, setSeen] = useState(view.filter)
  if (seen !== view.filter) {
    setSeen(view.filter)
    if (text.trim() !== view.filter.trim()) setText(view.filter)
  }
  const reason = 'reason' in tried && text.trim() !== view.filter.trim() ? tried.reason : null
  useEffect(() => refuse(reason === null ? null : { filter: text.trim(), reason }), [reason, text])
  const names = [...dataset.evidence.factors, ...dataset.evidence.blocks]
  return (
    <Field label="Only runs with" id={id}>
      <input
        id={id}
        type="search"
        value={text}
        placeholder={`e.g. ${names[0] ?? 'seed'}=…`}
        aria-invalid={'reason' in tried}
        aria-describedby={'reason' in tried ? `${id}-reason` : undefined}
        onInput={event => change(event.currentTarget.value)}
      />
      {'reason' in tried && (
        <p class="field-reason" id={`${id}-reason`} role="alert">
          {tried.reason}
        </p>
      )}
    </Field>
  )
}
