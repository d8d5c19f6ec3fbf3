import type { Tool, ToolCall } from '../../../models/model-call.ts'
import type { JsonObject } from '../../../util/json.ts'

export const bashTool: Tool = {
  name: 'bash',
  description:
    'Runs a command in a shell and returns what it prints and how it ended. The working directory and exported variables stay from one command to the next. Nobody answers questions of programs: standard input is empty.',
  parameters: {
    type: 'object',
    properties: { command: { type: 'string', description: 'The command, of one or more lines.' } },
    required: ['command'],
    additionalProperties: false,
  },
}

export const submitTool: Tool = {
  name: 'submit',
  description: 'Ends your work and hands in the files as they are now. Call it once, when the task is done.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
}

export const agentTools: readonly Tool[] = [bashTool, submitTool]

/** The action that a tool call requests. */
export type Action =
  | { readonly kind: 'bash'; readonly command: string }
  | { readonly kind: 'submit' }
  /** The message to the model, so that it can correct itself. */
  | { readonly kind: 'unusable'; readonly why: string }

export function actionOf({ name, arguments: given }: Pick<ToolCall, 'name' | 'arguments'>): Action {
  if (name === submitTool.name) return { kind: 'submit' }
  if (name !== bashTool.name) return unusable(`There is no tool "${name}". The tools are bash and submit.`)
  const { command } = given
  if (typeof command === 'string' && command.trim() !== '') return { kind: 'bash', command }
  return unusable(`${problemOf(given)} Call it with {"command": "ls -la"}.`)
}

const unusable = (why: string): Action => ({ kind: 'unusable', why })

function problemOf(given: JsonObject): string {
  // The model layer stores invalid JSON under this name.
  if (typeof given.malformed === 'string') return `The arguments of bash are no JSON: ${brief(given.malformed)}.`
  if (given.command === undefined) return `bash needs an argument "command", and got ${brief(JSON.stringify(given))}.`
  if (given.command === '') return 'The command is empty.'
  return `"command" must be text, and is ${brief(JSON.stringify(given.command))}.`
}

const brief = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 199)}…`)
