import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { strategySettings } from '../agent/strategies/registry.ts'

/** The base configuration of each strategy in the-complexity-trap. */
export const baseConfigs: { readonly [strategy: string]: string } = {
  raw: 'config/default_no_demo_raw.yaml',
  observation_masking: 'config/default_no_demo_N=1_M=10.yaml',
  llm_summary: 'config/default_no_demo_checkpoint_same_model_openhands_N=21_M=10.yaml',
  hybrid: 'config/default_no_demo_checkpoint_same_model_openhands_N=21_M=10_masking_M=10.yaml',
}

/** Which settings change which processor. */
const processors: { readonly [type: string]: readonly string[] } = {
  last_n_observations: ['hp_obs_n'],
  summarize_every_n_turns: strategySettings.llm_summary,
}

/** All of them. */
export const settingNames: readonly string[] = Object.values(processors).flat()

/**
 * Possible names of settings in a configuration. Only `n` is certain. The others are described in words in the fork's
 * documents, so they only count if the base configuration has such a key: a key that SWE-agent does not know would stop
 * it, or would have no effect.
 */
const names: { readonly [param: string]: readonly string[] } = {
  hp_sum_keep_m: ['keep_last_m_turns', 'keep_last_m', 'keep_last', 'keep_m', 'm'],
  hp_sum_static_checkpoint: ['static_checkpoint', 'static_checkpointing', 'static'],
  hp_sum_extract_actions: ['extract_actions'],
  hp_sum_max_action_length: ['max_action_length'],
  hp_sum_max_reasoning_length: ['max_reasoning_length'],
  hp_sum_omit_turns: ['omit_turns'],
}

/** The user's own names of keys, by setting. */
type Keys = Readonly<Record<string, string>>

/** A setting that a run has, and its key in a processor; null: the configuration has none that is known. */
interface Setting {
  readonly param: string
  readonly key: string | null
  readonly value: Json
}

function settingsIn(processor: JsonObject, params: JsonObject, keys: Keys): readonly Setting[] {
  return (processors[String(processor.type)] ?? []).flatMap((param): readonly Setting[] => {
    const value = params[param]
    if (value === undefined) return []
    const usual = names[param]?.find(one => Object.hasOwn(processor, one)) ?? null
    return [{ param, value, key: keys[param] ?? (names[param] === undefined ? 'n' : usual) }]
  })
}

const processorsIn = ({ agent }: JsonObject): readonly JsonObject[] =>
  isJsonObject(agent) && Array.isArray(agent.history_processors) ? agent.history_processors.filter(isJsonObject) : []

/** The settings of a run for which this configuration has no key. */
export const withoutKey = (base: JsonObject, params: JsonObject, keys: Keys): readonly string[] =>
  processorsIn(base).flatMap(processor =>
    settingsIn(processor, params, keys).flatMap(({ param, key }) => (key === null ? [param] : [])),
  )

/** The base configuration with the run's settings in its processors; null: none of them changes anything. */
export function generatedConfig(base: JsonObject, params: JsonObject, keys: Keys): JsonObject | null {
  const { agent } = base
  if (!isJsonObject(agent) || !Array.isArray(agent.history_processors)) return null
  let isChanged = false
  const changed = agent.history_processors.map((processor: Json): Json => {
    if (!isJsonObject(processor)) return processor
    const settings = settingsIn(processor, params, keys).flatMap(({ key, value }) =>
      key === null ? [] : [[key, value] as const],
    )
    isChanged ||= settings.length > 0
    return { ...processor, ...Object.fromEntries(settings) }
  })
  return isChanged ? { ...base, agent: { ...agent, history_processors: changed } } : null
}
