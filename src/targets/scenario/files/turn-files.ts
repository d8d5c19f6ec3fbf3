import { sha256 } from '../../../util/hash.ts'
import { shortened } from '../../../util/words.ts'
import { nameOf } from '../prompts/history.ts'
import { bullets, lineEnd, quoted } from '../prompts/quoted.ts'
import type { Scenario } from '../scenario.ts'
import { numbered, type PlayedTurns, type TurnRecord } from '../state/state.ts'

export interface TurnFile {
  readonly name: string
  readonly text: string
}

/**
 * The files of one turn for people, under Scenario Lab's names. Actors' words are quoted as in prompts: a heading or an
 * open code fence in them can't make them look like another actor's. The narrator's words are not quoted; anything that
 * they leave open is closed before the next heading.
 */
export function filesOfTurn(record: TurnRecord, scenario: Scenario): readonly TurnFile[] {
  const { turn } = record
  const hasReport = record.checks.length > 0 && scenario.checks?.turn_reports === true
  return named(turn, [
    { name: 'world-state', text: worldText(record, scenario) },
    ...record.decisions.map(decision => ({
      name: `actor-${decision.actor}`,
      text: actorText(decision, turn, scenario),
    })),
    ...talkFiles(record, scenario),
    ...coalitionFiles(record, scenario),
    ...(hasReport ? [{ name: 'validation', text: checksText(record, scenario) }] : []),
  ])
}

/**
 * With the number of the turn. Many members make a name too long for a file, and hyphens in names may make two names
 * equal.
 */
function named(turn: number, files: readonly TurnFile[]): readonly TurnFile[] {
  const seen = new Map<string, number>()
  return files.map(({ name, text }) => {
    const short =
      Buffer.byteLength(name) <= longest ? name : `${shortened(name, longest - 13)}-${sha256(name).slice(0, 12)}`
    const times = (seen.get(short) ?? 0) + 1
    seen.set(short, times)
    return { name: `${times === 1 ? short : `${short}-${times}`}-${numbered(turn)}.md`, text }
  })
}

/** File systems allow 255 bytes, and numbers and drafts are appended. */
const longest = 200

/** `world-state-000.md`: the state before the first turn. */
export const initialFile = ({ initial_world_state }: PlayedTurns, scenario: Scenario): TurnFile => ({
  name: 'world-state-000.md',
  text: page(`World State - Turn 0`, scenario, [['Current Situation', initial_world_state]]),
})

function page(title: string, { name, turn_duration }: Scenario, parts: readonly (readonly [string, string])[]): string {
  const head = `# ${title}\n\n**Scenario:** ${name}\n**Turn Duration:** ${turn_duration}\n`
  const body = parts
    .filter(([, text]) => text.trim() !== '')
    .map(([heading, text]) => `\n---\n\n## ${heading}\n\n${closed(text.trim())}\n`)
  return `${head}${body.join('')}`
}

