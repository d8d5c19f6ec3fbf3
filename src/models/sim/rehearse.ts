import type { ModelSettings } from '../../define/models/model-settings.ts'
import { settingOf } from '../names/settings-of.ts'
import type { Route } from '../route.ts'

/**
 * The same model, answered by a simulated one: limits, prices, provider and rates stay those of the real one. `tokens`
 * and `rules` of its own settings define the answers, else a model `sim/rehearsal`, else they are arbitrary.
 */
export function rehearsed(route: Route, settings: ModelSettings): Route {
  if (route.kind === 'sim') return { ...route, is_rehearsal: true }
  const { tokens, rules, agent, plans, failures, latency } = settingOf('sim/rehearsal', settings) ?? {}
  return {
    ...route,
    kind: 'sim',
    address: null,
    key: null,
    setting: { tokens, rules, agent, plans, failures, latency, ...defined(route.setting) },
    is_rehearsal: true,
  }
}

const defined = (setting: Route['setting']): Route['setting'] =>
  Object.fromEntries(Object.entries(setting).filter(([, value]) => value !== undefined))
