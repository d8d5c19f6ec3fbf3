import type { Experiment } from '../../define/experiment.ts'
import { countsVariants, trialSize } from '../../plan/identity.ts'
import { plannerFor } from '../../plan/plan.ts'
import type { Planner } from '../../plan/planner.ts'
import {
  definitionOr,
  plannerStateOf,
  planOptionsOf,
  type RecordedExperiment,
  readExperiment,
} from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { indexNews, observationsSince } from '../../record/read/observations.ts'
import { offerRuns, takePlannerLease } from '../../record/runs/offer.ts'
import type { LoopSetup } from './loop-setup.ts'

/** Runs offered at a time: enough that planning rarely interrupts, few enough that a million-run plan stays lazy. */
const window = 500

/** A planner that learns may change its mind with the next result, and an endless one is stopped at some time. */
function windowOf(planner: Planner, free: number, experiment: Experiment): number {
  const wanted = planner.learns ? Math.max(1, free) : planner.count() === null ? Math.max(1, 4 * free) : window
  // Whole trials, if a search counts those: the rest of a stopped trial should be in the journal.
  const unit = countsVariants(experiment) ? trialSize(experiment) : 1
  return Math.ceil(wanted / unit) * unit
}

/**
 * Whether two definitions are performed in the same way; the journal has everything else that they ask for. How values
 * are spelt comes with the values: the executor adapts.
 */
export function isPerformedAlike(one: Experiment, other: Experiment): boolean {
  const part = ({ target, targets, metrics, metric_sources, outputs, naming }: Experiment) =>
    JSON.stringify([target, targets, metrics, metric_sources, outputs, naming])
  return one === other || part(one) === part(other)
}

/**
 * Plans according to the journal, not to how this process was started: a `run` next to a worker may have changed the
 * selection or the factors since. Data read from the journal is kept until it changes there.
 */
export class Planning {
  readonly #journal: Journal
  readonly #workerId: number
  #definition = ''
  #experiment: Experiment
  #generation = -1
  #planner: Planner | null = null

  constructor({ journal, workerId, experiment }: Pick<LoopSetup, 'journal' | 'workerId' | 'experiment'>) {
    this.#journal = journal
    this.#workerId = workerId
    this.#experiment = experiment
  }

  experimentOf(row: RecordedExperiment): Experiment {
    if (this.#definition === row.definition) return this.#experiment
    this.#definition = row.definition
    this.#experiment = definitionOr(this.#journal, row, this.#experiment)
    return this.#experiment
  }

  /**
   * Asks the planner for a window of runs and writes them to the journal. A planner that learns is only asked for what
   * can start at once: the next results may change its mind. Not while another process is planning.
   */
  offerWindow(free: number): 'offered' | 'nothing_new' | 'done' | 'elsewhere' {
    const journal = this.#journal
    if (readExperiment(journal)?.isPlanDone) return 'done'
    if (!takePlannerLease(journal, this.#workerId)) return 'elsewhere'
    const row = readExperiment(journal)
    if (row === undefined) return 'done'
    const planner = this.#plannerOf(row)
    const news = planner.learns ? observationsSince(journal, row.plannerSeen) : { observations: [], seen: 0 }
    const state = planner.tell(plannerStateOf(journal, row), news.observations)
    const answer = planner.ask(state, windowOf(planner, free, this.experimentOf(row)))
    const added = offerRuns(journal, {
      workerId: this.#workerId,
      generation: row.generation,
      experiment: this.experimentOf(row),
      proposals: typeof answer === 'string' ? [] : answer.runs,
      state: typeof answer === 'string' ? state : answer.state,
      done: answer === 'done',
      seen: news.seen,
    })
    if (added === null) return 'elsewhere'
    if (answer === 'done') return 'done'
    return added > 0 || answer !== 'wait' ? 'offered' : 'nothing_new'
  }

  /** Why no more runs are planned, if the plan is not simply complete; set by the part that determined it. */
  ending(): string | null {
    const row = readExperiment(this.#journal)
    if (row === undefined || !row.isPlanDone || row.plannerState === null) return null
    return this.#plannerOf(row).ending?.(plannerStateOf(this.#journal, row)) ?? null
  }

  #plannerOf(row: RecordedExperiment): Planner {
    if (this.#planner !== null && this.#generation === row.generation) return this.#planner
    this.#generation = row.generation
    this.#planner = plannerFor(this.experimentOf(row), planOptionsOf(this.#journal, row))
    if (this.#planner.learns) indexNews(this.#journal)
    return this.#planner
  }
}
