import type { Run } from '../../define/run.ts'
import type { Json } from '../../util/json.ts'
import { slugOf } from '../../util/words.ts'
import type { PlanPart } from '../plan-part.ts'

type Named = Pick<Run, 'params' | 'block' | 'ablation' | 'replicate' | 'seed' | 'numbers'>

/** The name that `naming: "{name}.{architecture}.seed{seed}"` gives a run; a parameter that does not apply is `none`. */
export function templateName(template: string, run: Named, { name }: Pick<PlanPart, 'name'>): string {
  const own: { readonly [name: string]: Json } = {
    name,
    seed: run.seed,
    replicate: run.replicate,
    ablation: run.ablation ?? 'none',
    ...run.block,
    ...run.params,
  }
  return template.replaceAll(placeholder, (_, key: string) => numberIn(key, run) ?? slugOf(own[key] ?? 'none'))
}

/** `{variant:3}` is the number of the variant, `{run:3}` that of the run within it, with at least so many digits. */
function numberIn(key: string, { numbers }: Named): string | null {
  const [, what, width] = numberKey.exec(key) ?? []
  if (what !== 'variant' && what !== 'run') return null
  return String(numbers?.[what] ?? 0).padStart(Number(width), '0')
}

const numberKey = /^(variant|run):([1-9])$/

export const isNumber = (key: string): boolean => numberKey.test(key)

/** Whether names depend on the place in the plan: the journal assigns them. */
export const isNumbered = (template: string): boolean => placeholdersOf(template).some(isNumber)

/** What a template may name besides parameters and blocks. */
export const templateWords = ['name', 'seed', 'replicate', 'ablation'] as const

export const placeholdersOf = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, key = '']) => key)

const placeholder = /\{([^{}]*)\}/g
