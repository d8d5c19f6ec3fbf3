import { type Assertion, assertTypes } from '../asserts/assert-schema.ts'

/**
 * What a cell of a column `__expected` holds an answer to, as promptfoo writes it: `contains: Paris`, `not-regex: \d`,
 * `llm-rubric: is polite`, `is-json`; anything else is the answer itself.
 */
export function expectedOf(cell: string): Assertion {
  const [, not = '', name = '', colon = '', rest = ''] = /^(not-)?([a-z-]+)(:?)\s*([\s\S]*)$/.exec(cell.trim()) ?? []
  const known = assertTypes.find(type => type === (name === 'grade' ? 'llm-rubric' : name))
  if (known === 'is-json' && rest === '') return { type: `${not === '' ? '' : 'not-'}is-json` }
  if (known === undefined || colon === '') return { type: 'equals', value: cell }
  const type = not === '' ? known : (`not-${known}` as const)
  const value = /^i?contains-(all|any)$/.test(known) ? rest.split(',').map(part => part.trim()) : rest
  if (known === 'cost' || known === 'latency') return { type, threshold: Number(rest) }
  return { type, value }
}
