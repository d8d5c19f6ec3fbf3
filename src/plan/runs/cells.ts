import type { CellSpec } from '../../define/experiment.ts'
import { levelsIn, levelsOfName } from '../../define/levels.ts'
import type { Problem } from '../../define/target.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import type { PlanPart } from '../plan-part.ts'
import { variantNames } from '../variants/rules.ts'
import type { Variants } from '../variants/variants.ts'
import type { Blocks } from './blocks.ts'

/** The listed cells of a plan, in the order of the list. Numbers only, so that a million of them take 12 MB. */
export interface Cells {
  readonly count: number
  /** By cell: which variant, which block, how many replicates. */
  readonly variants: Uint32Array
  readonly blocks: Uint32Array
  readonly replicates: Uint32Array
}

/** Resolves the entries to variants and blocks; no cell may be listed twice. */
export function cellsOf(part: PlanPart, specs: readonly CellSpec[], variants: Variants, blocks: Blocks): Cells {
  const blockNames = new Set(part.blocks.map(({ name }) => name))
  const isOfBlock = (name: string): boolean => blockNames.has(name)
  const levels = levelsByName(part)
  const findVariants = finder(variants.count, index => {
    const { params, ablation } = variants.at(index)
    return { ...params, ablation }
  })
  const findBlocks = finder(blocks.count, index => blocks.at(index).block)
  const found = specs.map((spec, index) => {
    const given = Object.entries(spec.levels).map(([name, level]) => ({ name, levels: levelsIn(level, levels(name)) }))
    const own = findVariants(given.filter(({ name }) => !isOfBlock(name)))
    if (own.length === 0) throw refused(['cells', index], `no variant has ${levelsText(spec.levels)}`)
    return { variants: own, blocks: findBlocks(given.filter(({ name }) => isOfBlock(name))), spec }
  })
  const count = found.reduce((sum, one) => sum + one.variants.length * one.blocks.length, 0)
  if (count > most)
    throw refused(['cells'], `${count.toExponential(1)} cells are more than can be listed`, 'Leave `cells` out.')
  const cells = {
    count,
    variants: new Uint32Array(count),
    blocks: new Uint32Array(count),
    replicates: new Uint32Array(count),
  }
  let at = 0
  for (const one of found)
    for (const variant of one.variants)
      for (const block of one.blocks) {
        cells.variants[at] = variant
        cells.blocks[at] = block
        cells.replicates[at++] = one.spec.replicates
      }
  refuseRepeated(cells, found, { variants, blocks })
  return cells
}

type Indices = Uint32Array | readonly number[]

/** About 400 MB of numbers. */
const most = 2 ** 25

interface Named {
  readonly name: string
  readonly levels: readonly Json[]
}

/** Finds the index with given levels. Looked up in one table for each set of names, so a million entries take seconds. */
function finder(count: number, levelsAt: (index: number) => JsonObject): (given: readonly Named[]) => Indices {
  const tables = new Map<string, Map<string, number[]>>()
  let all: Uint32Array | undefined
  return given => {
    if (given.length === 0) {
      all ??= Uint32Array.from({ length: count }, (_, index) => index)
      return all
    }
    const sorted = given.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const names = sorted.map(({ name }) => name)
    const shape = names.join('\n')
    const table = tables.get(shape) ?? tableOf(names)
    tables.set(shape, table)
    return combinations(sorted.map(({ levels }) => levels)).flatMap(levels => table.get(keyOf(levels)) ?? [])
  }

  function tableOf(names: readonly string[]): Map<string, number[]> {
    const table = new Map<string, number[]>()
    for (let index = 0; index < count; index++) {
      const levels = levelsAt(index)
      const key = keyOf(names.map(name => levels[name] ?? null))
      const known = table.get(key)
      if (known === undefined) table.set(key, [index])
      else known.push(index)
    }
    return table
  }
}

const keyOf = (levels: readonly Json[]): string => levels.map(canonicalJson).join('\n')

const combinations = (lists: readonly (readonly Json[])[]): readonly (readonly Json[])[] =>
  lists.reduce<readonly (readonly Json[])[]>(
    (sofar, list) => sofar.flatMap(chosen => list.map(level => [...chosen, level])),
    [[]],
  )