/** With a code fence or a comment that is open at its end closed: all that follows would belong to it. */
function closed(text: string): string {
  let open: string | null = null
  for (const line of text.split(lineEnd)) {
    const [, fence = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (fence === '') continue
    if (open === null) open = fence.startsWith('`') && rest.includes('`') ? null : fence
    else if (fence.startsWith(open) && rest.trim() === '') open = null
  }
  if (open !== null) return `${text}\n${open}`
  return text.lastIndexOf('<!--') > text.lastIndexOf('-->') ? `${text}\n-->` : text
}

function worldText({ turn, world, decisions, events }: TurnRecord, scenario: Scenario): string {
  return page(`World State - Turn ${turn}`, scenario, [
    ['Events', events.map(({ name, text }) => `- **${name}**: ${text}`).join('\n')],
    ['Current Situation', world.state],
    ['Key Changes', world.key_changes],
    ['Consequences', world.consequences],
    ['Actions Taken This Turn', decisions.map(({ actor, action }) => saidBy(actor, action, scenario)).join('\n\n')],
  ])
}

const actorText = (decision: TurnRecord['decisions'][number], turn: number, scenario: Scenario): string =>
  page(`${nameOf(decision.actor, scenario)} - Turn ${turn}`, scenario, [
    [
      'Current Goals',
      [labelled('Long-term', decision.long_term_goals), labelled('Short-term', decision.short_term_goals)]
        .join('\n\n')
        .trim(),
    ],
    ['Reasoning', quotedIfAny(decision.reasoning)],
    ['Action', quotedIfAny(decision.action)],
  ])

const labelled = (label: string, text: string): string => (text === '' ? '' : `**${label}:**\n\n${quoted(text)}`)

const quotedIfAny = (text: string): string => (text.trim() === '' ? '' : quoted(text))

const saidBy = (actor: string, text: string, scenario: Scenario): string =>
  `### ${nameOf(actor, scenario)}\n\n${quotedIfAny(text)}`

/** All talks of the same two actors are in one file. */
function talkFiles({ turn, talks }: TurnRecord, scenario: Scenario): readonly TurnFile[] {
  const pairs = Map.groupBy(talks, ({ from, to }) => [from, to].toSorted().join('\n'))
  return [...pairs].map(([pair, all]) => ({
    name: `bilateral-${pair.replace('\n', '-')}`,
    text: page(`Bilateral Communication - Turn ${turn}`, scenario, [
      [
        'Messages',
        all
          .flatMap(({ from, to, message, answer }) => [saidBy(from, message, scenario), saidBy(to, answer, scenario)])
          .join('\n\n'),
      ],
    ]),
  }))
}

function coalitionFiles({ turn, coalitions }: TurnRecord, scenario: Scenario): readonly TurnFile[] {
  return coalitions.map(({ members, purpose, proposer, answers, is_formed, messages }) => ({
    name: `coalition-${members.toSorted().join('-')}`,
    text: page(`Coalition - Turn ${turn}`, scenario, [
      [
        'Purpose',
        `${quotedIfAny(purpose)}\n\nProposed by ${nameOf(proposer, scenario)}; ${is_formed ? 'formed' : 'not formed'}.`,
      ],
      [
        'Answers',
        bullets(
          answers.map(
            one =>
              `${nameOf(one.actor, scenario)}: ${one.accepts ? 'yes' : 'no'}${one.reason === '' ? '' : ` (${one.reason})`}`,
          ),
        ),
      ],
      ['Messages', messages.map(one => saidBy(one.actor, one.text, scenario)).join('\n\n')],
    ]),
  }))
}

const checksText = ({ turn, checks }: TurnRecord, scenario: Scenario): string =>
  page(`Validation - Turn ${turn}`, scenario, [['Results', checks.map(one => checkText(one, scenario)).join('\n\n')]])

export function checkText(
  { check, actor, passed, severity, issues, explanation }: TurnRecord['checks'][number],
  scenario: Scenario,
): string {
  const verdict = passed === null ? 'could not be read' : passed ? 'passed' : `failed (${severity})`
  const about = actor === null ? '' : `, ${nameOf(actor, scenario)}`
  return [`### ${check}${about}: ${verdict}`, ...issues.map(issue => `- ${issue}`), explanation]
    .filter(line => line !== '')
    .join('\n')
}

/** `validation-summary.md`; null: there is nothing to sum up. */
export function summaryFile({ turns }: PlayedTurns, scenario: Scenario): TurnFile | null {
  const all = turns.flatMap(({ turn, checks }) => checks.map(one => ({ turn, one })))
  if (all.length === 0 || scenario.checks?.summary_report !== true) return null
  const failed = all.filter(({ one }) => one.passed === false)
  const unread = all.filter(({ one }) => one.passed === null)
  return {
    name: 'validation-summary.md',
    text: page('Validation Summary', scenario, [
      ['Totals', `- Checks: ${all.length}\n- Failed: ${failed.length}\n- Could not be read: ${unread.length}`],
      ['Failed', failed.map(({ turn, one }) => `${checkText(one, scenario)}\n\n(turn ${turn})`).join('\n\n')],
    ]),
  }
}
