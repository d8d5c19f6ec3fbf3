import type { RouteParts } from '../names/find-route.ts'
import { modelFacts } from '../names/model-facts.ts'

export interface Unpriced {
  readonly name: string
  /** What to write under `models:` so that it has a price. */
  readonly line: string
}

/** Which of these models have no known price: under a budget nothing may start while there are any. */
export async function unpricedModels(names: readonly string[], parts: RouteParts): Promise<readonly Unpriced[]> {
  const facts = await Promise.all(names.map(name => modelFacts(name, parts)))
  return facts
    .filter(({ price, problem }) => price === null && problem?.fault !== 'unknown_model')
    .map(({ name }) => ({
      name,
      line: `${quoted(name)}: { price: { input: 0.50, output: 1.50 } }  # USD for a million tokens`,
    }))
}

/** As YAML wants a key with colons or other signs in it. */
const quoted = (name: string): string => (/^[\w./-]+$/.test(name) ? name : JSON.stringify(name))
