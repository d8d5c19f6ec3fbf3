import { unpackDataset } from '../../src/report/dataset/unpack.ts'
import { type Asked, findingOf } from '../../src/report/findings/findings.ts'

/** Messages from the page to its worker: the dataset once, then calls. */
export type ToWorker =
  | { readonly kind: 'dataset'; readonly bytes: Uint8Array }
  | { readonly kind: 'call'; readonly id: number; readonly call: Asked }

export type FromWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'mistake'; readonly id: number; readonly message: string }

/** The other side of the page's worker: answers one call after the other. */
export function answerInWorker(): void {
  let dataset: ReturnType<typeof unpackDataset> | null = null
  const reply = (message: FromWorker): void => globalThis.postMessage(message)
  globalThis.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
    if (data.kind === 'dataset') {
      dataset = unpackDataset(data.bytes)
      return
    }
    try {
      if (dataset === null) throw new Error('the worker was asked before it had the data')
      reply({ kind: 'answer', id: data.id, answer: findingOf(dataset, data.call) })
    } catch (error) {
      reply({ kind: 'mistake', id: data.id, message: error instanceof Error ? error.message : String(error) })
    }
  }
}
