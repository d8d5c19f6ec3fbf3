import { dialectNamed } from '../../define/dialects/registry.ts'
import type { Contents, Order } from '../../define/experiment.ts'
import type { Run, RunNumbers } from '../../define/run.ts'
import { spellingOf } from '../../define/spelling/spelling.ts'
import { largestOf } from '../../util/collections.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { hasIndex, isNumbered, keyOf, slugName, templateName } from '../identity.ts'
import type { PlanPart } from '../plan-part.ts'
import type { Variant } from '../variants/variant.ts'
import { type Variants, variantsOf } from '../variants/variants.ts'
import { type BlockFacts, type Blocks, blocksOf } from './blocks.ts'
import { cellOrdering, placeInList } from './cell-order.ts'
import { cellsOf } from './cells.ts'
import { orderingOf, type Place } from './order.ts'

/** All runs of an experiment in order: each is computed on request, and none is stored. */
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
  const { count, placeAt, mostReplicates, listedAt, ...shape } = placesOf(part, variants, blocks, order, seed)
  const isIndexed = 'template' in part.naming && hasIndex(part.naming.template)
  if (count > Number.MAX_SAFE_INTEGER) throw tooMany(count)
  const make = runMaker(part)
  return {
    count,
    ...shape,
    at(position) {
      const place = placeAt(position)
      const { variant, block, replicate } = place
      const run = block * mostReplicates + replicate + 1
      // Without an object spread, which is noticeable with a million runs.
      const numbers = isIndexed
        ? { variant: variant + 1, run, place: listedAt(place) + 1 }
        : { variant: variant + 1, run }
      return make(variants.at(variant), blocks.at(block), replicate + 1, numbers)
    },
  }
}

/** The places of a full cross or of the listed cells, and their numbers of variants and cells. */
function placesOf(part: PlanPart, variants: Variants, blocks: Blocks, order: Order, seed: number) {
  if (part.cells !== undefined) {
    const cells = cellsOf(part, part.cells, variants, blocks)
    const { count, at } = cellOrdering(order, cells, blocks.count, seed)
    return {
      count,
      placeAt: at,
      variants: new Set(cells.variants).size,
      cells: cells.count,
      mostReplicates: largestOf(cells.replicates),
      listedAt: placeInList(cells, blocks.count),
    }
  }
  const { order: innermost = 'replicates' } = dialectNamed(part.dialect)
  const extent = { variants, blocks: blocks.count, replicates: part.replicates, innermost }
  const count = variants.count * blocks.count * part.replicates
  const cells = variants.count * blocks.count
  return {
    count,
    placeAt: orderingOf(order, extent, seed),
    variants: variants.count,
    cells,
    mostReplicates: part.replicates,
    listedAt: ({ variant, block, replicate }: Place) => (variant * blocks.count + block) * part.replicates + replicate,
  }
}

/** Makes the runs of a plan. Everything that is the same for all of them is computed once: a plan may have a million. */
export function runMaker(
  part: PlanPart,
): (variant: Variant, block: BlockFacts, replicate: number, numbers: RunNumbers) => Run {
  const { naming } = part
  const { spell, blocksAreParams, nameOf } = dialectNamed(part.dialect)
  const spelling = spellingOf(naming)
  const template = 'template' in naming ? naming.template : null
  const hasNumbers = template !== null && isNumbered(template)
  // Cells may get more replicates later: names that always include the replicate need not change then.
  const isTold = part.cells !== undefined || part.replicates > 1
  return (variant, { block, json, slug, seed }, replicate, numbers) => {
    const { ablation, flags } = variant
    const paramsJson = spell?.(variant.params, spelling) ?? variant.paramsJson
    const contents = part.contents && contentsOf({ ...variant.params, ...block }, part.contents)
    const key = keyOf({ ablation, flags, paramsJson, blockJson: json, replicate, contents: contents ?? '' })
    const params = blocksAreParams ? { ...variant.params, ...block } : variant.params
    const own = { key, name: '', params, ablation, flags, block, replicate, seed: seed(replicate) }
    const run = hasNumbers ? { ...own, numbers } : own
    run.name =
      nameOf?.(run, spelling) ??
      (template === null
        ? slugName(variant.slug, slug, isTold ? replicate : null, key)
        : templateName(template, run, part))
    return run
  }
}

/** The digests of the contents that a run's levels refer to, by name. */
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
