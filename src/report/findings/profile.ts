import { type RatioOnMetric, ratiosOf } from '../../analyze/compare/pictured.ts'
import { metricNames, readingOf } from '../../analyze/reading.ts'
import { AssayError } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { questionOf } from './comparisons.ts'
import { lookedAt } from './looked-at.ts'
import type { View } from './view.ts'
import { type OrReason, orReason } from './wording/or-reason.ts'

/** Every arm's metrics as multiples of the baseline's. */
export interface Profile {
  readonly baseline: string
  readonly axes: readonly { readonly metric: string; readonly goal: 'maximize' | 'minimize' }[]
  readonly arms: readonly { readonly label: string; readonly ratios: readonly RatioOnMetric[] }[]
  /** Of the intervals. */
  readonly level: number
}

/** Two make no shape; more than eight, or more than six arms, make a tangle. */
const fewestAxes = 3
const mostAxes = 8
const mostArms = 6

export function profileOf(dataset: Dataset, view: View): OrReason<Profile> {
  return orReason(() => {
    const { evidence, reading } = lookedAt(dataset, view)
    const measured = metricNames(evidence.runs)
    const declared = evidence.metrics.map(({ name }) => name).filter(name => measured.includes(name))
    const others = measured.filter(name => !declared.includes(name))
    const names = (declared.length >= fewestAxes ? declared : [...declared, ...others]).slice(0, mostAxes)
    if (names.length < fewestAxes)
      throw new AssayError('usage', `no profile of all metrics: it takes ${fewestAxes}, and there are ${names.length}`)
    const axes = names.map(metric => ({ metric, goal: readingOf(evidence, { metric }).goal }))
    const question = questionOf(evidence, reading, view)
    const onAxes = { ...evidence, metrics: axes.map(({ metric, goal }) => ({ name: metric, goal, primary: false })) }
    return {
      baseline: question.control.label,
      axes,
      arms: question.candidates
        .slice(0, mostArms)
        .map(arm => ({ label: arm.label, ratios: ratiosOf(onAxes, arm, question) })),
      level: 1 - view.alpha,
    }
  })
}
