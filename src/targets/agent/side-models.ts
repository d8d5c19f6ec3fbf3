import type { JsonObject } from '../../util/json.ts'
import { type AgentSettings, settingsOf } from './settings.ts'

/** The models that an agent with these settings calls besides its own. */
export function sideModels(written: AgentSettings, params: JsonObject): readonly string[] {
  const { strategy = 'raw', summarizer_model: summarizer = 'same' } = settingsOf(written, params)
  const isAsked = strategy !== 'raw' && strategy !== 'observation_masking'
  return isAsked && summarizer !== 'same' ? [summarizer] : []
}
