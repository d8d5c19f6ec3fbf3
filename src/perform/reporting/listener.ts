import { roundingUsd } from '../../define/permits.ts'
import type { Job } from '../../define/run.ts'
import type { Point } from '../../define/target.ts'
import { recur } from '../../util/system-clock.ts'
import { exactDollars } from '../../util/words.ts'
import { MetricsFile } from '../metrics-file.ts'
import type { RunDirectory } from '../run-directory.ts'
import type { StopSignal } from '../stop-signal.ts'
import { Reported } from './reported.ts'

/** Receives a run's reports, from its target and its metrics file, and stops it when its budget is spent. */
export class Listener {
  readonly reported = new Reported()
  readonly #job: Job
  readonly #stop: StopSignal
  readonly #onPoint: (point: Point) => void
  readonly #file: MetricsFile
  readonly #stopFollowing: () => void

  constructor(job: Job, directory: RunDirectory, stop: StopSignal, onPoint: (point: Point) => void) {
    this.#job = job
    this.#stop = stop
    this.#onPoint = onPoint
    this.#file = new MetricsFile(directory.place.run_dir, {
      report: point => this.hear(point),
      summarise: (metric, value) => this.reported.summarise(metric, value),
      problem: message => this.reported.addProblem(message),
    })
    this.#stopFollowing = recur(followEveryMs, () => {
      if (directory.isMade) this.#file.readOn()
      return followEveryMs
    })
  }

  hear(point: Point): void {
    this.reported.add(point)
    this.#onPoint(point)
    if (point.metric === 'cost_usd') this.#enforceBudget()
  }

  /** After the run: reads its last reports. */
  async finish(hasDirectory: boolean): Promise<void> {
    this.#stopFollowing()
    if (hasDirectory) await this.#file.readToEndInSlices()
  }

  #enforceBudget(): void {
    const { run_budget_usd: budget, spent } = this.#job
    const all = spent.usd + (this.reported.costUsd ?? 0)
    if (budget === null || all <= budget + roundingUsd) return
    const together = spent.usd > 0 ? ', earlier attempts included' : ''
    this.#stop.stop({
      kind: 'cost_limited',
      message: `ended after spending ${exactDollars(all)}${together}, above its budget of ${exactDollars(budget)}`,
    })
  }
}

const followEveryMs = 250
