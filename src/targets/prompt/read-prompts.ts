import { basename, extname } from 'node:path'
import { resolvePath } from '../../define/files/paths.ts'
import { readSource } from '../../define/source/read-source.ts'
import { AssayError } from '../../util/errors.ts'
import { type Places, textIn } from './cases/read-cases.ts'
import { type PromptMessage, type PromptSpec, promptTurns } from './spec.ts'

type Prompts = { readonly [name: string]: readonly PromptMessage[] }

/** Every prompt by its name, as a conversation; a plain text is what the user says. `system` goes before those without one. */
export function readPrompts({ prompts, system }: Pick<PromptSpec, 'prompts' | 'system'>, places: Places): Prompts {
  const first = system === undefined ? [] : [{ role: 'system' as const, content: readText(system, places) }]
  const named = Array.isArray(prompts) ? prompts.map(namedPrompt) : Object.entries(prompts)
  const read: { [name: string]: readonly PromptMessage[] } = {}
  for (const [name, written] of named) {
    if (Object.hasOwn(read, name))
      throw new AssayError('config', `two prompts are called "${name}"; give one another label`)
    const turns = typeof written === 'string' ? fromText(written, places) : written
    read[name] = turns[0]?.role === 'system' ? turns : [...first, ...turns]
  }
  return read
}

type Listed = Extract<PromptSpec['prompts'], readonly unknown[]>[number]

/** By label, by the name of its file, or by its number. */
function namedPrompt(written: Listed, index: number): readonly [string, string | readonly PromptMessage[]] {
  const number = `prompt-${index + 1}`
  if (typeof written === 'string') return [fileName(written) ?? number, written]
  if (Array.isArray(written)) return [number, written]
  const { id, label, raw, messages } = written
  const text = messages ?? raw
  if (text === undefined) throw new AssayError('config', `prompts.${index}: expected "raw" (a text) or "messages"`)
  return [label ?? id ?? (raw === undefined ? number : (fileName(raw) ?? number)), text]
}

const fileName = (written: string): string | null =>
  written.startsWith(filePrefix) ? basename(written, extname(written)) : null

const filePrefix = 'file://'

/** A file of messages (.json, .yaml) is a conversation, any other one text. */
function fromText(written: string, places: Places): readonly PromptMessage[] {
  if (!written.startsWith(filePrefix) || !/\.(jsonc?|ya?ml)$/i.test(written))
    return [{ role: 'user', content: readText(written, places) }]
  const name = written.slice(filePrefix.length)
  const parsed = promptTurns.safeParse(readSource(resolvePath(name, places), places.cwd).value)
  if (parsed.success) return parsed.data
  throw new AssayError('config', `${name}: expected a list of messages: ${parsed.error.issues[0]?.message}`)
}

export function readText(written: string, places: Places): string {
  if (!written.startsWith(filePrefix)) return written
  const name = written.slice(filePrefix.length)
  return textIn(resolvePath(name, places), name).replace(/\n$/, '')
}
