import { AssayError } from '../../../util/errors.ts'
import { type Assertion, assertion } from '../asserts/assert-schema.ts'
import { type AssertType, assertTypes, insteadOf } from '../asserts/assert-types.ts'

/**
 * What a cell of a column `__expected` holds an answer to, as promptfoo writes it: `contains: Paris`, `not-regex: \d`,
 * `levenshtein(2): Paris`, `llm-rubric: is polite`, `is-json`; anything else is the answer itself.
 */
export function expectedOf(cell: string): Assertion {
  const written = cell.trim()
  if (/^(fn|eval|javascript|python):/.test(written) || /^file:\/\/.*\.(?:[cm]?[jt]s|py)(?::\w+)?$/.test(written))
    throw refused(`"${written}": code in a case file is not run`, 'write it as an assert of the target: javascript')
  const { isNot, name, threshold, rest } = partsOf(written)
  const known = assertTypes.find(type => type === name)
  if (known === undefined) {
    const instead = rest === null && threshold === null ? null : insteadOf(name)
    if (instead !== null) throw refused(`"${written}": ${instead}`)
    return { type: 'equals', value: cell }
  }
  if (rest === null && !withoutValue.includes(known)) return { type: 'equals', value: cell }
  const parsed = assertion.safeParse(plain(isNot ? `not-${known}` : known, known, rest ?? '', threshold))
  if (parsed.success) return parsed.data
  throw refused(`"${written}": ${parsed.error.issues[0]?.message ?? 'not an assert'}`)
}

const withoutValue: readonly AssertType[] = ['is-json', 'contains-json', 'is-valid-openai-tools-call']

/** `not-levenshtein(2): Paris`. Without a colon `rest` is null, without a number in brackets `threshold`. */
function partsOf(written: string) {
  const [, not = '', name = '', number, colon = '', rest = ''] =
    /^(not-)?([a-z][a-z0-9-]*)(?:\(\s*([\d.]+)\s*\))?(:?)\s*([\s\S]*)$/.exec(written) ?? []
  const isWhole = colon === '' && rest !== ''
  return {
    isNot: not !== '',
    name: isWhole ? '' : name === 'grade' ? 'llm-rubric' : name,
    threshold: number === undefined ? null : Number(number),
    rest: colon === '' ? null : rest,
  }
}

function plain(type: string, known: AssertType, rest: string, threshold: number | null): object {
  const limit = threshold === null ? {} : { threshold }
  if (known === 'cost' || known === 'latency') return { type, threshold: threshold ?? Number(rest) }
  if (/^i?contains-(all|any)$/.test(known)) return { type, value: rest.split(',').map(part => part.trim()), ...limit }
  return rest === '' && withoutValue.includes(known) ? { type, ...limit } : { type, value: rest, ...limit }
}

const refused = (message: string, hint?: string): AssayError =>
  new AssayError('config', message, hint === undefined ? {} : { hint })
