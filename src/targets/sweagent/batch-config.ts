import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'

/** The base configuration of each strategy in the-complexity-trap. */
export const baseConfigs: { readonly [strategy: string]: string } = {
  raw: 'config/default_no_demo_raw.yaml',
  observation_masking: 'config/default_no_demo_N=1_M=10.yaml',
  llm_summary: 'config/default_no_demo_checkpoint_same_model_openhands_N=21_M=10.yaml',
  hybrid: 'config/default_no_demo_checkpoint_same_model_openhands_N=21_M=10_masking_M=10.yaml',
}

/** Which settings change which processor, and what they may be called there; the first name where there is none yet. */
const processors: { readonly [type: string]: { readonly [param: string]: readonly string[] } } = {
  last_n_observations: { hp_obs_n: ['n'] },
  summarize_every_n_turns: {
    hp_sum_n: ['n'],
    hp_sum_keep_m: ['keep_last_m', 'keep_m', 'm'],
    hp_sum_static_checkpoint: ['static_checkpoint', 'static_checkpointing'],
    hp_sum_extract_actions: ['extract_actions'],
    hp_sum_max_action_length: ['max_action_length'],
    hp_sum_max_reasoning_length: ['max_reasoning_length'],
    hp_sum_omit_turns: ['omit_turns'],
  },
}

/** The base configuration with the run's settings in its processors; null: none of them changes anything. */
export function generatedConfig(base: JsonObject, params: JsonObject): JsonObject | null {
  const { agent } = base
  if (!isJsonObject(agent) || !Array.isArray(agent.history_processors)) return null
  let isChanged = false
  const changed = agent.history_processors.map((processor: Json): Json => {
    if (!isJsonObject(processor)) return processor
    const settings = Object.entries(processors[String(processor.type)] ?? {}).flatMap(([param, names]) => {
      const value = params[param]
      const name = names.find(one => Object.hasOwn(processor, one)) ?? names[0]
      return value === undefined || name === undefined ? [] : [[name, value] as const]
    })
    isChanged ||= settings.length > 0
    return { ...processor, ...Object.fromEntries(settings) }
  })
  return isChanged ? { ...base, agent: { ...agent, history_processors: changed } } : null
}
