import { AssayError } from '../../../util/errors.ts'
import { canonicalJson, type Json, type JsonObject } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { fillTemplate, parseTemplate, placeholdersIn } from '../../command/template.ts'
import type { AgentCommand } from './agent-schema.ts'
import { builtInAgents, knownAgents } from './known-agents.ts'

/** An agent by its name, as the experiment and this version of assay know it. */
export type Agent =
  | { readonly kind: (typeof builtInAgents)[number]; readonly name: string }
  | {
      readonly kind: 'command'
      readonly name: string
      readonly command: AgentCommand
      readonly install: string | null
      readonly isDirect: boolean
    }

export function agentNamed(name: string, own: Readonly<Record<string, AgentCommand>>): Agent {
  const written = own[name]
  if (written !== undefined) return { kind: 'command', name, command: written, install: null, isDirect: false }
  const builtIn = builtInAgents.find(one => one === name)
  if (builtIn !== undefined) return { kind: builtIn, name }
  const known = knownAgents[name]
  if (known !== undefined) {
    const { install, isDirect = false, ...command } = known
    return { kind: 'command', name, command, install, isDirect }
  }
  const names = [...builtInAgents, ...Object.keys(knownAgents), ...Object.keys(own)]
  throw new AssayError('config', `there is no agent "${name}"; known: ${names.join(', ')}`, {
    hint: didYouMean(name, names) ?? 'Describe a program of your own under target.agents.',
  })
}

/** The inputs of an agent's command. */
export interface AgentInputs {
  readonly instruction: string
  /** Inside the box, as everything here. */
  readonly instructionFile: string
  readonly workdir: string
  readonly home: string
  readonly model: string | null
  /** The model proxy's address, without `/v1`. */
  readonly baseUrl: string
  /** The run's parameters: its levels may be used in the command too. */
  readonly params: JsonObject
}

/** How the program is started. */
export interface AgentStart {
  readonly argv: readonly string[]
  readonly stdin: string | null
  readonly env: Readonly<Record<string, string>>
}

export function startOf({ command, instruction: delivery, env = {} }: AgentCommand, inputs: AgentInputs): AgentStart {
  const { instruction, instructionFile, workdir, home, model, baseUrl, params } = inputs
  const values: JsonObject = {
    ...params,
    ...{ instruction, workdir, home, model, base_url: baseUrl, instruction_file: instructionFile },
  }
  const fill = (text: string): string => fillTemplate(parseTemplate(text), name => wordOf(values[name] ?? ''))
  const used = command.flatMap(placeholdersIn)
  const isWritten = used.includes('instruction') || used.includes('instruction_file')
  const how = delivery ?? (isWritten ? 'file' : 'stdin')
  const argv = command.map(fill)
  return {
    argv: how === 'argument' && !isWritten ? [...argv, instruction] : argv,
    stdin: how === 'stdin' ? instruction : null,
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
  }
}

const wordOf = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value))

/** The placeholders besides the parameters of a run. */
export const agentPlaceholders = ['instruction', 'instruction_file', 'workdir', 'home', 'model', 'base_url'] as const
