import type { Model } from '../../../../src/targets/sched-sim/model/model-schema.ts'
import { parseParams, settingsOf } from '../../../../src/targets/sched-sim/params.ts'
import type { SimSettings } from '../../../../src/targets/sched-sim/settings.ts'
import type { JsonObject } from '../../../../src/util/json.ts'

const here = { folder: process.cwd(), cwd: process.cwd() }

/** Settings with these parameters, model routing on, and parts of the model replaced. */
export function settingsWith(params: JsonObject = {}, parts: Partial<Model> = {}): SimSettings {
  const settings = settingsOf(parseParams({ enable_model_routing: true, ...params }), here)
  return { ...settings, model: { ...settings.model, ...parts } }
}
