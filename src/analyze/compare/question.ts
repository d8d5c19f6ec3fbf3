import type { StrataSpec, WeightsSpec } from '../../define/experiment.ts'
import type { Alternative } from '../../stats/index.ts'
import type { Arm } from '../arms.ts'
import type { CandidateCorrection, Drawing, Method, Missing, OtherTest } from '../choices.ts'
import type { Reading } from '../reading.ts'
import type { Statistic } from '../statistic.ts'

/** What is asked. */
export interface Question {
  readonly control: Arm
  readonly candidates: readonly Arm[]
  /** So many candidates there were, of which these were chosen by their values: p is corrected for all. */
  readonly chosenFrom?: number
  readonly reading: Reading
  readonly isPaired: boolean
  readonly missing: Missing
  readonly method: Method
  readonly alpha: number
  readonly alternative: Alternative
  /** As it was written; null: none. */
  readonly margin: string | null
  readonly correction: CandidateCorrection
  readonly drawing: Drawing
  /** What is compared; means unless something else is said. */
  readonly statistic?: Statistic
  /** How much each unit counts, and which kinds of units there are. */
  readonly weights?: WeightsSpec | undefined
  /** Metrics that decide together with this one. */
  readonly family?: readonly string[] | undefined
  readonly strata?: StrataSpec | undefined
  /** Also these tests. */
  readonly also?: readonly OtherTest[]
  /** Also the aggregates that benchmarks of learning are told by. */
  readonly rliable?: boolean
  /** Also the t test, with its assumptions checked at this level. */
  readonly tTest?: { readonly assumptionAlpha: number }
}

/** The other metrics of the family that this one is of. */
export const otherMetrics = ({
  family = [],
  reading: { metric },
}: Pick<Question, 'family' | 'reading'>): readonly string[] =>
  family.includes(metric) ? family.filter(name => name !== metric) : []

/** How many questions were asked: candidates, each on every metric that decides. */
export const familyOf = (question: Question): number => candidatesTried(question) * (1 + otherMetrics(question).length)

export const candidatesTried = ({ candidates, chosenFrom = 0 }: Question): number =>
  Math.max(candidates.length, chosenFrom)
