import type { Message } from '../../../models/model-call.ts'
import type { Trajectory } from '../../../models/trajectory/trajectory.ts'
import type { Reviewer } from './reviewer-schema.ts'

/** An attempt as a reviewer sees it. */
export interface Reviewed {
  readonly exitStatus: string
  readonly diff: string
  readonly trajectory: Trajectory
}

export function scoreQuestion(
  instruction: string,
  attempt: Reviewed,
  [low, high]: Reviewer['range'],
): readonly Message[] {
  return [
    {
      role: 'system',
      content: `You review the work of a software engineer. You see the task, what was done, and the changes. Judge whether the changes do the whole task and break nothing else; say in a few sentences what is right and what is wrong. Then write a number from ${low} (nothing is done) to ${high} (surely right) alone on the last line.`,
    },
    { role: 'user', content: `${tag('TASK', instruction)}\n\n${attemptText(attempt)}` },
  ]
}

export function choiceQuestion(instruction: string, attempts: readonly Reviewed[]): readonly Message[] {
  const all = attempts.map((attempt, at) => tag(`ATTEMPT ${at + 1}`, tag('CHANGES', changes(attempt))))
  return [
    {
      role: 'system',
      content: `You choose among several attempts at the same task. Compare their changes; say in a few sentences which of them does the whole task and breaks nothing else. Then write its number, from 1 to ${attempts.length}, alone on the last line.`,
    },
    { role: 'user', content: [tag('TASK', instruction), ...all].join('\n\n') },
  ]
}

const attemptText = (attempt: Reviewed): string =>
  [
    tag('COMMANDS', ends(commands(attempt.trajectory), mostCommands)),
    tag('CHANGES', changes(attempt)),
    `The work ended as: ${attempt.exitStatus}`,
  ].join('\n\n')

const changes = ({ diff }: Reviewed): string => (diff.trim() === '' ? '(none)' : ends(diff, mostChanges))

/** The commands and their results, each shortened. */
const commands = ({ history }: Trajectory): string =>
  history
    .flatMap(message => {
      if (message.role === 'assistant')
        return (message.tool_calls ?? []).map(call => `$ ${String(call.arguments.command ?? call.name)}`)
      return message.role === 'tool' ? [ends(String(message.content), mostOutput)] : []
    })
    .join('\n')

const mostCommands = 40_000
const mostChanges = 40_000
const mostOutput = 1000

/** Its beginning and its end. */
function ends(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  return `${text.slice(0, half).toWellFormed()}\n[…]\n${text.slice(-half).toWellFormed()}`
}

const tag = (name: string, text: string): string => `<${name}>\n${text.trim()}\n</${name}>`
