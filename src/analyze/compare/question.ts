import type { StrataSpec, WeightsSpec } from '../../define/experiment.ts'
import type { Evidence } from '../../define/observation.ts'
import type { Alternative } from '../../stats/index.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { type Arm, armsFor, bestCandidates, fewCandidates, mostCandidates } from '../arms.ts'
import {
  type Asked,
  type CandidateCorrection,
  type Drawing,
  defaultDrawing,
  drawingOf,
  type Method,
  type Missing,
  type OtherTest,
} from '../choices.ts'
import { type Reading, readingOf } from '../reading.ts'
import { parseStatistic, type Statistic } from '../statistic.ts'

/** What is asked. */
export interface Question {
  readonly control: Arm
  readonly candidates: readonly Arm[]
  /** The number of candidates, if these were selected by their values: p is corrected for all. */
  readonly chosenFrom?: number
  readonly reading: Reading
  /** How a series became its number, if it did so earlier. */
  readonly summarised?: string
  readonly isPaired: boolean
  readonly missing: Missing
  readonly method: Method
  readonly alpha: number
  readonly alternative: Alternative
  /** As written; null: none. */
  readonly margin: string | null
  readonly correction: CandidateCorrection
  readonly drawing: Drawing
  /** The compared statistic; default: means. */
  readonly statistic?: Statistic
  /** The weight of each unit, and the strata. */
  readonly weights?: WeightsSpec | undefined
  /** Metrics that decide together with this one. */
  readonly family?: readonly string[] | undefined
  readonly strata?: StrataSpec | undefined
  /** Also these tests. */
  readonly also?: readonly OtherTest[]
  /** Also the aggregates usual in benchmarks of learning. */
  readonly rliable?: boolean
  /** Also the t test, with its assumptions checked at this level. */
  readonly tTest?: { readonly assumptionAlpha: number }
}

export interface CompareAsked extends Asked {
  /** Levels of the variants to compare with the control; default: all others. */
  readonly candidate?: readonly JsonObject[] | undefined
  /** How many candidates, the best by their values. */
  readonly best?: number | undefined
  readonly side?: Alternative | undefined
  /** Metrics that decide together: p of each is corrected for all. */
  readonly family?: readonly string[] | undefined
  /** The weight of each unit: a name, or a weight for each. */
  readonly weights?: WeightsSpec | undefined
  readonly strata?: StrataSpec | undefined
  /** The possible values, for `missing: 'bounds'`: `0..100`. */
  readonly range?: string | undefined
  /** The largest difference that does not matter: `2pts`, `5%`, `0.1`. */
  readonly margin?: string | undefined
  readonly correction?: CandidateCorrection | undefined
  /** `median`, `trimmed:0.2`, … instead of means. */
  readonly statistic?: string | undefined
  readonly also?: readonly OtherTest[] | undefined
  readonly rliable?: boolean | undefined
  readonly tTest?: Question['tTest'] | undefined
}

/** The defaults. */
export const defaultQuestion = {
  isPaired: true,
  missing: 'failed',
  method: 'auto',
  alternative: 'two-sided',
  margin: null,
  correction: 'holm',
  drawing: defaultDrawing,
} as const satisfies Partial<Question>

/** The question that is asked of the evidence. */
export function questionOf(
  evidence: Evidence,
  asked: CompareAsked,
  // An unknown metric is an error for any arms, and is reported before them.
  reading: Reading = readingOf(evidence, asked),
): Question {
  return {
    ...defaultQuestion,
    ...chosenArms(armsFor(evidence, { control: asked.control, candidates: asked.candidate }), reading, asked),
    reading,
    ...(asked.statistic === undefined ? {} : { statistic: parseStatistic(asked.statistic) }),
    ...(asked.also === undefined ? {} : { also: asked.also }),
    rliable: asked.rliable ?? false,
    weights: asked.weights ?? evidence.declared?.weights,
    family: familyIn(asked, evidence, reading),
    strata: asked.strata ?? evidence.declared?.strata,
    isPaired: !asked.unpaired,
    missing: asked.missing ?? evidence.declared?.missing ?? defaultQuestion.missing,
    method: asked.method ?? defaultQuestion.method,
    alpha: asked.alpha ?? 0.05,
    alternative: asked.side ?? defaultQuestion.alternative,
    margin: asked.margin ?? defaultQuestion.margin,
    correction: asked.correction ?? defaultQuestion.correction,
    drawing: drawingOf(asked),
    ...(asked.tTest === undefined ? {} : { tTest: asked.tTest }),
  }
}

/** A requested family must include the metric: correcting only for others would be meaningless. */
function familyIn(asked: CompareAsked, evidence: Evidence, { metric }: Reading): readonly string[] | undefined {
  const { family } = asked
  if (family === undefined) return evidence.declared?.family
  if (!family.includes(metric))
    throw new AssayError('usage', `--family ${family.join()} does not include the metric ${metric}`, {
      hint: '--metric names one of them',
    })
  return family
}

type Arms = Pick<Question, 'control' | 'candidates' | 'chosenFrom'>

/** The requested candidates; by default, no more than can be read. */
function chosenArms(arms: Arms, reading: Reading, { best, candidate, correction }: CompareAsked): Arms {
  const all = arms.candidates.length
  const most = best ?? (candidate === undefined && all > mostCandidates ? fewCandidates : all)
  if (most >= all) return arms
  if (correction === 'max-t')
    throw new AssayError(
      'usage',
      best === undefined
        ? `--correction max-t needs the values of all ${all} candidates, and more than ${mostCandidates} are not compared one by one`
        : '--correction max-t needs the values of all candidates, and --best leaves some out',
      { hint: '--correction holm works with the best of them' },
    )
  return { ...arms, candidates: bestCandidates(arms.candidates, reading, most), chosenFrom: all }
}

/** The other metrics of the family that this one belongs to. */
export const otherMetrics = ({
  family = [],
  reading: { metric },
}: Pick<Question, 'family' | 'reading'>): readonly string[] =>
  family.includes(metric) ? family.filter(name => name !== metric) : []

/** The number of questions: candidates, each on every metric that decides. */
export const familyOf = (question: Question): number => candidatesTried(question) * (1 + otherMetrics(question).length)

export const candidatesTried = ({ candidates, chosenFrom = 0 }: Question): number =>
  Math.max(candidates.length, chosenFrom)
