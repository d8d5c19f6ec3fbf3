import type { Channel } from './channel.ts'

/** Holds work packages by hash: no worker takes jobs from it. */
export const packageQueue = 'assay-packages'

/** How long a request for the next job waits for one. */
export const askMs = 1_000

/**
 * A process that was silent for this long, while the connection was up, is gone; unless the address sets another time.
 */
export const defaultGoneMs = 10_000
/** How often coordinators and workers announce themselves. */
export const helloMs = (goneMs: number): number => goneMs / 5

/** In a directory that the worker also sees, and that contains the coordinator's id: files need not be transferred. */
export const sharedMark = '.coordinator'

/** A server that carries jobs and messages between machines: Postgres or Redis, with BullMQ on top of it. */
export interface QueueServer {
  /** Its address without a password, for display. */
  readonly where: string
  /** How long coordinators that use this address wait for a silent machine. */
  readonly goneMs: number
  readonly channel: Channel
  /** The jobs of one experiment, as its coordinator sees them. */
  jobs(name: string): Promise<JobQueue>
  /** The same, as a worker sees them. */
  taker(name: string): Promise<JobTaker>
  close(): Promise<void>
}

export interface JobQueue {
  add(jobs: readonly QueuedJob[]): Promise<void>
  /** The state of a job; null: the server has none with this id. */
  find(id: string): Promise<FoundJob | null>
  /** All jobs of this experiment on the server, as they were added. */
  all(): Promise<readonly (FoundJob & { readonly id: string })[]>
  /** Whether it was still waiting, and is now gone. */
  withdraw(id: string): Promise<boolean>
  /** Results that are recorded elsewhere are no longer needed here. */
  forget(ids: readonly string[]): Promise<void>
  /** Removes everything of the experiment from the server. */
  clear(): Promise<void>
  close(): Promise<void>
  /** Closes even if the server does not answer: unfinished requests are dropped. */
  abandon(): void
}

export interface QueuedJob {
  readonly id: string
  readonly data: unknown
}

export type FoundJob =
  | { readonly state: 'waiting' | 'taken'; readonly data: unknown }
  | { readonly state: 'done'; readonly data: unknown; readonly result: unknown }

export interface JobTaker {
  /** The next job; null: none came within about a second. */
  next(): Promise<TakenJob | null>
  close(): Promise<void>
}

export interface TakenJob extends QueuedJob {
  /** Submits its result. Repeating it does no harm. */
  finish(result: unknown): Promise<void>
  /** Back into the queue: this worker does not perform it. */
  giveBack(): Promise<void>
}
