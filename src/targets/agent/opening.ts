import type { Message } from '../../models/model-call.ts'
import { fillTemplate, parseTemplate } from '../command/template.ts'
import { blockProtocol } from './loop/fenced.ts'
import type { AgentSettings } from './settings.ts'

/** The agent's prompt before its first turn. */
export function openingOf(
  { system_template = defaultSystem, instance_template = defaultInstance }: AgentSettings,
  about: { readonly instruction: string; readonly workdir: string; readonly hasTools: boolean },
): readonly Message[] {
  const values: { readonly [name: string]: string } = {
    instruction: about.instruction.trim(),
    workdir: about.workdir,
    tools: about.hasTools ? toolProtocol : blockProtocol,
  }
  const fill = (template: string): string => fillTemplate(parseTemplate(template), name => values[name] ?? `{${name}}`)
  return [
    { role: 'system', content: fill(system_template) },
    { role: 'user', content: fill(instance_template) },
  ]
}

export const openingPlaceholders = ['instruction', 'workdir', 'tools'] as const

const toolProtocol =
  'You work through two tools. bash runs a command and shows you what it prints. submit ends your work. Every answer must call a tool.'

const defaultSystem = `You are a software engineer who works alone in the shell of a computer. Nobody reads what you write besides your commands, and nobody answers questions: decide for yourself, and go on.

{tools}

The working directory and exported variables stay from one command to the next. Commands that wait for input or never end are stopped. Long output is cut in the middle.

Look before you change anything. Make the smallest change that does the whole task. Check your work by running it before you submit.`

const defaultInstance = `The task:

{instruction}

You are in {workdir}. Only the files that you leave count. When they are as they should be, submit.`
