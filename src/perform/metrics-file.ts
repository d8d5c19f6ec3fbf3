import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Point } from '../define/target.ts'
import { messageOf } from '../util/errors.ts'
import { isJsonObject } from '../util/json.ts'
import { isNotFinite, parseJson } from './parsed-values.ts'
import { LineReader } from './reporting/line-reader.ts'

interface Listener {
  report(point: Point): void
  /** The final value of a metric, overriding earlier reports. */
  summarise?(metric: string, value: number): void
  problem(message: string): void
}

/**
 * The file a program reports metrics in while it runs: `{"step": 3, "loss": 0.1}` or
 * `{"metric": "loss", "value": 0.1}` on each line, and `{"summary": {"loss": 0.1}}` for what counts in the end. It is
 * read once, piece by piece.
 */
export class MetricsFile {
  readonly #reader: LineReader
  readonly #listener: Listener

  constructor(runDir: string, listener: Listener) {
    this.#reader = new LineReader(join(runDir, metricsFileName), runDir)
    this.#listener = listener
  }

  /** Reads new lines, in portions that block nothing else; an incomplete line waits for its end. */
  readOn(): 'end' | 'more' {
    return this.#read(sliceBytes)
  }

  /**
   * Everything at once: for a separate thread. The last line counts if it is complete, and is ignored if its writer was
   * interrupted.
   */
  readToEnd(): void {
    this.#read(Number.POSITIVE_INFINITY)
    this.#readRest()
  }

  /** The same in slices; what one slice reads is processed before any wait. */
  async readToEndInSlices(): Promise<void> {
    while (this.readOn() === 'more') await nextTurn()
    this.#readRest()
  }

  #read(atMost: number): 'end' | 'more' {
    let how: 'end' | 'more' = 'end'
    this.#guarded(() => {
      how = this.#reader.read((text, number) => this.#line(text, number, 'whole'), atMost)
    })
    return how
  }

  #readRest(): void {
    this.#guarded(() => this.#reader.readRest((text, number) => this.#line(text, number, 'perhaps cut off')))
  }

  #guarded(read: () => void): void {
    try {
      read()
    } catch (error) {
      this.#listener.problem(`${metricsFileName} ${messageOf(error)}`)
    }
  }

  #line(text: string, number: number, state: 'whole' | 'perhaps cut off'): void {
    if (text.trim() === '') return
    const parsed = parseJson(text)
    if (isJsonObject(parsed)) {
      for (const point of pointsOf(parsed)) this.#listener.report(point)
      for (const { metric, value } of summaryOf(parsed)) this.#listener.summarise?.(metric, value)
    } else if (state === 'whole')
      this.#listener.problem(`${metricsFileName}:${number} is not a JSON object: ${text.slice(0, 60)}`)
  }
}

/** Some 50 ms of work. */
const sliceBytes = 4_000_000

export const metricsFileName = 'metrics.jsonl'

function pointsOf(line: { readonly [key: string]: unknown }): readonly Point[] {
  const given = line.step ?? line._step
  const step = typeof given === 'number' && Number.isFinite(given) ? given : null
  if (typeof line.metric === 'string' && 'value' in line) return point(line.metric, line.value, step)
  return Object.entries(line).flatMap(([name, value]) =>
    name === 'step' || name === '_step' ? [] : point(name, value, step),
  )
}

const summaryOf = ({ summary }: { readonly [key: string]: unknown }): readonly Point[] =>
  isJsonObject(summary) ? Object.entries(summary).flatMap(([name, value]) => point(name, value, null)) : []

/** The meaning of such text: Python's `-inf` is -Infinity. */
const notFinite = (text: string): number => {
  if (/nan/i.test(text)) return Number.NaN
  return text.trim().startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/**
 * Text and lists next to the numbers are not metrics; NaN is kept, so that its metric has a problem and not an old
 * value.
 */
function point(metric: string, value: unknown, step: number | null): readonly Point[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [{ metric, value: Number(value), step }]
  return typeof value === 'string' && isNotFinite(value) ? [{ metric, value: notFinite(value), step }] : []
}
