import type { Comparison } from '../../../analyze/compare/comparison.ts'
import { writingOf } from '../../../analyze/numbers.ts'
import { counted, plural, unitWord } from '../../../analyze/words.ts'
import { shellQuote } from '../../../targets/command/shell-quote.ts'
import type { Dataset, ExperimentFacts } from '../../dataset/dataset.ts'

/** What would be worth running now. */
export function nextStepsOf({ experiments }: Dataset, about: Comparison | null): readonly string[] {
  return [
    ...experiments.flatMap(({ standing, config }) => {
      const run = `assay run${config === null ? '' : ` ${config}`}`
      const { pending = 0, running = 0, failed = 0, timed_out = 0, infra_error = 0 } = standing?.states ?? {}
      const lost = failed + timed_out + infra_error
      return [
        // While it is under way, what is missing comes by itself.
        ...(running > 0
          ? [`${counted(pending + running, 'run')} of the plan ${pending + running === 1 ? 'is' : 'are'} still to come`]
          : pending > 0
            ? [`${counted(pending, 'run')} of the plan ${pending === 1 ? 'is' : 'are'} missing: ${run}`]
            : []),
        ...(lost > 0
          ? [`${counted(lost, 'run')} failed: ${run} --retry-failed tries ${lost === 1 ? 'it' : 'them'} again`]
          : []),
      ]
    }),
    ...experiments.flatMap(winnersWorth),
    ...moreUnits(about),
  ]
}

/** The best of many is flattered by chance: only fresh seeds say what it is worth. */
function winnersWorth({ search, standing, place }: ExperimentFacts): readonly string[] {
  if (search === null || search.metric === null || (standing?.states.completed ?? 0) === 0) return []
  const file = shellQuote(`${place.split('/').at(-1)}-best.yaml`)
  return [
    `what the best variant is worth, fresh seeds say: assay sweep best ${shellQuote(place)} --write ${file}, then assay run ${file}`,
  ]
}

/** The width of an interval falls with the square root of their number. */
function moreUnits(about: Comparison | null): readonly string[] {
  if (about === null || about.verdict !== 'inconclusive') return []
  const { detectable, estimate, n, unit } = about
  if (detectable === null || estimate === null || estimate === 0) return []
  const units = n.pairs ?? Math.min(n.control, n.candidate)
  const needed = Math.ceil(units * (detectable.difference / Math.abs(estimate)) ** 2)
  if (needed <= units || needed > 100_000) return []
  const { spoken } = writingOf(about)
  return [
    `if the difference really is ${spoken(Math.abs(estimate))}, about ${needed} ${plural(unitWord(unit))} would show it four times out of five (there are ${units}); assay power says more`,
  ]
}