/** Two entries for one cell could contradict each other about its replicates. */
function refuseRepeated(
  cells: Cells,
  found: readonly { readonly variants: Indices; readonly blocks: Indices }[],
  { variants, blocks }: { readonly variants: Variants; readonly blocks: Blocks },
): void {
  const codes = Float64Array.from(
    cells.variants,
    (variant, index) => variant * blocks.count + (cells.blocks[index] ?? 0),
  )
  const sorted = codes.toSorted()
  const repeated = sorted.find((code, index) => index > 0 && code === sorted[index - 1])
  if (repeated === undefined) return
  const entryOf = (cell: number): number => {
    let rest = cell
    return found.findIndex(one => {
      const size = one.variants.length * one.blocks.length
      rest -= size
      return rest < 0
    })
  }
  const first = codes.indexOf(repeated)
  const [before, here] = [first, codes.indexOf(repeated, first + 1)].map(entryOf)
  const { params, ablation } = variants.at(cells.variants[first] ?? 0)
  const { block } = blocks.at(cells.blocks[first] ?? 0)
  const what = levelsText({ ...params, ...(ablation !== null && { ablation }), ...block })
  throw refused(
    ['cells', here ?? 0],
    before === here ? `${what} is listed twice here` : `${what} is listed already, in entry ${(before ?? 0) + 1}`,
    'List each combination once, with its number of replicates.',
  )
}

/** Problems of single entries: unknown names and levels. */
export function* cellProblems(part: PlanPart): Generator<Problem> {
  const { cells, search } = part
  if (cells === undefined) return
  if (search !== undefined && search.method !== 'grid')
    yield { path: ['cells'], message: `a ${search.method} search chooses its variants itself, so it can't have cells` }
  const names = new Set([...variantNames(part), ...part.blocks.map(({ name }) => name)])
  if (names.has('replicates'))
    yield { path: ['cells'], message: 'in cells "replicates" says how often: give the parameter of that name another' }
  if (cells.length === 0) yield { path: ['cells'], message: 'no cells are listed, so nothing would be run' }
  const levels = levelsByName(part)
  const known = new Map([...names].map(name => [name, new Set(levels(name).map(canonicalJson))]))
  for (const [index, cell] of cells.entries())
    for (const [name, given] of Object.entries(cell.levels)) {
      const path = ['cells', index, name]
      const texts = known.get(name)
      if (texts === undefined)
        yield {
          path,
          message: `there is no factor or block ${name}`,
          hint:
            didYouMean(name, names) ??
            'List its levels under `factors` (what is compared) or `blocks` (what pairs runs).',
        }
      else
        for (const level of levelsIn(given, levels(name)))
          if (!texts.has(canonicalJson(level)))
            yield { path, message: `${name} is never ${canonicalJson(level)}`, ...levelHint(level, levels(name)) }
    }
}

function levelHint(level: Json, levels: readonly Json[]): { readonly hint?: string } {
  const texts = levels.filter(one => typeof one === 'string')
  const near = typeof level === 'string' ? didYouMean(level, texts) : undefined
  const some = levels.slice(0, 6).map(canonicalJson).join(', ')
  return { hint: near ?? `There are: ${some}${levels.length > 6 ? ', …' : ''}.` }
}

/** The levels of factors, other parameters, blocks and ablations. */
function levelsByName(part: PlanPart): (name: string) => readonly Json[] {
  const known = new Map<string, readonly Json[]>([
    ['ablation', part.ablations.map(({ name }) => name)],
    ...part.blocks.map(({ name, levels }) => [name, levels] as const),
  ])
  return name => {
    const levels = known.get(name) ?? levelsOfName(name, part)
    known.set(name, levels)
    return levels
  }
}

const levelsText = (levels: JsonObject): string =>
  Object.entries(levels)
    .map(([name, level]) => `${name}=${typeof level === 'string' ? level : canonicalJson(level)}`)
    .join(', ')

const refused = (path: readonly (string | number)[], message: string, hint?: string): AssayError =>
  new AssayError('config', message, { ...(hint && { hint }), facts: { path: [...path] } })
