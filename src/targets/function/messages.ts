import type { Point, RunPlace } from '../../define/target.ts'
import type { JsonObject } from '../../util/json.ts'
import type { ModelAsk, ModelReply } from './models/thread-models.ts'

/** Messages to a thread. */
export type ToThread =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'stop'; readonly message: string }
  | ModelReply

/** One run, as plain data. */
export interface Call {
  /** Absolute. */
  readonly module: string
  readonly export: string
  readonly runId: string
  readonly params: JsonObject
  readonly block: JsonObject
  readonly replicate: number
  readonly seed: number
  readonly place: RunPlace
  /** Marks the processes that the function starts. */
  readonly token: string
}

/** Messages from a thread. */
export type FromThread =
  | { readonly kind: 'points'; readonly points: readonly Point[] }
  /** The thread blocks until the directory exists: see {@link DirectorySlot}. */
  | { readonly kind: 'directory' }
  | { readonly kind: 'done'; readonly points: readonly Point[] }
  | { readonly kind: 'thrown'; readonly points: readonly Point[]; readonly error: ThrownError }
  /** A run that is over did something still: an `await` is missing. */
  | { readonly kind: 'late'; readonly runId: string; readonly did: string }
  | ModelAsk

export interface ThrownError {
  readonly name: string
  readonly message: string
  readonly stack: string
  /** Of a failed system call, if that was the cause: `EMFILE`. */
  readonly code: string | null
  /** The model call whose error it is, or one of its causes. */
  readonly call: number | null
}

/** A shared word that a waiting thread is woken through. */
export const directoryStates = { waiting: 0, made: 1, failed: 2 } as const

export interface ThreadData {
  readonly directorySlot: Int32Array<SharedArrayBuffer>
}
