import { AssayError } from '../../util/errors.ts'

/** Cells as one row number per axis, packed: a million variants of ten factors take 20 MB. */
export class RowTable {
  readonly #width: number
  readonly #wide: boolean
  #rows: Uint16Array | Uint32Array
  count = 0

  constructor(axisSizes: readonly number[]) {
    this.#width = axisSizes.length
    this.#wide = axisSizes.some(size => size > 2 ** 16)
    this.#rows = this.#allocate(64)
  }

  push(cell: ArrayLike<number>): void {
    const start = this.count * this.#width
    if (start + this.#width > this.#rows.length) this.#grow()
    this.#rows.set(cell, start)
    this.count += 1
  }

  read(index: number, cell: Uint32Array): void {
    for (let axis = 0; axis < this.#width; axis++) cell[axis] = this.row(index, axis)
  }

  row(index: number, axis: number): number {
    return this.#rows[index * this.#width + axis] ?? 0
  }

  /** Sorts the cells into listed order: the last axis varies fastest. */
  sort(): void {
    const order = Uint32Array.from({ length: this.count }, (_, index) => index).sort((a, b) => this.#compare(a, b))
    const sorted = this.#allocate(this.count)
    order.forEach((from, to) => {
      sorted.set(this.#rows.subarray(from * this.#width, (from + 1) * this.#width), to * this.#width)
    })
    this.#rows = sorted
  }

  #compare(a: number, b: number): number {
    for (let axis = 0; axis < this.#width; axis++) {
      const difference = this.row(a, axis) - this.row(b, axis)
      if (difference !== 0) return difference
    }
    return 0
  }

  #grow(): void {
    if (this.count >= maxCount)
      throw new AssayError('config', `more than ${maxCount} variants are left after constraints and conditions`, {
        hint: 'Remove factors or levels, or split the experiment.',
      })
    const larger = this.#allocate(this.count * 2)
    larger.set(this.#rows)
    this.#rows = larger
  }

  #allocate(count: number): Uint16Array | Uint32Array {
    const length = count * Math.max(1, this.#width)
    return this.#wide ? new Uint32Array(length) : new Uint16Array(length)
  }
}

const maxCount = 2 ** 24
