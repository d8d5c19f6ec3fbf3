import type { SimRule } from '../../define/models/model-settings.ts'
import { linearRegExp } from '../../util/linear-regexp.ts'
import type { Random } from '../../util/random.ts'
import { wordsIn } from '../content.ts'
import type { Message } from '../model-call.ts'
import { textOf } from '../prices/count-tokens.ts'

export interface FittingRule {
  readonly rule: SimRule
  /** What its expression found: `1`, `2`, … and names. */
  readonly groups: { readonly [name: string]: string }
}

/** The first rule that fits the conversation; null where none does. */
export function fittingRule(
  rules: readonly SimRule[],
  call: { readonly messages: readonly Message[]; readonly purpose: string },
  random: Random,
): FittingRule | null {
  for (const rule of rules) {
    const groups = groupsOf(rule, call)
    if (groups === null) continue
    // Drawn only where it matters, so that a rule added above it changes no other answer more than it must.
    if (rule.chance !== undefined && random.next() >= rule.chance) continue
    return { rule, groups }
  }
  return null
}

/** null: the rule does not fit. */
function groupsOf(
  rule: SimRule,
  { messages, purpose }: { readonly messages: readonly Message[]; readonly purpose: string },
): FittingRule['groups'] | null {
  if (rule.purpose !== undefined && rule.purpose !== purpose) return null
  if (rule.turn !== undefined && rule.turn !== turnOf(messages)) return null
  const text = searched(messages, rule.in ?? 'last')
  const lower = text.toLowerCase()
  if (rule.contains?.some(part => !lower.includes(part.toLowerCase()))) return null
  if (rule.matches === undefined) return {}
  const match = linearRegExp(rule.matches, 'isu').exec(text)
  if (match === null) return null
  return { ...Object.fromEntries(match.map((found, index) => [String(index), found ?? ''])), ...match.groups }
}

/** The how-many-th answer of the conversation comes next. */
export const turnOf = (messages: readonly Message[]): number =>
  messages.filter(message => message.role === 'assistant').length + 1

function searched(messages: readonly Message[], where: NonNullable<SimRule['in']>): string {
  if (where === 'any') return messages.map(textOf).join('\n')
  if (where === 'last') return wordsIn(messages.at(-1)?.content ?? '')
  const said = messages.filter(message => message.role === where).map(message => wordsIn(message.content))
  return where === 'user' ? (said.at(-1) ?? '') : said.join('\n')
}
