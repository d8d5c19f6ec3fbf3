import type { Problem } from '../define/target.ts'
import type { ModelCall } from '../models/model-call.ts'
import { idleSettings, type ModelLookup } from '../models/model-facts.ts'

type Settings = Pick<
  ModelCall,
  'temperature' | 'top_p' | 'max_output_tokens' | 'reasoning' | 'stop' | 'schema' | 'seed'
>

/** How many combinations of a model's settings are tried: further ones only differ in irrelevant ways. */
const tried = 200

/** The settings that an experiment uses for its models, to find those that vary without any effect. */
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

  /** Factors without an effect, whose levels would be compared as if they differed. An idle setting that does not vary is reported with the call. */
  async problems(lookup: ModelLookup): Promise<readonly Problem[]> {
    const found = await Promise.all(
      [...this.#byModel].map(([model, all]) => idleFactors(model, [...all.values()], lookup)),
    )
    return found.flat()
  }
}

async function idleFactors(model: string, all: readonly Settings[], lookup: ModelLookup): Promise<readonly Problem[]> {
  if (all.length < 2) return []
  const calls = all.map(settings => ({ ...settings, model, messages: [], purpose: 'answer' }) as const)
  const idle = await idleSettings(calls, lookup)
  const levels = new Map<string, Set<unknown>>()
  for (const [index, settings] of all.entries())
    for (const name of idle[index] ?? [])
      levels.set(name, (levels.get(name) ?? new Set()).add(settings[name as keyof Settings]))
  return [...levels]
    .filter(([, values]) => values.size > 1)
    .map(([name, values]) => ({
      path: ['factors', name],
      message: `"${name}" varies (${[...values].join(', ')}), but has no effect with ${model} and its settings`,
      hint: 'vary something else for this model, or turn its reasoning off',
    }))
}
