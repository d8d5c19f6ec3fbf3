import { AssayError } from '../../util/errors.ts'
import { grouped } from '../../util/words.ts'
import { arrivalTimes } from './model/arrivals.ts'
import { formulaProblems } from './model/check-formulas.ts'
import type { SimSettings } from './settings.ts'
import { graphSize } from './simulate/graph/graph-size.ts'

/** Memory for the nodes of one iteration. */
const mostNodes = 1_000_000

/** Problems that only model and sizes together show: nothing to do, too much of it, failing formulas, too few arrivals. */
export function checkedSettings(settings: SimSettings): SimSettings {
  checkSize(settings)
  checkFormulas(settings)
  const { model, workflows, seed } = settings
  if (typeof model.arrivals === 'object' && 'trace' in model.arrivals) arrivalTimes(model.arrivals, workflows, seed)
  return settings
}

function checkSize({ model, pdfs, subqueries }: SimSettings): void {
  const { nodes, waits } = graphSize(model, { pdfs, subqueries })
  const sizes = `pdfs ${pdfs} and subqueries ${subqueries}`
  if (nodes === 0) throw new AssayError('config', `with ${sizes} a workflow has nothing to do`)
  if (nodes + waits <= mostNodes) return
  const count = grouped(String(nodes + waits))
  throw new AssayError('config', `with ${sizes} one iteration has ${count} nodes and links between them`, {
    hint: `it may have ${grouped(String(mostNodes))}`,
  })
}

/** In the first iterations and the last one: formulas usually depend on whether it is the first. */
function checkFormulas({ model, pdfs, subqueries, iters }: SimSettings): void {
  for (const iteration of new Set([0, Math.min(1, iters - 1), iters - 1])) {
    const [problem] = formulaProblems(model, { pdfs, subqueries, iteration })
    if (problem === undefined) continue
    const where = `with pdfs ${pdfs}, subqueries ${subqueries}, iteration ${iteration}`
    throw new AssayError('config', `${problem.path.join('.')}: ${problem.message} (${where})`)
  }
}
