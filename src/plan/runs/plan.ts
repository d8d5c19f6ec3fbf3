import type { Contents, Order } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { keyOf } from '../identity/key.ts'
import { matrixJsonName, speltParams } from '../identity/matrix-json-name.ts'
import { slugName } from '../identity/name.ts'
import { templateName } from '../identity/template-name.ts'
import type { PlanPart } from '../plan-part.ts'
import type { Variant } from '../variants/variant.ts'
import { type Variants, variantsOf } from '../variants/variants.ts'
import { type BlockFacts, type Blocks, blocksOf } from './blocks.ts'
import { cellOrdering } from './cell-order.ts'
import { cellsOf } from './cells.ts'
import { orderingOf } from './order.ts'

/** All runs of an experiment in order: any of them is computed when it is asked for, and none is stored. */
export interface Plan {
  readonly count: number
  readonly variants: number
  /** Combinations of a variant and a block. */
  readonly cells: number
  at(position: number): Run
}

export function planOf(part: PlanPart, order: Order, seed: number): Plan {
  const variants = variantsOf(part)
  const blocks = blocksOf(part)
  const { count, placeAt, ...shape } = placesOf(part, variants, blocks, order, seed)
  if (count > Number.MAX_SAFE_INTEGER) throw tooMany(count)
  return {
    count,
    ...shape,
    at(position) {
      const { variant, block, replicate } = placeAt(position)
      return makeRun(variants.at(variant), blocks.at(block), replicate + 1, part)
    },
  }
}

/** The places of a full cross, or of the cells that are listed, and how many variants and cells these are. */
function placesOf(part: PlanPart, variants: Variants, blocks: Blocks, order: Order, seed: number) {
  if (part.cells !== undefined) {
    const cells = cellsOf(part, part.cells, variants, blocks)
    const { count, at } = cellOrdering(order, cells, blocks.count, seed)
    return { count, placeAt: at, variants: new Set(cells.variants).size, cells: cells.count }
  }
  const extent = { variants, blocks: blocks.count, replicates: part.replicates, naming: part.naming.kind }
  const count = variants.count * blocks.count * part.replicates
  const cells = variants.count * blocks.count
  return { count, placeAt: orderingOf(order, extent, seed), variants: variants.count, cells }
}

export function makeRun(
  variant: Variant,
  { block, json, slug, seed }: BlockFacts,
  replicate: number,
  experiment: PlanPart,
): Run {
  const { ablation, flags } = variant
  const { naming } = experiment
  // Cells may get more replicates later: names that always tell which one need not change then.
  const isTold = experiment.cells !== undefined || experiment.replicates > 1
  const paramsJson = naming.kind === 'matrix-json' ? speltParams(variant.params, naming.spelling) : variant.paramsJson
  const contents = experiment.contents && contentsOf({ ...variant.params, ...block }, experiment.contents)
  const key = keyOf({ ablation, flags, paramsJson, blockJson: json, replicate, contents: contents ?? '' })
  // The original counts the seed among the parameters, for its names and for the command line.
  const params = naming.kind === 'matrix-json' ? { ...variant.params, ...block } : variant.params
  const run = { key, name: '', params, ablation, flags, block, replicate, seed: seed(replicate) }
  switch (naming.kind) {
    case 'slug':
      run.name = slugName(variant.slug, slug, isTold ? replicate : null, key)
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
