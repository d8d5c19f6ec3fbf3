import type { Order } from '../../define/experiment.ts'
import { mixSeed, type Permutation, permutation } from '../../util/random.ts'
import type { Cells } from './cells.ts'
import type { Ordering, Place } from './order.ts'

/** The same orders for listed cells. All blocks, including those without a cell, so that a full cross keeps its order. */
export function cellOrdering(order: Order, cells: Cells, blocks: number, seed: number): CellOrdering {
  const inOrder = listed(cells)
  switch (order) {
    case 'listed':
      return inOrder
    case 'interleaved':
      return { count: inOrder.count, at: interleaved(cells, blocks, seed) }
    case 'shuffled': {
      const shuffled = permutation(inOrder.count, mixSeed(seed, 'shuffled'))
      return { count: inOrder.count, at: position => inOrder.at(shuffled(position)) }
    }
  }
}

export interface CellOrdering {
  readonly count: number
  readonly at: Ordering
}

function listed({ count, variants, blocks, replicates }: Cells): CellOrdering {
  const ends = runningSums(replicates)
  return {
    count: ends[count - 1] ?? 0,
    at(position) {
      const cell = firstAbove(ends, position)
      const start = cell === 0 ? 0 : (ends[cell - 1] ?? 0)
      return { variant: variants[cell] ?? 0, block: blocks[cell] ?? 0, replicate: position - start }
    },
  }
}

/** The position of a run if all are listed cell by cell, from 0. */
export function placeInList(
  { count, variants, blocks, replicates }: Cells,
  allBlocks: number,
): (place: Place) => number {
  const codeOf = (variant: number, block: number): number => variant * allBlocks + block
  let starts: Map<number, number> | undefined
  return ({ variant, block, replicate }) => {
    if (starts === undefined) {
      starts = new Map()
      for (let cell = 0, start = 0; cell < count; start += replicates[cell++] ?? 0)
        starts.set(codeOf(variants[cell] ?? 0, blocks[cell] ?? 0), start)
    }
    return (starts.get(codeOf(variant, block)) ?? 0) + replicate
  }
}

/** Consecutive replicates for which the same cells still have runs. */
interface Stretch {
  /** The first of these replicates, from 0, and the position of its first run in the plan. */
  readonly replicate: number
  readonly start: number
  /** The blocks that still have cells, and how many runs one replicate of all blocks up to here has. */
  readonly blocks: Uint32Array
  readonly ends: Float64Array
}

/**
 * Round by round, as with a full cross: first replicates before second ones, block by block, and in each block its
 * cells in an order of their own. A cell whose replicates are used up is left out of later rounds.
 */
function interleaved(cells: Cells, blocks: number, seed: number): Ordering {
  const { members, offsets } = byBlock(cells, blocks)
  const stretches = stretchesOf(cells, members, offsets)
  const starts = Float64Array.from(stretches, ({ start }) => start)
  let current: { readonly round: number; readonly order: Permutation } | null = null
  return (position): Place => {
    const stretch = stretches[firstAbove(starts, position) - 1]
    if (stretch === undefined) throw new RangeError(`there is no position ${position} in this plan`)
    const size = stretch.ends.at(-1) ?? 1
    const rest = (position - stretch.start) % size
    const replicate = stretch.replicate + Math.floor((position - stretch.start) / size)
    const at = firstAbove(stretch.ends, rest)
    const before = at === 0 ? 0 : (stretch.ends[at - 1] ?? 0)
    const block = stretch.blocks[at] ?? 0
    const round = replicate * blocks + block
    if (current?.round !== round)
      current = {
        round,
        order: permutation((stretch.ends[at] ?? 0) - before, mixSeed(seed, 'interleaved', round)),
      }
    const cell = members[(offsets[block] ?? 0) + current.order(rest - before)] ?? 0
    return { variant: cells.variants[cell] ?? 0, block, replicate }
  }
}

/** The cells of each block, those with the most replicates first. */
function byBlock(cells: Cells, blocks: number): { readonly members: Uint32Array; readonly offsets: Uint32Array } {
  const offsets = new Uint32Array(blocks + 1)
  for (const block of cells.blocks) offsets[block + 1] = (offsets[block + 1] ?? 0) + 1
  for (let block = 0; block < blocks; block++) offsets[block + 1] = (offsets[block + 1] ?? 0) + (offsets[block] ?? 0)
  const next = offsets.slice()
  const members = new Uint32Array(cells.count)
  const withReplicates = Map.groupBy(cells.replicates.keys(), cell => cells.replicates[cell] ?? 0)
  for (const replicates of distinct(cells.replicates).reverse())
    for (const cell of withReplicates.get(replicates) ?? []) {
      const block = cells.blocks[cell] ?? 0
      members[next[block] ?? 0] = cell
      next[block] = (next[block] ?? 0) + 1
    }
  return { members, offsets }
}

function stretchesOf(cells: Cells, members: Uint32Array, offsets: Uint32Array): readonly Stretch[] {
  const stretches: Stretch[] = []
  // How many cells of each block have replicates left.
  const left = Uint32Array.from({ length: offsets.length - 1 }, (_, at) => (offsets[at + 1] ?? 0) - (offsets[at] ?? 0))
  let alive = Uint32Array.from(left.keys()).filter(block => (left[block] ?? 0) > 0)
  let [replicate, start] = [0, 0]
  for (const until of distinct(cells.replicates)) {
    for (const block of alive) {
      const least = () => cells.replicates[members[(offsets[block] ?? 0) + (left[block] ?? 0) - 1] ?? 0] ?? 0
      while ((left[block] ?? 0) > 0 && least() < until) left[block] = (left[block] ?? 0) - 1
    }
    alive = alive.filter(block => (left[block] ?? 0) > 0)
    const ends = runningSums(Array.from(alive, block => left[block] ?? 0))
    stretches.push({ replicate, start, blocks: alive, ends })
    start += (until - replicate) * (ends.at(-1) ?? 0)
    replicate = until
  }
  return stretches
}

const distinct = (values: Uint32Array): number[] => [...new Set(values)].sort((a, b) => a - b)

function runningSums(values: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(values.length)
  let sum = 0
  for (let at = 0; at < values.length; at++) {
    sum += values[at] ?? 0
    sums[at] = sum
  }
  return sums
}

/** The first position in an ascending list with a value above this; its length if there is none. */
function firstAbove(rising: Float64Array, value: number): number {
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}
