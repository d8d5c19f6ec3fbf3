import { AssayError } from '../../util/errors.ts'
import { enumerate } from './enumerate.ts'
import type { Grid } from './grids.ts'
import type { Requirement, Rules } from './rules.ts'

/** The error for a plan without variants: reports for each rule how many it removes on its own. */
export function nothingLeft(grids: readonly Grid[], rules: Rules): AssayError {
  const lines = rules.requirements.map(requirement => `\n  ${requirement.label}${removedBy(requirement, grids, rules)}`)
  const path = rules.requirements.some(({ label }) => label.startsWith('constraints')) ? ['constraints'] : ['exclude']
  return new AssayError('config', `no variant is left: constraints and exclude remove all of them${lines.join('')}`, {
    hint: 'Relax one of them, or add levels that satisfy them.',
    facts: { path },
  })
}

function removedBy(requirement: Requirement, grids: readonly Grid[], rules: Rules): string {
  const size = grids.reduce((sum, { axes }) => sum + axes.reduce((product, axis) => product * axis.size, 1), 0)
  // Counting tries all combinations; a message is not worth more than a second.
  if (size > 200_000) return ''
  const count = (requirements: readonly Requirement[]) =>
    grids.reduce(
      (sum, grid, index) => sum + enumerate(grid, { ...rules, requirements }, grids.slice(0, index)).count,
      0,
    )
  const all = count([])
  return ` (removes ${all - count([requirement])} of ${all})`
}
