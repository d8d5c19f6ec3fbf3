import type { Experiment } from '../../define/experiment.ts'
import type { Job } from '../../define/run.ts'
import type { Setting } from '../../perform/perform.ts'
import { type NeedsOf, needsFor } from '../../plan/plan.ts'
import { chunkSize, cutIntoArrays, probes } from './chunks.ts'
import { SlurmRefusal } from './commands.ts'
import { type SlurmOptions, withNeeds } from './script.ts'
import type { ClusterFacts } from './states.ts'
import { submitArray } from './submission.ts'
import type { Task } from './task.ts'

/** Runs that become ready within this time are submitted together. */
const gatherMs = 2_000
/** How long the first runs may take before the others are submitted one by one. */
const probeMs = 15_000
/** When to resubmit jobs that Slurm does not accept now. */
const retryMs = 5_000

interface Around {
  readonly options: SlurmOptions
  readonly facts: ClusterFacts
  readonly cwd: string
  setting(): Setting
  /** Whether any task is queued or running. */
  hasTasks(): boolean
  /** These jobs belong to the task now. */
  submitted(task: Task, jobs: readonly Job[]): void
  /** Slurm accepts no more for now. */
  busy(message: string): void
  /** Slurm will never accept them, nor any that are still waiting. */
  refused(error: unknown, jobs: readonly Job[]): void
}

/**
 * The jobs waiting to be submitted: together, as arrays of chunks, once the first few have shown how long they take.
 */
export class Submitter {
  readonly #around: Around
  readonly #needsOf: NeedsOf
  #waiting: Job[] = []
  #waitingSince = 0
  #isSubmitting = false
  #submitAgainAt = 0
  #probingSince: number | null = null
  #made = { runs: 0, seconds: 0 }

  constructor(around: Around, experiment: Experiment) {
    this.#around = around
    this.#needsOf = needsFor(experiment)
  }

  add(job: Job): void {
    if (this.#waiting.length === 0) this.#waitingSince = performance.now()
    this.#waiting.push(job)
  }

  /** Whether it was still waiting, and is now removed. */
  withdraw(token: string): boolean {
    const at = this.#waiting.findIndex(job => job.token === token)
    if (at !== -1) this.#waiting.splice(at, 1)
    return at !== -1
  }

  /** A run took this long. */
  took(seconds: number): void {
    this.#made = { runs: this.#made.runs + 1, seconds: this.#made.seconds + seconds }
  }

  submitWhenDue(): void {
    const now = performance.now()
    const waiting = this.#waiting.length
    if (this.#isSubmitting || waiting === 0 || now < this.#submitAgainAt) return
    const isMany = waiting >= 8 * Math.max(4, this.#chunk(waiting))
    if (this.#around.hasTasks() && now - this.#waitingSince < gatherMs && !isMany) return
    const jobs = this.#waiting.splice(0, this.#mayBeSubmitted(now))
    if (jobs.length === 0) return
    this.#waitingSince = now
    this.#isSubmitting = true
    void this.#submit(jobs).finally(() => {
      this.#isSubmitting = false
    })
  }

  #chunk(runs: number): number {
    const { runs: made, seconds } = this.#made
    return chunkSize(runs, this.#around.options.chunk, made === 0 ? null : seconds / made)
  }

  /** Of runs with unknown duration, a few are tried: their duration determines how many a task should get. */
  #mayBeSubmitted(now: number): number {
    const waiting = this.#waiting.length
    if (this.#around.options.chunk !== undefined || this.#made.runs > 0 || waiting <= probes) return waiting
    if (this.#probingSince !== null) return now - this.#probingSince > probeMs ? waiting : 0
    this.#probingSince = now
    return probes
  }

  async #submit(jobs: readonly Job[]): Promise<void> {
    const { facts, cwd, setting, submitted } = this.#around
    const chunk = this.#chunk(jobs.length)
    const arrays = this.#byNeeds(jobs).flatMap(({ some, options }) =>
      cutIntoArrays(some, chunk, facts.maxArraySize).map(chunks => ({ chunks, options })),
    )
    for (const [at, { chunks, options }] of arrays.entries())
      try {
        const tasks = await submitArray(setting(), cwd, options, chunks)
        for (const task of tasks) submitted(task, chunks[task.number] ?? [])
      } catch (error) {
        this.#refused(
          error,
          arrays.slice(at).flatMap(({ chunks: left }) => left.flat()),
        )
        return
      }
  }

  /** All tasks of an array get the same resources from Slurm. */
  #byNeeds(jobs: readonly Job[]): readonly { readonly some: readonly Job[]; readonly options: SlurmOptions }[] {
    const groups = Map.groupBy(jobs, ({ run }) => JSON.stringify(this.#needsOf(run)))
    return [...groups.values()].flatMap(some => {
      const [first] = some
      return first === undefined ? [] : [{ some, options: withNeeds(this.#around.options, this.#needsOf(first.run)) }]
    })
  }

  /** Jobs that Slurm may accept later are tried again; otherwise work can't continue. */
  #refused(error: unknown, jobs: readonly Job[]): void {
    if (error instanceof SlurmRefusal && error.isPassing) {
      this.#waiting.unshift(...jobs)
      this.#submitAgainAt = performance.now() + retryMs
      this.#around.busy(error.message)
    } else this.#around.refused(error, [...jobs, ...this.#waiting.splice(0)])
  }
}
