import type { Run } from '../../define/run.ts'
import type { Json } from '../../util/json.ts'
import type { PlanPart } from '../plan-part.ts'
import { slugOf } from './slug.ts'

type Named = Pick<Run, 'params' | 'block' | 'ablation' | 'replicate' | 'seed'>

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
  return template.replaceAll(placeholder, (_, key: string) => slugOf(own[key] ?? 'none'))
}

/** What a template may name besides parameters and blocks. */
export const templateWords = ['name', 'seed', 'replicate', 'ablation'] as const

export const placeholdersOf = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, key = '']) => key)

const placeholder = /\{([^{}]*)\}/g
