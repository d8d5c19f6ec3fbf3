import type { Channel } from './channel.ts'

/** Where work packages are, by their hash: no worker takes jobs from there. */
export const packageQueue = 'assay-packages'

/** How long asking for the next job waits for one. */
export const askMs = 1_000

/** Who has not been heard for this long, while the connection was up, is gone; unless the address says otherwise. */
export const usualGoneMs = 10_000
/** How often coordinators and workers say that they are there. */
export const helloMs = (goneMs: number): number => goneMs / 5

/** In a directory that a worker sees as well, and with the coordinator's id in it: files need no carrying. */
export const sharedMark = '.coordinator'

/** A server that carries jobs and messages between machines: Postgres or Redis, with BullMQ on top of it. */
export interface QueueServer {
  /** Its address without a password: for people. */
  readonly where: string
  /** How long a machine that says nothing is waited for, by coordinators that use this address. */
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
  /** What became of a job; null: the server has none of this id. */
  find(id: string): Promise<FoundJob | null>
  /** Everything that the server has of this experiment, as it was added. */
  all(): Promise<readonly (FoundJob & { readonly id: string })[]>
  /** Whether it was still waiting, and is gone now. */
  withdraw(id: string): Promise<boolean>
  /** Results that are recorded elsewhere are no longer needed here. */
  forget(ids: readonly string[]): Promise<void>
  /** Removes all that is left of the experiment on the server. */
  clear(): Promise<void>
  close(): Promise<void>
  /** Closes it although the server does not answer: what it was asked and has not done is not done any more. */
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
  /** Hands its result in. Repeating it does no harm. */
  finish(result: unknown): Promise<void>
  /** Back into the queue: this worker does not perform it. */
  giveBack(): Promise<void>
}
