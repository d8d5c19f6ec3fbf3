import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Experiment, Needs } from '../../../define/experiment.ts'
import type { Job } from '../../../define/run.ts'
import { differentNeeds, needsFor } from '../../../plan/plan.ts'
import { sha256 } from '../../../util/hash.ts'
import type { JobQueue, QueueServer } from '../server/server.ts'

/** The runs of an experiment that have the same needs: a worker only looks at queues whose runs it can execute. */
export interface NeedsQueue {
  readonly name: string
  readonly needs: Needs | undefined
}

export interface OpenQueue extends NeedsQueue {
  readonly jobs: JobQueue
}

/** In the experiment's directory: the queues that a coordinator has used, for its successor. */
const fileName = '.queues'

const needed = z.lazy(() =>
  z.object({ cpu: z.number(), memory_mb: z.number(), gpu: z.number(), labels: z.array(z.string()) }),
)
const written = z.lazy(() => z.array(z.object({ name: z.string(), needs: needed.optional() })))

/** All queues of one experiment, as its coordinator sees them. */
export class ExperimentQueues {
  readonly all: readonly OpenQueue[]
  readonly #dir: string
  readonly #queueOf: (job: Job) => OpenQueue

  private constructor(all: readonly OpenQueue[], base: string, experiment: Experiment, dir: string) {
    this.all = all
    this.#dir = dir
    const needsOf = needsFor(experiment)
    const byName = new Map(all.map(one => [one.name, one]))
    this.#queueOf = ({ run }) => {
      const found = byName.get(queueName(base, needsOf(run)))
      if (found === undefined) throw new Error(`no queue for ${run.name}`)
      return found
    }
  }

  /** The queues of this definition and those of the previous coordinator, whose definition may have been different. */
  static async open(server: QueueServer, base: string, experiment: Experiment, dir: string): Promise<ExperimentQueues> {
    const now = differentNeeds(experiment).map(needs => ({ name: queueName(base, needs), needs }))
    const before = readQueues(dir).filter(({ name }) => !now.some(one => one.name === name))
    const all: OpenQueue[] = []
    for (const { name, needs } of [...now, ...before]) all.push({ name, needs, jobs: await server.jobs(name) })
    return new ExperimentQueues(all, base, experiment, dir)
  }

  /** Before any job is sent. */
  writeDown(): void {
    writeFileSync(join(this.#dir, fileName), JSON.stringify(this.all.map(({ name, needs }) => ({ name, needs }))))
  }

  of(job: Job): JobQueue {
    return this.#queueOf(job).jobs
  }

  /** Removes everything still in them. */
  async clear(): Promise<void> {
    for (const { jobs } of this.all) await jobs.clear()
    rmSync(join(this.#dir, fileName), { force: true })
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(({ jobs }) => jobs.close()))
  }

  abandon(): void {
    for (const { jobs } of this.all) jobs.abandon()
  }
}

const queueName = (base: string, needs: Needs | undefined): string =>
  needs === undefined ? base : `${base}-${sha256(JSON.stringify(needs)).slice(0, 8)}`

function readQueues(dir: string): readonly NeedsQueue[] {
  try {
    const parsed = written.safeParse(JSON.parse(readFileSync(join(dir, fileName), 'utf8')))
    return parsed.success ? parsed.data.map(({ name, needs }) => ({ name, needs })) : []
  } catch {
    return []
  }
}
