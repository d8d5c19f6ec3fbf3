import type { Naming } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Json } from '../../util/json.ts'
import { slugOf } from '../../util/words.ts'
import type { PlanPart } from '../plan-part.ts'

type Named = Pick<Run, 'params' | 'block' | 'ablation' | 'replicate' | 'seed' | 'numbers'>

/**
 * The name that `naming: "{name}.{architecture}.seed{seed}"` gives a run; a parameter that does not apply is `none`.
 * `{@series}`, the name of the experiment's directory, is known once that is chosen: see {@link withSeries}.
 */
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

/**
 * `{variant:3}` is the number of the variant, `{run:3}` that of the run within it, with at least so many digits;
 * `{index:1}` is the place of the run among all of them, counted from 0.
 */
function numberIn(key: string, { numbers }: Named): string | null {
  const [, what, width] = numberKey.exec(key) ?? []
  if (width === undefined) return null
  const number = what === 'index' ? (numbers?.place ?? 1) - 1 : what === 'variant' ? numbers?.variant : numbers?.run
  return String(number ?? 0).padStart(Number(width), '0')
}

const numberKey = /^(variant|run|index):([1-9])$/

export const isNumber = (key: string): boolean => numberKey.test(key)

/** Whether names depend on the place in the plan: the journal assigns them. */
export const isNumbered = (template: string): boolean => placeholdersOf(template).some(isNumber)

/** Whether names have the place of a run among all of them. */
export const hasIndex = (template: string): boolean => placeholdersOf(template).some(key => /^index:/.test(key))

/** What a template may name besides parameters and blocks. */
export const templateWords = ['name', 'seed', 'replicate', 'ablation'] as const

/** No parameter can be called so. */
export const seriesWord = '@series'

/** The experiment whose runs are named after its directory, now that it has one. */
export function withSeries<T extends { readonly naming: Naming }>(experiment: T, series: string): T {
  const { naming } = experiment
  if (!('template' in naming) || !naming.template.includes(`{${seriesWord}}`)) return experiment
  const template = naming.template.replaceAll(`{${seriesWord}}`, slugOf(series))
  return { ...experiment, naming: { ...naming, template } }
}

export const placeholdersOf = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, key = '']) => key)

const placeholder = /\{([^{}]*)\}/g
