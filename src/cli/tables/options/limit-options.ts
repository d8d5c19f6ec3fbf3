import { type GivenLimits, type LimitField, type LimitOption, limitFields, limitTable } from '../../../define/limits.ts'
import { flag, list, type OptionSpec, value } from './option.ts'

type Table = typeof limitTable

/** The field of the table whose option has this name. */
type FieldOf<Name> = {
  [Field in LimitField]: Table[Field]['option'] extends { readonly name: Name } ? Field : never
}[LimitField]

type LimitOptionName = NonNullable<Table[LimitField]['option']>['name']

type Given<Field extends LimitField> = ReturnType<Table[Field]['kind']['read']>

/** The options generated from the table of limits. */
type LimitOptions = {
  readonly [Name in LimitOptionName]: OptionSpec<
    FieldOf<Name> extends 'rate' ? readonly Given<'rate'>[] : Given<FieldOf<Name>>
  >
}

// Each option parses what its own row says, as the type states; fromEntries loses that.
export const limitOptions = Object.fromEntries(
  limitFields.flatMap(field => {
    const { option, kind } = limitTable[field]
    return option === null ? [] : [[option.name, optionSpec(field, option, kind.read)] as const]
  }),
) as LimitOptions

/**
 * The options of `assay run` generated from the table: `plan` takes jobs too, and workers count their own first
 * failures.
 */
export const runLimitNames = limitFields.flatMap(field => {
  const { option } = limitTable[field]
  return option === null || option.name === 'jobs' || option.name === 'initialFailures' ? [] : option.name
})

function optionSpec(field: LimitField, option: LimitOption, parse: (text: string) => unknown): OptionSpec {
  const { name: _, value: shown, about: description, group = 'Limits', ...row } = option
  if (shown === undefined) return flag({ group, description, ...row })
  // Each provider is named on its own.
  const make = field === 'rate' ? list : value
  return make({ group, description, ...row, value: shown, parse })
}

/** The limits given on a command line, which override those of the experiment. */
export function givenLimits(
  options: {
    readonly [Name in LimitOptionName]?: ReturnType<LimitOptions[Name]['read']>
  },
): GivenLimits {
  const given = limitFields.flatMap(field => {
    const { option } = limitTable[field]
    const read = option === null ? undefined : options[option.name]
    if (read === undefined) return []
    return [[field, Array.isArray(read) ? Object.assign({}, ...read) : read] as const]
  })
  return Object.fromEntries(given)
}
