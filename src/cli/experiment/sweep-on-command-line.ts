import { AssayError } from '../../util/errors.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import { longFlag } from '../../util/words.ts'
import type { OptionName, Options } from '../options.ts'
import { strategyOptionNames } from '../tables/options/agent-options.ts'

/** Options that are parameters of a variant, or select its instances; `--hp-obs-n` is the parameter `hp-obs-n`. */
const parameters = [
  'model',
  'strategy',
  'summarizerModel',
  'instancesSubset',
  'instancesSlice',
  'instancesFilter',
  'instancesShuffle',
  'instancesShuffleSeed',
  'callLimit',
  'costLimit',
  ...strategyOptionNames,
  'tracker',
  'weave',
  'execution',
] as const satisfies readonly OptionName[]

/** Also accepted with a file: they change nothing. */
const accepted: readonly OptionName[] = ['tracker', 'weave', 'execution']

/**
 * `--model` and `--strategy` without a file: a sweep of one variant over its instances, as if defined in a file; null:
 * they are not given.
 */
export function sweepOnCommandLine(options: Options, named: string | undefined): JsonObject | null {
  const given = parameters.filter(name => options[name] !== undefined)
  if (given.every(name => accepted.includes(name))) return null
  if (named !== undefined)
    throw new AssayError(
      'usage',
      `${longFlag(given[0] ?? 'model')} is for calls without a configuration file, and ${named} defines it`,
      {
        hint: 'To change settings of a file, use --set.',
      },
    )
  const missing = (['model', 'strategy'] as const).find(name => options[name] === undefined)
  if (missing !== undefined)
    throw new AssayError('usage', `${longFlag(missing)} is missing`, {
      hint: 'assay run --model deepseek-chat --strategy observation_masking --instances tasks/',
    })
  const written = given.map((name): [string, Json] => [parameterOf(name), levelsOf(options[name] ?? null)])
  return {
    program: 'scripts/run_sweep.py',
    name: runName(options),
    description: 'One variant of the built-in agent over instances.',
    method: 'grid',
    metric: { name: 'submission_rate', goal: 'maximize' },
    parameters: Object.fromEntries(written),
  }
}

const parameterOf = (name: OptionName): string => longFlag(name).slice(2)

/** Several values are several variants; models and strategies are separated by commas. */
function levelsOf(given: Json): JsonObject {
  const levels = typeof given === 'string' && /^[\w./-]+(,[\w./-]+)+$/.test(given) ? given.split(',') : [given].flat()
  return levels.length === 1 ? { value: levels[0] ?? null } : { values: levels }
}

/** The program's own form of run names: `deepseek-chat__hyb_glm-4.6_o=10_s=21_k=10__mini`. */
export function runName(options: Options): string {
  const { model = '', summarizerModel = 'same', hpObsN, hpSumN, hpSumKeepM } = options
  const { strategy = [], instancesSubset = 'verified', instancesSlice = '' } = options
  const short: { readonly [name: string]: string } = { observation_masking: 'obs', llm_summary: 'sum', hybrid: 'hyb' }
  const has = (...names: readonly string[]) => strategy.some(name => names.includes(name))
  const isSummary = has('hybrid', 'llm_summary')
  const part = (letter: string, levels: readonly Json[] | undefined) =>
    levels === undefined ? [] : [`${letter}=${levels.join('+')}`]
  const settings = [
    ...(isSummary ? [(summarizerModel === 'same' ? model : summarizerModel).replace('bedrock-', '')] : []),
    ...(has('observation_masking', 'hybrid') ? part(has('hybrid') ? 'o' : 'n', hpObsN) : []),
    ...(isSummary ? [...part(has('hybrid') ? 's' : 'n', hpSumN), ...part('k', hpSumKeepM)] : []),
  ]
  const subset = { verified: 'v', 'verified-mini': 'mini', lite: 'lite' }[instancesSubset]
  const how = [strategy.map(name => short[name] ?? name).join('+'), ...settings].join('_')
  return [model.replaceAll(',', '+'), how, `${subset}${instancesSlice.replaceAll(':', '')}`]
    .join('__')
    .replaceAll(/[/ ]/g, '_')
}

/** Words to find the experiment by: the user's tags, and those that the program gives its runs. */
export function sweepTags(options: Options): readonly string[] {
  const { project, entity, runGroup: group, tags = [] } = options
  const named = Object.entries({ project, entity, group })
  return [...tags, ...named.flatMap(([kind, name]) => (name === undefined ? [] : [`${kind}:${name}`]))]
}
