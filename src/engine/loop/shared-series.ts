import type { Job } from '../../define/run.ts'
import type { Point } from '../../define/target.ts'
import { Reported } from '../../perform/reporting/reported.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { shareSeries, thinSeries } from '../../record/read/activity.ts'
import { SmallMap } from '../../util/collections.ts'
import type { Clock } from '../../util/time.ts'

/** How often, and from which age of a run: short runs end before a person could look, and cost nothing. */
const shareMs = 2000

/** For display; all points come with the result. */
const mostPoints = 400

interface Track {
  readonly job: Job
  readonly since: number
  readonly reported: Reported
  isNews: boolean
}

/** Records what running runs have reported so far, for views of running experiments. */
export class SharedSeries {
  readonly #setup: { readonly journal: Journal; readonly workerId: number; readonly clock: Clock }
  readonly #tracks = new SmallMap<string, Track>()
  #except: string | null = null
  #next = 0

  constructor(setup: { readonly journal: Journal; readonly workerId: number; readonly clock: Clock }) {
    this.#setup = setup
  }

  /** A metric that a stopper uses is recorded elsewhere, with every point. */
  leaveOut(metric: string | null): void {
    this.#except = metric
  }

  hear(job: Job, point: Point): void {
    const known = this.#tracks.get(job.token)
    const track = known ?? { job, since: this.#setup.clock.elapsed(), reported: new Reported(), isNews: true }
    if (known === undefined) this.#tracks.set(job.token, track)
    track.reported.add(point)
    track.isNews = true
  }

  /** The run has ended. */
  forget({ token }: Job): void {
    this.#tracks.delete(token)
  }

  share(): void {
    const { journal, workerId, clock } = this.#setup
    const now = clock.elapsed()
    if (this.#tracks.size === 0 || now < this.#next) return
    this.#next = now + shareMs
    const news = [...this.#tracks.values()].filter(({ isNews, since }) => isNews && now - since >= shareMs)
    if (news.length === 0) return
    journal.transaction(() => {
      for (const track of news) {
        track.isNews = false
        for (const series of track.reported.series())
          if (series.metric !== this.#except)
            shareSeries(journal, { token: track.job.token, workerId }, thinSeries(series, mostPoints))
      }
    })
  }
}
