import { useState } from 'preact/hooks'
import type { Found } from '../../src/report/findings/findings.ts'
import { counted, percentText } from '../../src/util/words.ts'
import { useQuickFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** Every case against every variant: the answers, and why they did not pass. */
export function PromptsSection() {
  return (
    <Section id="prompts" title="Cases and answers">
      <Body />
    </Section>
  )
}

function Body() {
  return <FindingView finding={useQuickFinding('prompts')}>{found => <Matrix found={found} />}</FindingView>
}

type PromptMatrix = Found<'prompts'>
type MatrixCase = PromptMatrix['cases'][number]

/** A longer table scrolls by itself, so that its head stays visible. */
const mostRows = 30

/** More rows would dominate the page. */
const mostCases = 200

type Which = 'all' | 'disputed' | 'failed'

function Matrix({ found }: { readonly found: PromptMatrix }) {
  const disputed = found.cases.filter(({ isDisputed }) => isDisputed)
  const failed = found.cases.filter(({ isPassed }) => !isPassed)
  const [which, setWhich] = useState<Which>('all')
  const cases = { all: found.cases, disputed, failed }[which]
  const tabs: readonly (readonly [Which, string])[] = [
    ['all', `All ${counted(found.cases.length, 'case')}`],
    ['disputed', `Where they disagree (${disputed.length})`],
    ['failed', `Not passed (${failed.length})`],
  ]
  return (
    <>
      <fieldset class="tabs">
        <legend class="hidden">Which cases</legend>
        {tabs.map(([id, title]) => (
          <label key={id} class={id === which ? 'tab chosen' : 'tab'}>
            <input type="radio" name="cases" checked={id === which} onChange={() => setWhich(id)} />
            {title}
          </label>
        ))}
      </fieldset>
      {cases.length === 0 ? (
        <p class="note">{which === 'disputed' ? 'All variants pass the same cases.' : 'Every run passed.'}</p>
      ) : (
        <section class={cases.length > mostRows ? 'matrix-frame tall' : 'matrix-frame'} aria-label="Cases and answers">
          <table class="matrix" style={{ '--variants': found.variants.length }}>
            <thead>
              <tr>
                <th scope="col">case</th>
                {found.variants.map(({ label, passed, judged }) => (
                  <th key={label} scope="col">
                    {label}
                    <span class="matrix-total">
                      {judged === 0 ? 'not judged' : `${passed} of ${judged} passed, ${percentText(passed / judged)}`}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cases.slice(0, mostCases).map(one => (
                <CaseRow key={one.name} one={one} variants={found.variants} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {cases.length > mostCases && (
        <p class="note">{cases.length - mostCases} more: filter them above, or find their runs in the table of runs.</p>
      )}
    </>
  )
}

function CaseRow({ one, variants }: { readonly one: MatrixCase; readonly variants: PromptMatrix['variants'] }) {
  return (
    <tr>
      <th scope="row">
        {one.name}
        {one.isDisputed && <span class="badge warning">they disagree</span>}
      </th>
      {one.cells.map((cell, at) => (
        <CellView key={variants[at]?.label ?? at} cell={cell} label={variants[at]?.label ?? ''} />
      ))}
    </tr>
  )
}

/** Of several repetitions, a failed one is shown, if there is one. */
function CellView({ cell, label }: { readonly cell: MatrixCase['cells'][number]; readonly label: string }) {
  const { open } = usePage()
  const { passed, judged, runs } = cell
  const shown = runs.find(({ passes }) => passes === false) ?? runs[0]
  if (shown === undefined)
    return (
      <td class="matrix-none">
        <span class="matrix-label">{label}</span>–
      </td>
    )
  const state = judged === 0 ? 'unknown' : passed === judged ? 'pass' : passed === 0 ? 'fail' : 'mixed'
  const word = { pass: 'pass', fail: 'fail', mixed: 'mixed', unknown: 'not judged' }[state]
  return (
    <td data-state={state}>
      <span class="matrix-label">{label}</span>
      <button type="button" class="matrix-cell" onClick={() => open(shown.id)} title="Open the run">
        <span class="matrix-mark">
          {{ pass: '✓', fail: '✗', mixed: '≈', unknown: '?' }[state]} {word}
          {judged > 1 && ` ${passed}/${judged}`}
        </span>
        {shown.answer !== null && <span class="matrix-answer">{breakable(shown.answer)}</span>}
        {shown.why.slice(0, 3).map(why => (
          <span key={why} class="matrix-why">
            {why}
          </span>
        ))}
      </button>
    </td>
  )
}

/** JSON has no spaces to break at: lines may end after a comma or a colon, not within a word. */
const breakable = (answer: string) =>
  answer.split(/(?<=[,:{[](?=["\d{[tfn-]))/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))
