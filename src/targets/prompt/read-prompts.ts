import { existsSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { parse } from 'yaml'
import { resolvePath } from '../../define/read-files.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import type { Places } from './cases/read-cases.ts'
import { endingOf, filePrefix, isFile, matched, pathIn, readData, readText } from './read-files.ts'
import { type PromptMessage, type PromptSpec, promptTurns } from './spec.ts'

type Turns = readonly PromptMessage[]
type Prompts = { readonly [name: string]: Turns }
type Written = string | Turns

/**
 * Every prompt by its name, as a conversation; a plain text is the user's words. `system` precedes those without a
 * system message.
 */
export function readPrompts({ prompts, system }: Pick<PromptSpec, 'prompts' | 'system'>, places: Places): Prompts {
  const first = system === undefined ? [] : [{ role: 'system' as const, content: readText(system, places) }]
  const named = Array.isArray(prompts)
    ? prompts.flatMap((one, at) => listedPrompts(one, at, places))
    : Object.entries(prompts).map(entry => labelled(entry, places))
  const read: { [name: string]: Turns } = {}
  for (const [name, written] of named) {
    const each = typeof written === 'string' ? fromText(written, places) : [written]
    for (const [at, turns] of each.entries()) {
      const own = each.length === 1 ? name : `${name}-${at + 1}`
      if (Object.hasOwn(read, own))
        throw new AssayError('config', `two prompts are called "${own}"; give one another label`)
      read[own] = turns[0]?.role === 'system' ? turns : [...first, ...turns]
    }
  }
  return read
}

/**
 * `name: text` as in assay; `file: label` and `text: label` as in promptfoo, recognised by what looks like a file or a
 * template.
 */
function labelled([key, written]: readonly [string, Written], places: Places): readonly [string, Written] {
  if (typeof written !== 'string') return [key, written]
  const isTemplate = key.includes('{{')
  const path = asPath(key)
  const isPath = path !== null && (isFile(key) || existsSync(resolvePath(path.slice(filePrefix.length), places)))
  if (!isTemplate && !isPath) return [key, asPath(written) ?? written]
  if (/\{\{|\n/.test(written) || asPath(written) !== null)
    throw new AssayError('config', `prompts: is "${key}" a prompt, or the name of one?`, {
      hint: 'write prompts by name (short: "Capital of {{country}}?"), or as a list of { label, raw }',
    })
  return [written, path ?? key]
}

type Listed = Extract<PromptSpec['prompts'], readonly unknown[]>[number]

/** By label, by the name of its file, or by its number. */
function listedPrompts(written: Listed, index: number, places: Places): readonly (readonly [string, Written])[] {
  const number = `prompt-${index + 1}`
  if (typeof written === 'string')
    return matched(asPath(written) ?? written, places).map(one => [fileName(one) ?? number, one])
  if (Array.isArray(written)) return [[number, written]]
  const { id, label, raw, messages } = written
  const byId = id === undefined || raw !== undefined || messages !== undefined ? null : asPath(id)
  const text = messages ?? (raw === undefined ? byId : (asPath(raw) ?? raw))
  if (text === null) throw new AssayError('config', `prompts.${index}: expected "raw" (a text) or "messages"`)
  const file = typeof text === 'string' ? fileName(text) : null
  return [[label ?? (byId === null ? id : undefined) ?? file ?? number, text]]
}

/**
 * `prompts/polite.txt` without `file://` is a file too: as a question to a model it would make no sense. null: it is a
 * text.
 */
function asPath(written: string): string | null {
  if (isFile(written)) return written
  if (/^(exec|python|golang|langfuse|portkey|helicone):/.test(written))
    throw new AssayError('config', `${written}: prompts of programs and services are not read here`, {
      hint: 'save the text as a file: file://prompt.txt',
    })
  return /^[^\s{}]+\.(txt|md|jsonc?|jsonl|ya?ml|csv|j2|[cm]?[jt]s|py)(:\w+)?$/i.test(written)
    ? `${filePrefix}${written}`
    : null
}

const fileName = (written: string): string | null => (isFile(written) ? basename(written, extname(written)) : null)

/** A file of messages (.json, .yaml) is a conversation, any other a text; lines of --- in a .txt part several prompts. */
function fromText(written: string, places: Places): readonly Turns[] {
  if (!isFile(written)) return [turnsIn(written)]
  const path = pathIn(written)
  switch (endingOf(path)) {
    case '.csv':
    case '.jsonl':
      throw new AssayError('config', `${path}: prompts are not read from a table`, {
        hint: 'name a file for each prompt, or list them: prompts: { short: …, long: … }',
      })
    case '.json':
    case '.jsonc':
    case '.yaml':
    case '.yml':
      return [messagesOf(readData(written, places), path)]
    case '.txt': {
      const parts = readText(written, places).split(/^[ \t]*---[ \t]*\r?$\n?/m)
      return parts.length === 1
        ? parts.map(turnsIn)
        : parts
            .map(part => part.trim())
            .filter(Boolean)
            .map(turnsIn)
    }
    default:
      return [turnsIn(readText(written, places))]
  }
}

/** A text that is a list of messages in JSON or YAML is a conversation, as in promptfoo. */
function turnsIn(text: string): Turns {
  const isList = /^\s*(?:\[\s*\{\s*"role"|- role:)/.test(text)
  if (!isList) return [{ role: 'user', content: text }]
  let value: Json
  try {
    value = parse(text)
  } catch (error) {
    throw new AssayError('config', `a prompt looks like a list of messages and is none: ${messageOf(error)}`, {
      hint: 'write the messages under prompts: [{ role: user, content: … }], with {{variables}} in the contents',
    })
  }
  return messagesOf(value, 'a prompt')
}

function messagesOf(value: Json, name: string): Turns {
  const parsed = promptTurns.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw new AssayError('config', `${name}: expected a list of messages: ${place}${issue?.message}`)
}
