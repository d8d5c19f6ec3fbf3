import type { ModelSetting } from '../../../../src/define/models/model-settings.ts'
import type { Message, ToolCall } from '../../../../src/models/model-call.ts'
import type { SimCall } from '../../../../src/models/sim/sim-call.ts'
import { simulate } from '../../../../src/models/sim/simulate.ts'

const tools = ['bash', 'submit'].map(name => ({ name, description: '', parameters: {} }))

export const asked = (messages: readonly Message[], more: Partial<SimCall> = {}): SimCall => ({
  ...{ model: 'sim/a', messages, tools, purpose: 'agent', max_output_tokens: 4000, seed: 1, tries: 1 },
  ...more,
})

export interface Turn {
  readonly text: string
  readonly command: string
  readonly output: string
}

export interface Driven {
  readonly turns: readonly Turn[]
  readonly messages: readonly Message[]
  readonly has_submitted: boolean
}

export interface DriveOptions {
  readonly instruction?: string
  readonly seed?: number
  /** The output of a command. */
  shell(command: string): string
  /** The part of the history shown to the model. */
  readonly shown?: ((history: readonly Message[]) => readonly Message[]) | undefined
  readonly most?: number
}

/** A loop like that of assay's agent, around a shell that the test makes up. */
export function drive(setting: ModelSetting, options: DriveOptions): Driven {
  const { instruction = 'Fix the lamp.', seed = 1, shell, shown = all => all, most = 60 } = options
  const history: Message[] = [
    { role: 'system', content: 'You have a shell.' },
    { role: 'user', content: instruction },
  ]
  const turns: Turn[] = []
  while (turns.length < most) {
    const { text, tool_calls } = simulate(asked(shown(history), { seed }), setting)
    const [tool] = tool_calls
    history.push({ role: 'assistant', content: text, tool_calls })
    if (tool === undefined || tool.name === 'submit')
      return { turns, messages: history, has_submitted: tool !== undefined }
    const command = commandOf(tool)
    const output = shell(command)
    turns.push({ text, command, output })
    history.push({ role: 'tool', tool_call_id: tool.id, name: tool.name, content: output })
  }
  return { turns, messages: history, has_submitted: false }
}

const commandOf = ({ arguments: given }: ToolCall): string => String(given.command)

/** As observation masking does it: only the newest results are shown. */
export const masked =
  (kept: number) =>
  (history: readonly Message[]): readonly Message[] => {
    const results = history.flatMap(({ role }, at) => (role === 'tool' ? [at] : []))
    const hidden = new Set(results.slice(0, Math.max(0, results.length - kept)))
    return history.map((message, at) => (hidden.has(at) ? { ...message, content: '(1 line omitted)' } : message))
  }
