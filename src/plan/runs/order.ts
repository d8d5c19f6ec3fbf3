import type { Dialect } from '../../define/dialects/registry.ts'
import type { Order } from '../../define/experiment.ts'
import { mixSeed, type Permutation, permutation } from '../../util/random.ts'
import type { Variants } from '../variants/variants.ts'

/** The run at a position of the plan, as indices; replicates count from 0 here. */
export interface Place {
  readonly variant: number
  readonly block: number
  readonly replicate: number
}

/** Position in, place out: by arithmetic, so that a plan can start anywhere and is never stored. */
export type Ordering = (position: number) => Place

interface Extent {
  readonly variants: Variants
  readonly blocks: number
  readonly replicates: number
  /** What varies fastest in listed order. */
  readonly innermost: NonNullable<Dialect['order']>
}

export function orderingOf(order: Order, extent: Extent, seed: number): Ordering {
  switch (order) {
    case 'listed':
      return extent.innermost === 'ablations' ? ablationsInnermost(extent) : listed(extent)
    case 'interleaved':
      return interleaved(extent, seed)
    case 'shuffled':
      return shuffled(extent, seed)
  }
}

const listed =
  ({ blocks, replicates }: Extent): Ordering =>
  position => ({
    variant: Math.floor(position / (blocks * replicates)),
    block: Math.floor(position / replicates) % blocks,
    replicate: position % replicates,
  })

/** Ablations vary faster than blocks. */
function ablationsInnermost({ variants, blocks, replicates }: Extent): Ordering {
  return position => {
    const { start, size } = variants.neighbours(Math.floor(position / (blocks * replicates)))
    const place = position - start * blocks * replicates
    return {
      variant: start + (place % size),
      block: Math.floor(place / (size * replicates)),
      replicate: Math.floor(place / size) % replicates,
    }
  }
}

/**
 * Randomised complete blocks: each block has all variants, in an order of its own, so that drift affects all variants
 * equally.
 */
function interleaved({ variants, blocks }: Extent, seed: number): Ordering {
  let current: { readonly round: number; readonly order: Permutation } | null = null
  return position => {
    const round = Math.floor(position / variants.count)
    if (current?.round !== round)
      current = { round, order: permutation(variants.count, mixSeed(seed, 'interleaved', round)) }
    return {
      variant: current.order(position % variants.count),
      block: round % blocks,
      replicate: Math.floor(round / blocks),
    }
  }
}

function shuffled(extent: Extent, seed: number): Ordering {
  const inOrder = listed(extent)
  const order = permutation(extent.variants.count * extent.blocks * extent.replicates, mixSeed(seed, 'shuffled'))
  return position => inOrder(order(position))
}
