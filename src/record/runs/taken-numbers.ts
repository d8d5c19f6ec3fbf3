import type { Run } from '../../define/run.ts'
import { canonicalJson } from '../../util/json.ts'
import { number } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { type RunSpec, runColumns, runIn } from '../journal/stored.ts'

type Numbers = NonNullable<Run['numbers']>

/** The numbers that variants and runs have in names that contain them. */
export class TakenNumbers {
  readonly #journal: Journal
  #seen = 0
  readonly #variants = new NumberSet()
  readonly #variantNumbers = new Map<string, number>()
  /** By number of the variant: the numbers of its runs. */
  readonly #runs = new Map<number, NumberSet>()
  readonly #places = new NumberSet()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** Reads the runs that any process has written since the last time. */
  catchUp(): void {
    const sql = 'SELECT id, key, name, spec FROM runs WHERE id > ? ORDER BY id'
    for (const row of this.#journal.iterate({ id: number, ...runColumns }, sql, this.#seen)) {
      this.#seen = row.id
      const run = runIn(row, this.#journal)
      if (run.numbers !== undefined) this.#add(run, run.numbers)
    }
  }

  /** The numbers of a new run: those of its position in the plan, or the next ones after all others. */
  take(run: RunSpec): Numbers {
    const place: Numbers = run.numbers ?? { variant: 0, run: 0 }
    const variant = this.#variantNumbers.get(variantOf(run)) ?? this.#variants.free(place.variant)
    const numbers = {
      variant,
      run: (this.#runs.get(variant) ?? none).free(place.run),
      ...(place.place !== undefined && { place: this.#places.free(place.place) }),
    }
    this.#add(run, numbers)
    return numbers
  }

  #add(run: RunSpec, { variant, run: number, place }: Numbers): void {
    if (place !== undefined) this.#places.add(place)
    this.#variants.add(variant)
    this.#variantNumbers.set(variantOf(run), variant)
    const runs = this.#runs.get(variant) ?? new NumberSet()
    runs.add(number)
    this.#runs.set(variant, runs)
  }
}

const variantOf = ({ params, ablation, flags }: RunSpec): string => canonicalJson([params, ablation, flags])

/** Whole numbers that are mostly consecutive: 1 to a million take no more memory than 1 to 10. */
class NumberSet {
  /** All numbers from 1 to this one are in the set. */
  #upTo = 0
  #largest = 0
  readonly #others = new Set<number>()

  add(number: number): void {
    this.#largest = Math.max(this.#largest, number)
    if (number > this.#upTo) this.#others.add(number)
    while (this.#others.delete(this.#upTo + 1)) this.#upTo++
  }

  /** The wanted number if it is not in the set, otherwise the one after the largest. */
  free(wanted: number): number {
    const isFree = wanted > this.#upTo && !this.#others.has(wanted)
    return isFree ? wanted : this.#largest + 1
  }
}

const none = new NumberSet()
