import type { Contents, Experiment, Order } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { keyOf } from '../identity/key.ts'
import { matrixJsonName, speltParams } from '../identity/matrix-json-name.ts'
import { slugName } from '../identity/name.ts'
import { templateName } from '../identity/template-name.ts'
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
  const { replicates, naming } = experiment
  const count = variants.count * blocks.count * replicates
  if (count > Number.MAX_SAFE_INTEGER) throw tooMany(count)
  const placeAt = orderingOf(order, { variants, blocks: blocks.count, replicates, naming: naming.kind }, seed)
  return {
    count,
    variants: variants.count,
    at(position) {
      const { variant, block, replicate } = placeAt(position)
      return makeRun(variants.at(variant), blocks.at(block), replicate + 1, experiment)
    },
  }
}

export function makeRun(
  variant: Variant,
  { block, json, slug, seed }: BlockFacts,
  replicate: number,
  experiment: Experiment,
): Run {
  const { ablation, flags } = variant
  const { naming, replicates } = experiment
  const paramsJson = naming.kind === 'matrix-json' ? speltParams(variant.params, naming.spelling) : variant.paramsJson
  const contents = experiment.contents && contentsOf({ ...variant.params, ...block }, experiment.contents)
  const key = keyOf({ ablation, flags, paramsJson, blockJson: json, replicate, contents: contents ?? '' })
  // The original counts the seed among the parameters, for its names and for the command line.
  const params = naming.kind === 'matrix-json' ? { ...variant.params, ...block } : variant.params
  const run = { key, name: '', params, ablation, flags, block, replicate, seed: seed(replicate) }
  switch (naming.kind) {
    case 'slug':
      run.name = slugName(variant.slug, slug, replicates > 1 ? replicate : null, key)
      break
    case 'template':
      run.name = templateName(naming.template, run, experiment)
      break
    case 'matrix-json':
      run.name = matrixJsonName(run, naming.spelling)
  }
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
