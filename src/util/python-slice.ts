/** The text of a Python slice: `:3`, `10:20`, `::2`, `-5:`; a number alone is an end. null: it is none. */
export function pythonSlice(text: string): (<T>(items: readonly T[]) => T[]) | null {
  const parts = text.trim() === '' ? [''] : text.split(':')
  if (parts.length > 3 || parts.some(part => !/^\s*([+-]?\d+)?\s*$/.test(part))) return null
  const [first, second, third] = parts.map(part => (part.trim() === '' ? null : Number(part)))
  const [start = null, stop = null, step = null] = parts.length === 1 ? [null, first] : [first, second, third]
  return step === 0 ? null : items => sliced(items, start, stop, step ?? 1)
}

function sliced<T>(items: readonly T[], start: number | null, stop: number | null, step: number): T[] {
  const { length } = items
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1]
  const place = (index: number | null, usual: number): number =>
    index === null ? usual : Math.min(high, Math.max(low, index < 0 ? index + length : index))
  const from = place(start, step > 0 ? low : high)
  const to = place(stop, step > 0 ? high : low)
  const taken: T[] = []
  for (let at = from; step > 0 ? at < to : at > to; at += step) taken.push(items[at] as T)
  return taken
}
