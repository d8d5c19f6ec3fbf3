import type { Json, JsonObject } from '../../../util/json.ts'
import type { TestCase } from '../spec.ts'

/**
 * A variable that is a list of texts means several cases, one for each combination, as in promptfoo. Lists of numbers
 * and of maps are values. `usual`: variables of all cases, whose lists count too.
 */
export function expandLists({ options = {}, ...one }: TestCase, usual: JsonObject): readonly TestCase[] {
  const { disableVarExpansion, ...others } = options
  const plain = { ...one, ...(Object.keys(others).length > 0 && { options: others }) }
  if (disableVarExpansion === true) return [plain]
  const { vars = {} } = one
  const lists = Object.entries({ ...usual, ...vars }).flatMap(([name, value]) =>
    isListOfTexts(value) ? [{ name, values: value }] : [],
  )
  if (lists.length === 0) return [plain]
  const name = one.id ?? one.description
  return combinations(lists).map(chosen => ({
    ...plain,
    ...(name !== undefined && { id: [name, ...Object.values(chosen)].join(' ') }),
    vars: { ...vars, ...chosen },
  }))
}

/** What promptfoo takes for several values. */
export const isListOfTexts = (value: Json): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')

function combinations(lists: readonly { readonly name: string; readonly values: readonly string[] }[]): readonly {
  readonly [name: string]: string
}[] {
  return lists.reduce<readonly { readonly [name: string]: string }[]>(
    (all, { name, values }) => all.flatMap(chosen => values.map(value => ({ ...chosen, [name]: value }))),
    [{}],
  )
}
