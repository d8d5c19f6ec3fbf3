import type { SimPlace, SimRule, SimStep } from '../../define/models/model-settings.ts'
import { linearRegExp } from '../../util/linear-regexp.ts'
import type { Random } from '../../util/random.ts'
import { type Message, type Tool, wordsIn } from '../model-call.ts'
import { textOf } from '../prices/count-tokens.ts'

export interface FittingRule {
  readonly step: SimStep
  /** The groups of its expression: `1`, `2`, … and names. */
  readonly groups: { readonly [name: string]: string }
  /** Braces in it are just braces. */
  readonly is_literal?: boolean | undefined
}

/** The parts of a call that rules use. */
export interface AskedCall {
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[] | undefined
  readonly purpose: string
  readonly tries: number
}

/** The answer of the first rule that matches the conversation; null if none does. */
export function fittingRule(rules: readonly SimRule[], call: AskedCall, random: Random): FittingRule | null {
  for (const rule of rules) {
    const groups = groupsOf(rule, call)
    if (groups === null) continue
    const step = rule.script === undefined ? rule : rule.script[turnOf(call.messages) - 1]
    if (step === undefined) continue
    // Drawn only if it matters, so that a rule added above changes as few other answers as possible.
    if (rule.chance !== undefined && random.next() >= rule.chance) continue
    return { step, groups }
  }
  return null
}

/** null: the rule does not fit. */
function groupsOf(rule: SimRule, { messages, tools, purpose, tries }: AskedCall): FittingRule['groups'] | null {
  if (rule.purpose !== undefined && rule.purpose !== purpose) return null
  if (rule.turn !== undefined && rule.turn !== turnOf(messages)) return null
  if (rule.try !== undefined && rule.try !== tries) return null
  if (rule.offers !== undefined && !tools?.some(({ name }) => name === rule.offers)) return null
  if (rule.after !== undefined && !lastResults(messages).some(({ name }) => name === rule.after)) return null
  const text = searched(messages, rule.in ?? 'last')
  const lower = text.toLowerCase()
  if (rule.contains?.some(part => !lower.includes(part.toLowerCase()))) return null
  if (rule.matches === undefined) return {}
  const match = linearRegExp(fromTheStart(rule.matches), 'isu').exec(text)
  if (match === null) return null
  return { ...Object.fromEntries(match.map((found, index) => [String(index), found ?? ''])), ...match.groups }
}

/**
 * A pattern that begins with `.*` matches at the first letter or not at all; trying the other positions would be
 * useless.
 */
const fromTheStart = (pattern: string): string => (pattern.startsWith('.*') ? `^${pattern}` : pattern)

/** The number of the conversation's next answer. */
export const turnOf = (messages: readonly Message[]): number =>
  messages.filter(message => message.role === 'assistant').length + 1

type ToolMessage = Extract<Message, { readonly role: 'tool' }>

/** The results of the tools that the last answer called. */
export function lastResults(messages: readonly Message[]): readonly ToolMessage[] {
  const answer = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(answer + 1).filter(message => message.role === 'tool')
}

function searched(messages: readonly Message[], where: SimPlace): string {
  if (where === 'any') return messages.map(textOf).join('\n')
  if (where === 'last') return wordsIn(messages.at(-1)?.content ?? '')
  if (where === 'tool') return joined(lastResults(messages))
  const said = messages.filter(message => message.role === where)
  return where === 'user' ? wordsIn(said.at(-1)?.content ?? '') : joined(said)
}

/** The words of several messages. */
export const joined = (messages: readonly Message[]): string =>
  messages.map(({ content }) => wordsIn(content)).join('\n')
