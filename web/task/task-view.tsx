import type { TaskAgent, TaskSandbox, TaskWork, TextPart } from '../../src/report/dataset/dataset.ts'
import { counted, dollars, percentText, plainNumber } from '../../src/util/words.ts'
import { type Fact, Facts } from '../parts/facts.tsx'
import { bytesText } from '../runs/output-view.tsx'
import { DiffView } from './diff-view.tsx'
import { RubricsView } from './rubrics-view.tsx'
import { TestsView } from './tests-view.tsx'

/** An agent's work on a task: the score first, then its basis. */
export function TaskView({ work }: { readonly work: TaskWork }) {
  const { tests, rubrics, logs } = work
  return (
    <div class="task">
      <Score work={work} />
      <WorkFacts work={work} />
      {tests.total > 0 && <TestsView tests={tests} />}
      {rubrics.total > 0 && <RubricsView rubrics={rubrics} />}
      {work.diff !== null && (
        <>
          <h3>Changes</h3>
          <DiffView diff={work.diff} />
        </>
      )}
      {logs.length > 0 && <h3>Logs</h3>}
      {logs.map((log, at) => (
        <Log key={log.path} log={log} isOpen={at === 0 || (log.path === 'test_output.txt' && isUnexplained(work))} />
      ))}
    </div>
  )
}

/** Only the output of the tests says why. */
const isUnexplained = ({ passed, tests }: TaskWork): boolean => passed !== true && tests.total === 0

function Score({ work: { score, passed, problem } }: { readonly work: TaskWork }) {
  if (score === null)
    return (
      <p class="score" data-score="none">
        <span class="mark-none">Not scored</span> {problem ?? 'There is no score.'}
      </p>
    )
  return (
    <p class="score" data-score={passed === true ? 'passed' : 'failed'}>
      <span class="score-value">Score {percentText(score)}</span>{' '}
      <span class={passed === true ? 'mark-good' : 'mark-bad'}>{passed === true ? 'passed' : 'not passed'}</span>
    </p>
  )
}

function WorkFacts({ work: { agent, numbers, sandbox } }: { readonly work: TaskWork }) {
  const facts: readonly Fact[] = [
    ...(agent === null ? [] : agentFacts(agent)),
    ...Object.entries(numbers).map(([name, value]) => [name, plainNumber(value)] as const),
    ...(sandbox === null ? [] : sandboxFacts(sandbox)),
  ]
  return <Facts facts={facts} />
}

function agentFacts({ name, model, ended, exit_code, ...used }: TaskAgent): readonly (readonly [string, string])[] {
  const { wall_s, calls, tokens, tool_calls, cost_usd } = used
  const took = wall_s === null ? '' : ` after ${plainNumber(wall_s)} s`
  const code = exit_code === null ? '' : `, exit code ${exit_code}`
  const spent = [
    ...(calls === null ? [] : [counted(calls, 'call')]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
    ...(tool_calls === null ? [] : [counted(tool_calls, 'tool call')]),
    ...(cost_usd === null ? [] : [dollars(cost_usd)]),
  ]
  return [
    ['Agent', model === null ? name : `${name} with ${model}`],
    ['It ended', `${ended.replaceAll('_', ' ')}${took}${code}`],
    ...(calls === null || calls === 0 ? [] : [['It used', spent.join(', ')] as const]),
  ]
}

function sandboxFacts(sandbox: TaskSandbox): readonly (readonly [string, string])[] {
  const { backend, version, isolation, network, unenforced, provided, notes } = sandbox
  const network_ = network === 'none' ? 'no network' : network === 'task' ? 'network as the task allows' : network
  const parts = [
    `${backend} ${version}`.trim(),
    isolation === 'none' ? 'no isolation' : `isolated by ${isolation}`,
    network_,
    ...(unenforced.length === 0 ? [] : [`no limit of ${unenforced.join(', ')}`]),
  ]
  return [
    ['Sandbox', parts.join(', ')],
    ...provided.map(step => ['Provided', step] as const),
    ...notes.map(note => ['Sandbox note', note] as const),
  ]
}

function Log({ log: { path, text, bytes, left_bytes }, isOpen }: { readonly log: TextPart; readonly isOpen: boolean }) {
  return (
    <details class="test" open={isOpen}>
      <summary>
        {path}
        {left_bytes > 0 && `: the last ${bytesText(bytes - left_bytes)} of ${bytesText(bytes)}`}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </details>
  )
}
