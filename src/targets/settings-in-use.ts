import type { Problem } from '../define/target.ts'
import { idleSettings } from '../models/calls/call-bound.ts'
import { findRoute, type RouteParts } from '../models/find-route.ts'
import type { ModelCall } from '../models/model-call.ts'
import { ModelError } from '../models/model-error.ts'

type Settings = Pick<
  ModelCall,
  'temperature' | 'top_p' | 'max_output_tokens' | 'reasoning' | 'stop' | 'schema' | 'seed'
>

/** What is tried of all the settings that a model is asked with: more differ only in what does not matter here. */
const tried = 200

/** The settings that an experiment asks its models with, to find those that vary without any effect. */
export class SettingsInUse {
  readonly #byModel = new Map<string, Map<string, Settings>>()

  add(model: string, { seed: _, schema: __, ...settings }: Settings): void {
    const known = this.#byModel.get(model) ?? new Map<string, Settings>()
    this.#byModel.set(model, known)
    const { temperature, top_p, max_output_tokens, reasoning } = settings
    // There may be a million runs, of which all but a few are asked in the same way.
    const key = `${temperature} ${top_p} ${max_output_tokens} ${reasoning}`
    if (known.size < tried && !known.has(key)) known.set(key, settings)
  }

  /** Levels that all mean the same would be compared as if they differed. What does not vary is told when it is sent. */
  async problems(parts: RouteParts): Promise<readonly Problem[]> {
    const found = await Promise.all(
      [...this.#byModel].map(([model, all]) => idleFactors(model, [...all.values()], parts)),
    )
    return found.flat()
  }
}

async function idleFactors(model: string, all: readonly Settings[], parts: RouteParts): Promise<readonly Problem[]> {
  if (all.length < 2) return []
  const route = await findRoute(model, parts).catch((error: unknown) => {
    // Another problem tells of it.
    if (error instanceof ModelError) return null
    throw error
  })
  if (route === null) return []
  const levels = new Map<string, Set<unknown>>()
  for (const settings of all) {
    const idle = await idleSettings({ ...settings, model, messages: [], purpose: 'answer' }, route)
    for (const name of idle) levels.set(name, (levels.get(name) ?? new Set()).add(settings[name as keyof Settings]))
  }
  return [...levels]
    .filter(([, values]) => values.size > 1)
    .map(([name, values]) => ({
      path: ['factors', name],
      message: `"${name}" varies (${[...values].join(', ')}), but has no effect with ${model} and its settings`,
      hint: 'vary something else for this model, or turn its reasoning off',
    }))
}
