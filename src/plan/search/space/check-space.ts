import { AssayError } from '../../../util/errors.ts'
import { seededRandom } from '../../../util/random.ts'
import type { PlanPart } from '../../plan-part.ts'
import { randomPoint } from './point.ts'
import { spaceOf } from './space.ts'

/** How many draws are tried before a space counts as empty. */
const draws = 20_000

/** Refuses a space in which nothing is allowed. */
export function checkSpace(experiment: PlanPart): void {
  const space = spaceOf(experiment)
  if (space.listed !== null) return
  const random = seededRandom(1)
  for (let draw = 0; draw < draws; draw++) if (randomPoint(space, random) !== null) return
  throw new AssayError('config', `none of ${draws} variants drawn at random satisfies constraints and exclude`, {
    hint: 'Relax one of them, or narrow the ranges of the factors.',
    facts: { path: experiment.constraints.length > 0 ? ['constraints'] : ['exclude'] },
  })
}
