import { join } from 'node:path'
import type { AttemptResult, Job } from '../../define/run.ts'
import type { Point } from '../../define/target.ts'
import type { ToWorker } from '../queue/messages.ts'
import { readWireResult } from '../queue/wire-result.ts'
import { Mailbox, post } from './mailbox.ts'
import { type FromTask, fromTask, readFromTask, toTask } from './task-messages.ts'

/** A task of an array, as long as results of it are wanted. */
export interface Task {
  /** The name of its array. */
  readonly submission: string
  readonly folder: string
  readonly number: number
  /** The array's number in Slurm. */
  readonly job: string
  readonly mailbox: Mailbox
  /** Attempts without an end. */
  readonly tokens: Set<string>
  readonly begun: Set<string>
  /** Results of attempts that Slurm interrupted: their meaning depends on the reason. */
  readonly cut: Map<string, AttemptResult>
  state: string
  where: string
  /** When it was found to be over. */
  overAt: number | null
  isCancelled: boolean
}

export const keyOf = ({ submission, number }: Pick<Task, 'submission' | 'number'>): string => `${submission}_${number}`

/** Its name in Slurm's commands. */
export const slurmName = ({ job, number }: Pick<Task, 'job' | 'number'>): string => `${job}_${number}`

export const newTask = (folder: string, submission: string, number: number, job: string): Task => ({
  ...{ submission, folder, number, job, tokens: new Set(), begun: new Set(), cut: new Map() },
  mailbox: new Mailbox(join(folder, fromTask(number))),
  ...{ state: 'PENDING', where: '', overAt: null, isCancelled: false },
})

export const tellTask = ({ folder, number }: Pick<Task, 'folder' | 'number'>, message: ToWorker): void =>
  post(join(folder, toTask(number)), message)

export const newsOf = ({ mailbox }: Task): readonly FromTask[] =>
  mailbox.news().flatMap(message => readFromTask(message) ?? [])

/** The result in a message; null: it is unreadable, and must be obtained in another way. */
export function resultIn({ token, result }: Extract<FromTask, { t: 'done' | 'cut' }>): AttemptResult | null {
  const found = readWireResult(result)?.result ?? null
  return found?.token === token ? found : null
}

/** A task that another process submitted. */
export interface EarlierTask {
  readonly task: Task
  readonly jobs: ReadonlyMap<string, Job>
  readonly results: ReadonlyMap<string, AttemptResult>
  readonly points: ReadonlyMap<string, readonly Point[]>
}

/** All messages of the task so far. Its requests were for its earlier listener: it will repeat them. */
export function readEarlier(task: Task, jobs: ReadonlyMap<string, Job>): EarlierTask {
  const results = new Map<string, AttemptResult>()
  const points = new Map<string, readonly Point[]>()
  for (const message of newsOf(task)) {
    const { token } = message
    if (message.t === 'began') task.begun.add(token)
    else if (message.t === 'points') points.set(token, [...(points.get(token) ?? []), ...message.points])
    else if (message.t === 'done' || message.t === 'cut') {
      const result = resultIn(message)
      if (result !== null) (message.t === 'done' ? results : task.cut).set(token, result)
    }
  }
  return { task, jobs, results, points }
}
