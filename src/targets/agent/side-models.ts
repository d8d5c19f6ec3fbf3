import type { JsonObject } from '../../util/json.ts'
import { type AgentSettings, settingsOf } from './settings.ts'

/** The models that an agent with these settings calls besides its own. */
export function sideModels(written: AgentSettings, params: JsonObject): readonly string[] {
  const { strategy = 'raw', summarizer_model = 'same', reviewer } = settingsOf(written, params)
  const summarises = strategy !== 'raw' && strategy !== 'observation_masking'
  const named = [...(summarises ? [summarizer_model] : []), ...(reviewer === undefined ? [] : [reviewer.model])]
  return named.filter(name => name !== 'same')
}
