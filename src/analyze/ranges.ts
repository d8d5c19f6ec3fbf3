import type { Evidence } from '../define/observation.ts'
import { AssayError } from '../util/errors.ts'
import { listed } from '../util/words.ts'

/**
 * Factors whose values a search drew from ranges: nearly every variant has its own value, so there are no levels to
 * compare.
 */
export const rangesOf = ({ search }: Evidence): readonly string[] => search?.ranges ?? []

/** The limits of a comparison of runs that a search selected. */
export function searchWarnings({ search }: Evidence, compared: readonly string[]): readonly string[] {
  if (search === undefined) return []
  const others = search.ranges.filter(name => !compared.includes(name))
  const differ = others.length === 1 ? 'differs' : 'differ'
  const drawn = others.length === 0 ? [] : [`${listed(others)} ${differ} from variant to variant, as a search drew it`]
  return search.learns
    ? [
        'a search chose these variants, more of them where results were good: averages over them are not those of the whole space',
        ...drawn,
      ]
    : drawn
}

/** If only ranges vary. */
export function noLevels({ search, sources }: Evidence): AssayError {
  const [first] = search?.ranges ?? []
  return new AssayError(
    'usage',
    `${listed(search?.ranges ?? [])} took another value in nearly every variant: there are no levels to compare`,
    {
      hint: `assay sweep best ${sources[0]?.path ?? '<id>'} names the best variant and says how much each factor matters; two values can be named: --control ${first}=… --candidate ${first}=…`,
    },
  )
}
