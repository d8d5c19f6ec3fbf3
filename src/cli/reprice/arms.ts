import { cacheRuleFor, type RepriceArm } from '../../analyze/reprice/reprice.ts'
import type { PricedModel } from '../../models/model-facts.ts'
import { chooseStrategy, idleSettings } from '../../targets/agent/strategies/choose-strategy.ts'
import { AssayError } from '../../util/errors.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import { longFlag } from '../../util/words.ts'
import type { Options } from '../options.ts'
import { strategyOptionNames } from '../tables/options/agent-options.ts'

/** One arm for each strategy and each combination of its settings. The first is the baseline: raw if it is there. */
export function armsOf(
  options: Options,
  model: PricedModel,
  about: { readonly summaryTokens: number; readonly cwd: string; readonly summariser: PricedModel | null },
): readonly RepriceArm[] {
  const { strategy = ['raw', 'observation_masking', 'llm_summary', 'hybrid'], contextTokens } = options
  const names = strategy.includes('raw') ? ['raw', ...strategy.filter(name => name !== 'raw')] : strategy
  const variants = names.flatMap(name => settingsFor(name, options))
  return variants.map((params): RepriceArm => {
    const chosen = chooseStrategy(params, { folder: about.cwd, cwd: about.cwd })
    if (chosen.problems !== undefined)
      throw new AssayError('usage', chosen.problems.map(({ message }) => message).join('; '))
    const summariser = about.summariser ?? model
    return {
      label: labelOf(params),
      params: { ...params, model: model.name },
      strategy: chosen.strategy,
      cache: cacheRuleFor(options.cacheRule ?? 'auto', model.provider),
      cost: model.cost,
      summaryCost: summariser.cost,
      summaryTokens: about.summaryTokens,
      usesRecordedSummaries: options.summaryTokens === undefined,
      context: contextTokens ?? model.context,
    }
  })
}

/** Every combination of the settings that this strategy uses. */
function settingsFor(strategy: string, options: Options): readonly JsonObject[] {
  return strategyOptionNames.reduce<readonly JsonObject[]>(
    (variants, option) => {
      const name = longFlag(option).slice(2).replaceAll('-', '_')
      const levels: readonly Json[] = options[option] ?? []
      if (levels.length === 0 || idleSettings({ strategy, [name]: levels[0] ?? null }).length > 0) return variants
      return variants.flatMap(variant => levels.map(level => ({ ...variant, [name]: level })))
    },
    [{ strategy }],
  )
}

const labelOf = ({ strategy, ...own }: JsonObject): string =>
  [String(strategy), ...Object.entries(own).map(([name, level]) => `${name.replace('hp_', '')}=${level}`)].join(' ')
