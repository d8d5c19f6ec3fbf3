import { dialectNamed } from '../../define/dialects/registry.ts'
import type { Contents, Experiment, Order } from '../../define/experiment.ts'
import type { Run, RunNumbers } from '../../define/run.ts'
import { spellingOf } from '../../define/spelling/spelling.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { keyOf } from '../identity/key.ts'
import { slugName } from '../identity/name.ts'
import { isNumbered, templateName } from '../identity/template-name.ts'
import type { Variant } from '../variants/variant.ts'
import { variantsOf } from '../variants/variants.ts'
import { type BlockFacts, blocksOf } from './blocks.ts'
import { orderingOf } from './order.ts'

/** All runs of an experiment in order: any of them is computed when it is asked for, and none is stored. */
export interface Plan {
  readonly count: number
  readonly variants: number
  at(position: number): Run
}

export function planOf(experiment: Experiment, order: Order, seed: number): Plan {
  const variants = variantsOf(experiment)
  const blocks = blocksOf(experiment)
  const { replicates } = experiment
  const { order: innermost = 'replicates' } = dialectNamed(experiment.dialect)
  const count = variants.count * blocks.count * replicates
  if (count > Number.MAX_SAFE_INTEGER) throw tooMany(count)
  const placeAt = orderingOf(order, { variants, blocks: blocks.count, replicates, innermost }, seed)
  return {
    count,
    variants: variants.count,
    at(position) {
      const { variant, block, replicate } = placeAt(position)
      const numbers = { variant: variant + 1, run: block * replicates + replicate + 1 }
      return makeRun(variants.at(variant), blocks.at(block), replicate + 1, experiment, numbers)
    },
  }
}

export function makeRun(
  variant: Variant,
  { block, json, slug, seed }: BlockFacts,
  replicate: number,
  experiment: Experiment,
  numbers: RunNumbers,
): Run {
  const { ablation, flags } = variant
  const { naming, replicates } = experiment
  const { spell, blocksAreParams, nameOf } = dialectNamed(experiment.dialect)
  const paramsJson = spell?.(variant.params, spellingOf(naming)) ?? variant.paramsJson
  const contents = experiment.contents && contentsOf({ ...variant.params, ...block }, experiment.contents)
  const key = keyOf({ ablation, flags, paramsJson, blockJson: json, replicate, contents: contents ?? '' })
  const params = blocksAreParams ? { ...variant.params, ...block } : variant.params
  const own = { key, name: '', params, ablation, flags, block, replicate, seed: seed(replicate) }
  const run = 'template' in naming && isNumbered(naming.template) ? { ...own, numbers } : own
  run.name =
    nameOf?.(run, spellingOf(naming)) ??
    ('template' in naming
      ? templateName(naming.template, run, experiment)
      : slugName(variant.slug, slug, replicates > 1 ? replicate : null, key))
  return run
}

/** The digests of what a run's levels stand for, by name. */
function contentsOf(levels: JsonObject, contents: Contents): string {
  const digests = Object.keys(contents)
    .sort()
    .flatMap(name => {
      const digest = contents[name]?.[String(levels[name])]
      return digest === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(digest)}`]
    })
  return digests.length === 0 ? '' : `{${digests.join(',')}}`
}

const tooMany = (count: number) =>
  new AssayError('config', `the plan has ${count.toExponential(1)} runs, more than can be counted`, {
    hint: 'Remove factors, levels, blocks or replicates.',
  })
