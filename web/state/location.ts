import type { View } from '../../src/report/findings/view.ts'
import { isJsonObject, type Json } from '../../src/util/json.ts'

/** The content of the address bar: the view, and the open run. So every view has a link. */
export interface Place {
  readonly view: View
  /** The run that is open. */
  readonly run: string | null
  /** Two runs, or two variants, side by side. */
  readonly pair: Pair | null
}

export interface Pair {
  readonly kind: 'runs' | 'variants'
  readonly a: string
  readonly b: string
}

/** `#/?metric=…&alpha=0.01`: only differences from the defaults. */
export function placeOf(hash: string, defaults: View): Place {
  const given = new URLSearchParams(/^#\/\?(.*)$/s.exec(hash)?.[1] ?? '')
  const alpha = Number(given.get('alpha') ?? defaults.alpha)
  return {
    view: {
      metric: given.get('metric') ?? defaults.metric,
      group: given.has('group') ? given.getAll('group').filter(name => name !== '') : defaults.group,
      baseline: baselineIn(given.get('baseline')) ?? defaults.baseline,
      alpha: alpha > 0 && alpha < 1 ? alpha : defaults.alpha,
      filter: given.get('filter') ?? defaults.filter,
      cost: given.get('cost') ?? defaults.cost,
    },
    run: given.get('run'),
    pair: pairIn(given),
  }
}

export function hashOf({ view, run, pair }: Place, defaults: View): string {
  const params = new URLSearchParams()
  const add = (name: string, value: string, usual: string) => value !== usual && params.set(name, value)
  add('metric', view.metric, defaults.metric)
  if (JSON.stringify(view.group) !== JSON.stringify(defaults.group))
    for (const name of view.group.length === 0 ? [''] : view.group) params.append('group', name)
  add('baseline', JSON.stringify(view.baseline), JSON.stringify(defaults.baseline))
  add('alpha', String(view.alpha), String(defaults.alpha))
  add('filter', view.filter, defaults.filter)
  add('cost', view.cost, defaults.cost)
  if (run !== null) params.set('run', run)
  if (pair !== null) {
    params.set(pair.kind, pair.a)
    params.append(pair.kind, pair.b)
  }
  const text = params.toString()
  return text === '' ? '' : `#/?${text}`
}

function baselineIn(text: string | null): View['baseline'] | null {
  try {
    const value = text === null ? null : (JSON.parse(text) as Json)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

function pairIn(given: URLSearchParams): Pair | null {
  for (const kind of ['runs', 'variants'] as const) {
    const [a, b] = given.getAll(kind)
    if (a !== undefined && b !== undefined) return { kind, a, b }
  }
  return null
}
