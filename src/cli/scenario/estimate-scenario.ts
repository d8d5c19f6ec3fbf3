import { planRuns } from '../../plan/plan.ts'
import { dollars } from '../../util/words.ts'
import { chooseExperiment } from '../experiment/choose-experiment.ts'
import { rangeText } from '../experiment/plan-costs.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { shortDuration } from '../views/number.ts'
import { scenarioExperiment } from './scenario-experiment.ts'

/** The cost and duration of a run, for each variant. */
export async function estimateScenario(folder: string, options: Options, io: Io): Promise<number> {
  const chosen = chooseExperiment([], options, io, 'look', scenarioExperiment(folder, options, io))
  const { experiment, target, spec, plan } = chosen
  const varying = experiment.factors.filter(({ levels }) => levels.length > 1).map(({ name }) => name)
  const estimates = []
  const seen = new Set<string>()
  for (const run of planRuns(experiment, plan)) {
    const variant = varying.map(name => `${name}=${String(run.params[name])}`).join(', ')
    if (seen.has(variant)) continue
    seen.add(variant)
    const estimate = await target.estimate?.(spec, run, experiment)
    if (estimate !== undefined) estimates.push({ variant, ...estimate })
  }
  if (options.json) writeJson(io.stdout, { kind: 'estimate', scenario: folder, estimates })
  else
    writeLines(
      io.stdout,
      estimates.flatMap(
        ({ variant, usd, least_usd = usd, at_most_usd, calls = 0, seconds, own_seconds = 0, basis }) => [
          ...(variant === '' ? [] : [variant]),
          `up to ${calls} model calls a run, ${usd === null ? 'of unknown cost: a model has no price' : rangeText(least_usd, usd)}${at_most_usd === null ? '' : `, at most ${dollars(at_most_usd)} if every answer has its maximum length`}`,
          ...(seconds === undefined ? [] : [`about ${shortDuration((seconds + own_seconds) * 1000)}`]),
          ...(basis === undefined ? [] : [`based on ${basis}`]),
        ],
      ),
    )
  return 0
}
