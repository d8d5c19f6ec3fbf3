import { valueOrNull } from '../../../stats/estimate.ts'
import { counted, listed, plainNumber, plural, unitWord } from '../../../util/words.ts'
import type { Method } from '../../choices.ts'
import type { Samples } from '../../samples.ts'
import type { GroupCrossing } from '../../units/crossing.ts'
import type { Comparison, Design } from '../comparison.ts'
import { meanOfCrossing, meansOfGroups } from '../infer/crossed.ts'

/** The design that was assumed. */
export function designOf(samples: Samples): Comparison['design'] {
  const { crossed = [], crossedGroups = [], nested = [], unit, keys, candidateKeys = keys } = samples
  if (crossedGroups.length > 0) {
    const found = crossedGroups.map(crossing => groupsFound(crossing, samples))
    return { crossed: found, nested, text: textOf(found, nested, groupsText(keys, candidateKeys, unit)) }
  }
  if (crossed.length + nested.length === 0) return null
  const found = crossed.map(crossing => {
    const mean = valueOrNull(meanOfCrossing(crossing, samples))
    return {
      block: crossing.block,
      levels: crossing.levels,
      sd: mean?.columnSd ?? null,
      sd_at_most: mean?.mostColumnSd ?? null,
      p: mean?.columnP ?? null,
    }
  })
  return { crossed: found, nested, text: textOf(found, nested, counted(keys.length, unitWord(unit))) }
}

/** Of two arms, the one whose levels shift more. */
function groupsFound(crossing: GroupCrossing, samples: Samples): Design['crossed'][number] {
  const means = meansOfGroups(crossing, samples)
  const most = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values))
  return {
    block: crossing.block,
    levels: Math.max(crossing.control.levels, crossing.candidate.levels),
    sd: most(means.map(({ columnSd }) => columnSd)),
    sd_at_most: most(means.map(({ mostColumnSd }) => mostColumnSd)),
    p: means.length === 0 ? null : Math.min(...means.map(({ columnP }) => columnP)),
  }
}

const groupsText = (control: readonly string[], candidate: readonly string[], unit: string): string =>
  `${candidate.length} against ${counted(control.length, unitWord(unit))}`

function textOf(crossed: Design['crossed'], nested: readonly string[], units: string): string {
  return [
    ...crossed.map(({ block, levels, sd }) => {
      const word = unitWord(block)
      const shift = sd === null ? '' : ` (sd of a ${word}'s shift: ${plainNumber(sd)})`
      return `${units} crossed with ${counted(levels, word)}, both random${shift}`
    }),
    ...(nested.length === 0 ? [] : [`${listed(nested.map(unitWord))} within each of ${units}, averaged`]),
  ].join('; ')
}

const aware: readonly Method[] = ['t', 'studentized', 'wider']

/** Reports if the data can't show whether the levels of a block have a common effect, and if a method ignores it. */
export function designWarnings(samples: Samples, method: Method, statistic: string | null): readonly string[] {
  const { unit, keys, candidateKeys = keys, crossedGroups = [], recurring = [] } = samples
  if (recurring.length > 0)
    return recurring.map(
      ({ block, levels }) =>
        `the same ${counted(levels, unitWord(block))} come back in ${counted(keys.length, unitWord(unit))}, and ${statistic} takes no account of it: where a ${unitWord(block)} shifts all its ${plural(unitWord(unit))}, a difference is claimed too easily`,
    )
  const count = crossedGroups.length > 0 ? Math.max(keys.length, candidateKeys.length) : keys.length
  return (designOf(samples)?.crossed ?? []).flatMap(({ block, levels, sd_at_most, p }) => {
    const [own, other] = [unitWord(unit), unitWord(block)]
    const what = `the same ${counted(levels, other)} come back in ${counted(count, own)}${crossedGroups.length > 0 ? ' of an arm' : ''}`
    if (!aware.includes(method) && samples.across === undefined)
      return [`${what}, and the method ${method} takes no account of it: leave --method out, or take t`]
    if (p !== null && p <= 0.05) return []
    const limit = sd_at_most === null ? '' : ` (sd of such a shift: at most ${plainNumber(sd_at_most)})`
    return [
      `${what}: each ${other} is taken to shift all its ${plural(own)}, which the data neither show nor rule out${limit}. If ${other} only numbers repetitions, --pair-by ${unit} says so, and finds smaller differences`,
    ]
  })
}

/** `50 tasks × 5 seeds`: the blocks that runs are paired on. */
export const crossedText = (design: Design | null): string =>
  (design?.crossed ?? []).map(({ block, levels }) => ` × ${counted(levels, unitWord(block))}`).join('')
