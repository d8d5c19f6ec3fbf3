import { useMemo } from 'preact/hooks'
import type { ExperimentFacts } from '../../src/report/dataset/dataset.ts'
import { provenanceOf } from '../../src/report/findings/page.ts'
import type { JsonObject } from '../../src/util/json.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { CommandLineView } from '../parts/command-line.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Section } from '../parts/section.tsx'

/** What was done, on which machine and code, and how to reproduce it. */
export function ProvenanceSection() {
  return (
    <Section id="provenance" title="Provenance and methods">
      <Body />
    </Section>
  )
}

function Body() {
  const { dataset, view } = usePage()
  const { value: compared } = useFinding('comparisons', view)
  const { methods, commands } = useMemo(() => provenanceOf(dataset, view, compared), [dataset, view, compared])
  return (
    <>
      <h3>Methods</h3>
      {methods !== null && <p class="methods">{'found' in methods ? methods.found : methods.reason}</p>}
      <h3>To reproduce</h3>
      <ul class="commands">
        {commands.map(({ line, meaning }) => (
          <li key={line}>
            <CommandLineView line={line} />
            <span>{meaning}</span>
          </li>
        ))}
      </ul>
      {dataset.experiments.map(experiment => (
        <Experiment key={experiment.name} experiment={experiment} isOne={dataset.experiments.length === 1} />
      ))}
      <p class="note">Made with assay {dataset.assay}. Everything on this page is in this one file.</p>
    </>
  )
}

function Experiment({ experiment, isOne }: { readonly experiment: ExperimentFacts; readonly isOne: boolean }) {
  const { processes, definition, tags, notes, name } = experiment
  return (
    <>
      {!isOne && <h3>{name}</h3>}
      {tags.length > 0 && <p>Tags: {tags.join(', ')}</p>}
      {notes.map(note => (
        <p key={note}>Note: {note}</p>
      ))}
      {processes.length > 0 && (
        <details>
          <summary>What it ran on ({processes.length})</summary>
          {processes.map((facts, at) => (
            <Facts key={at} facts={factsOf(facts)} />
          ))}
        </details>
      )}
      {definition !== null && (
        <details>
          <summary>The experiment as it was run</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
          <pre tabIndex={0}>{definitionText(definition as unknown as JsonObject)}</pre>
        </details>
      )}
    </>
  )
}

/** Long lists of plain values go on one line: five hundred seeds need no five hundred lines. */
const definitionText = (definition: JsonObject): string =>
  JSON.stringify(definition, null, 2).replace(/\[[^[\]{}]*\]/g, list => list.replace(/\s*\n\s*/g, ' '))

const factsOf = (facts: JsonObject): readonly Fact[] =>
  Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
