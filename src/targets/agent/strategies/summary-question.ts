import { type Message, wordsIn } from '../../../models/model-call.ts'
import type { History, TurnPlace } from './strategy.ts'

/**
 * The prompt of a summariser. The first summary is made from the task; a later one from the previous summary, which
 * contains the task. Sections as in the paper's main experiments.
 */
export function summaryQuestion(history: History, { from, to }: TurnPlace, maxReasoning: number): readonly Message[] {
  const turns = history.turns
    .slice(from, to)
    .map((turn, at) => tagged('TURN', at, turnText(turn, history, maxReasoning)))
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: [context(history), ...turns, finalWords].join('\n\n') },
  ]
}

const instructions = `You keep the memory of an agent that works on a task in a shell. You get a part of its history, which it will no longer see. Write a summary that replaces that part.

Write only the sections that the task needs, each with its name in front:

USER_CONTEXT: the task, its requirements and what the user made clear, in short
COMPLETED: what is done, with short results
PENDING: what is still to be done
CURRENT_STATE: values, data structures and other facts about the present state

For work on code also:

CODE_STATE: paths of files, signatures of functions, data structures
TESTS: failing tests, messages of errors, outputs
CHANGES: edits of code and values that were changed
DEPS: dependencies, imports, calls from outside
VERSION_CONTROL_STATUS: branch, commits, state of the repository

Keep apart what is done and what is not. Keep exact names, paths, numbers and messages. Leave out what no later step needs. A task that is not about code gets sections of its own kind.

Example:

USER_CONTEXT: parse_date() must accept ISO weeks
COMPLETED: found the parser in lib/dates.py, wrote a failing test
PENDING: accept "2024-W07" in parse_date(), run all tests
CODE_STATE: parse_date(text: str) -> date in lib/dates.py, line 40
TESTS: tests/test_dates.py::test_iso_week fails: ValueError: no such format
CHANGES: tests/test_dates.py has test_iso_week`

const finalWords =
  'Now write the summary of these turns. Take in what the text before them says, as far as it still matters.'

function context({ messages, opening, summaries }: History): string {
  const last = summaries.at(-1)
  if (last !== undefined) return block('PREVIOUS_CHECKPOINT', last.text)
  const task = messages.slice(0, opening).findLast(({ role }) => role === 'user')
  return block('PROBLEM_STATEMENT', task === undefined ? '' : wordsIn(task.content))
}

const block = (name: string, text: string): string => `<${name}>\n${text}\n</${name}>`
const tagged = (name: string, at: number, text: string): string => `<${name} ${at}>\n${text}\n</${name} ${at}>`

function turnText({ from, to }: TurnPlace, { messages }: History, maxReasoning: number): string {
  return messages
    .slice(from, to)
    .flatMap(message => {
      const words = limited(wordsIn(message.content), maxReasoning)
      const said = words === '' ? [] : [`${message.role.toUpperCase()}: ${words}`]
      return message.role === 'assistant' ? [...said, ...actionsOf(message).map(action => `ACTION: ${action}`)] : said
    })
    .join('\n')
}

/** The commands of some turns, one a line. */
export function listOfActions({ turns, messages }: History, { from, to }: TurnPlace, maxWords: number): string {
  const actions = turns
    .slice(from, to)
    .flatMap(turn => messages.slice(turn.from, turn.to).flatMap(actionsOf))
    .map((action, at) => `${at + 1}. ${limited(action, maxWords)}`)
  return block('ACTIONS', actions.join('\n'))
}

/** The action of an answer: the command of a shell unchanged, any other call with its arguments. */
function actionsOf(message: Message): readonly string[] {
  if (message.role !== 'assistant') return []
  return (message.tool_calls ?? []).map(({ name, arguments: given }) =>
    typeof given.command === 'string' ? given.command : `${name} ${JSON.stringify(given)}`,
  )
}

/** Words are separated by single spaces, as in the program of the paper. -1: all of them. */
function limited(text: string, most: number): string {
  if (most < 0) return text
  const words = text.split(' ')
  return words.length <= most ? text : words.slice(0, most).join(' ')
}
