import { dollars } from '../../../util/words.ts'
import { type Evaluation, rubricsOf, unscoredRubrics } from './results-file.ts'
import { passingScore } from './score.ts'

/** `scoring_results.md`: the score and its parts, for people. */
export function scoringPage(evaluation: Evaluation): string {
  const { task, run_id, agent } = evaluation
  return `${[
    `# ${task.title}`,
    [
      `Run: ${run_id}`,
      `Task: ${task.id}`,
      `Agent: ${agent.name}${agent.model === null ? '' : ` with ${agent.model}`}`,
    ].join('\n'),
    scoreSection(evaluation),
    rubricSection(evaluation),
    numberSection(evaluation),
    judgeSection(evaluation),
    testSection(evaluation),
    diffSection(evaluation),
    details('Instruction', task.steps.map(({ instruction }) => instruction).join('\n\n'), ''),
  ]
    .filter(section => section !== '')
    .join('\n\n')}\n`
}

function scoreSection({ score, problem }: Evaluation): string {
  if (score === null) return `## Not scored\n\n${problem ?? 'There is no score.'}`
  const filled = Math.round(Math.min(1, Math.max(0, score)) * 20)
  const mark = score >= passingScore ? '🏆' : score >= 0.8 ? '✅' : score >= 0.5 ? '⚠️' : '❌'
  return `## Score: ${percent(score)} ${mark}\n\n\`${'█'.repeat(filled)}${'░'.repeat(20 - filled)}\``
}

function rubricSection(evaluation: Evaluation): string {
  const rubrics = Object.entries(rubricsOf(evaluation))
  if (rubrics.length === 0) return ''
  const judged = new Map(evaluation.judgement?.rubrics.map(({ rubric_id, score }) => [rubric_id, score]))
  const rows = rubrics.map(([id, { criterion, weight, score, test_count, tests_passed }]) => {
    const tests = test_count === 0 ? '–' : `${tests_passed} of ${test_count}`
    const shown = judged.get(id) ?? score
    const status = shown === null ? 'N/A' : shown >= 1 ? 'PASS' : shown >= 0.5 ? 'PARTIAL' : 'FAIL'
    return `| ${id} | ${weight} | ${tests} | ${shown === null ? 'N/A' : percent(shown)} | ${status} | ${cell(criterion)} |`
  })
  const unscored = unscoredRubrics(evaluation)
  const note =
    unscored.length === 0
      ? ''
      : `\n\nNot in the score, since no test and no judge looked at them: ${unscored.join(', ')}.`
  return `## Rubrics\n\n| rubric | weight | tests | score | status | criterion |\n|---|---:|---:|---:|---|---|\n${rows.join('\n')}${note}`
}

function numberSection({ agent, rewards, custom, sandbox }: Evaluation): string {
  const rows = [
    ['time of the agent', `${agent.wall_s.toFixed(1)} s`],
    ['it ended', `${agent.ended}${agent.exit_code === null ? '' : ` (exit code ${agent.exit_code})`}`],
    ['calls of models', counted(agent.calls)],
    ['tokens', counted(agent.tokens_total)],
    ['tool calls', counted(agent.tool_calls)],
    ['cost', agent.cost_usd === null ? 'not known' : dollars(agent.cost_usd)],
    ['sandbox', String(sandbox.backend ?? '')],
    ...Object.entries({ ...rewards, ...custom }).map(([name, value]) => [name, String(value)]),
  ]
  return `## Numbers\n\n| | |\n|---|---:|\n${rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}`
}

function judgeSection({ judgement }: Evaluation): string {
  if (judgement === null) return ''
  const agreed =
    judgement.agreement === null ? '' : `; the judgements agree on ${percent(judgement.agreement)} of the rubrics`
  const parts = judgement.rubrics.map(
    ({ rubric_id, score, reasoning, spread }) =>
      `**${rubric_id}**: ${percent(score)}${spread > 0 ? ` (judgements differ by up to ${percent(spread)})` : ''}\n\n${cut(reasoning, 500)}`,
  )
  return `## Judges: ${percent(judgement.weighted_score)}${agreed}\n\n${parts.join('\n\n')}`
}

function testSection({ tests }: Evaluation): string {
  if (tests.length === 0) return ''
  const passed = tests.filter(test => test.passed).length
  const failures = tests
    .filter(test => !test.passed)
    .map(({ name, output }) => `- ${name}${output === null ? '' : `\n\n${block(lastLines(output, 10), '')}`}`)
  return [`## Tests: ${passed} of ${tests.length} passed`, ...failures].join('\n\n')
}

function diffSection({ diff }: Evaluation): string {
  if (diff === '') return 'The agent changed no files.'
  const lines = diff.split('\n')
  const added = lines.filter(line => /^\+(?!\+\+ )/.test(line)).length
  const removed = lines.filter(line => /^-(?!-- )/.test(line)).length
  return details(`Changes: +${added} −${removed}`, cut(diff, 50_000), 'diff')
}

const details = (summary: string, text: string, language: string): string =>
  `<details>\n<summary>${summary}</summary>\n\n${block(text, language)}\n\n</details>`

/** A fence longer than any in the text: a patch of a Markdown file contains fences. */
function block(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

const counted = (count: number | null): string => (count === null ? 'not known' : String(count))
const percent = (share: number): string => `${Number((100 * share).toFixed(1))}%`
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)
const lastLines = (text: string, most: number): string => text.trimEnd().split('\n').slice(-most).join('\n')
