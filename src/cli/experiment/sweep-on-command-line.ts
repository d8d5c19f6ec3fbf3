import { AssayError } from '../../util/errors.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import { longFlag } from '../../util/words.ts'
import type { OptionName, Options } from '../options.ts'

/** Options that are parameters of a variant, or say which instances it meets; `--hp-obs-n` is the parameter `hp-obs-n`. */
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
  'hpObsN',
  'hpSumN',
  'hpSumKeepM',
  'hpSumStaticCheckpoint',
  'hpSumExtractActions',
  'hpSumMaxActionLength',
  'hpSumMaxReasoningLength',
  'hpSumOmitTurns',
  'wandb',
  'weave',
  'execution',
] as const satisfies readonly OptionName[]

/** Accepted beside a file too: they change nothing. */
const accepted: readonly OptionName[] = ['wandb', 'weave', 'execution']

/**
 * `--model` and `--strategy` without a file: a sweep of one variant over its instances, as if a file said so; null: they
 * are not given.
 */
export function sweepOnCommandLine(options: Options, named: string | undefined): JsonObject | null {
  const given = parameters.filter(name => options[name] !== undefined)
  if (given.every(name => accepted.includes(name))) return null
  if (named !== undefined)
    throw new AssayError(
      'usage',
      `${longFlag(given[0] ?? 'model')} is for a call without a configuration file: ${named} says it itself`,
      {
        hint: 'Change what a file says with --set.',
      },
    )
  const missing = (['model', 'strategy'] as const).find(name => options[name] === undefined)
  if (missing !== undefined)
    throw new AssayError('usage', `${longFlag(missing)} is missing`, {
      hint: 'assay run --model deepseek-chat --strategy observation_masking --instances tasks/',
    })
  const written = given.map((name): [string, Json] => [parameterOf(name), { value: options[name] ?? null }])
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

/** As the program names its runs: `deepseek-chat__hyb_glm-4.6_o=10_s=21_k=10__mini`. */
export function runName(options: Options): string {
  const { model = '', strategy = '', summarizerModel = 'same', hpObsN, hpSumN, hpSumKeepM } = options
  const { instancesSubset = 'verified', instancesSlice = '' } = options
  const short = { raw: 'raw', observation_masking: 'obs', llm_summary: 'sum', hybrid: 'hyb' }[strategy] ?? strategy
  const isHybrid = strategy === 'hybrid'
  const isSummary = isHybrid || strategy === 'llm_summary'
  const part = (letter: string, number: number | undefined) => (number === undefined ? [] : [`${letter}=${number}`])
  const settings = [
    ...(isSummary ? [(summarizerModel === 'same' ? model : summarizerModel).replace('bedrock-', '')] : []),
    ...(strategy === 'observation_masking' ? part('n', hpObsN) : []),
    ...(isHybrid ? part('o', hpObsN) : []),
    ...(isSummary ? [...part(isHybrid ? 's' : 'n', hpSumN), ...part('k', hpSumKeepM)] : []),
  ]
  const subset = { verified: 'v', 'verified-mini': 'mini', lite: 'lite' }[instancesSubset]
  const parts = [model, [short, ...settings].join('_'), `${subset}${instancesSlice.replaceAll(':', '')}`]
  return parts.join('__').replaceAll(/[/ ]/g, '_')
}

/** Words to find the experiment by: those of the user, and what the program tags its runs with. */
export function sweepTags(options: Options): readonly string[] {
  const { wandbProject, wandbEntity, wandbGroup, wandbTags = [] } = options
  const named = { project: wandbProject, entity: wandbEntity, group: wandbGroup }
  return [
    ...wandbTags,
    ...Object.entries(named).flatMap(([kind, name]) => (name === undefined ? [] : [`${kind}:${name}`])),
  ]
}
