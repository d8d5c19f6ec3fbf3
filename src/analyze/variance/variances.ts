import type { Evidence, EvidenceRun } from '../../plan/evidence.ts'
import { describeSummary } from '../describe-summary.ts'
import { type Reading, readValue } from '../reading.ts'
import { sentenceOf } from './sentence.ts'
import type { Variance, VarianceQuestion } from './variance.ts'
import { type VariantRuns, variantsIn } from './variants.ts'
import { variationOf } from './variation.ts'
import { warningsFor } from './warnings.ts'

/** One answer for each variant: runs that differ in a factor are not repetitions of each other. */
export function variances(evidence: Evidence, question: VarianceQuestion): readonly Variance[] {
  const isYesNo = question.readings.map(({ reading }) => isYesOrNo(evidence, reading))
  return variantsIn(evidence).map(variant => varianceOf(evidence, variant, question, isYesNo))
}

/** Of the metric, not of some of its values: those of one variant may all be 1. */
function isYesOrNo({ runs }: Evidence, reading: Reading): boolean {
  if (reading.summary !== null) return false
  const values = new Set(runs.flatMap(run => valueIn(readValue(run, reading))))
  return values.size === 2 && values.has(0) && values.has(1)
}

const valueIn = (read: ReturnType<typeof readValue>): readonly number[] => ('value' in read ? [read.value] : [])

function varianceOf(
  evidence: Evidence,
  variant: VariantRuns,
  question: VarianceQuestion,
  isYesNo: readonly boolean[],
): Variance {
  const { threshold, level, drawing, readings } = question
  const read = variant.runs.map(run => ({ run, ...readAll(run, question) }))
  const usable = read.flatMap(({ run, values }) => (values === null ? [] : [{ run, values }]))
  const metric = readings[0]?.reading.metric ?? ''
  const statistics =
    usable.length < 2
      ? []
      : readings.map(({ name, reading }, index) =>
          variationOf(
            { name, summary: reading.summary === null ? null : describeSummary(reading.summary) },
            usable.map(({ values }) => values[index] ?? Number.NaN),
            { threshold, level, drawing, isYesNo: isYesNo[index] ?? false },
          ),
        )
  const found = {
    metric,
    variant: variant.label,
    threshold,
    level,
    runs: usable.map(({ run }) => run.name),
    left_out: read.flatMap(({ run, problem }) => (problem === null ? [] : [{ run: run.name, reason: problem }])),
    statistics,
    warnings: warningsFor(
      evidence,
      usable.map(({ run }) => run),
      metric,
    ),
    reason: usable.length < 2 ? `${usable.length} of ${read.length} runs can be used, and it takes two` : null,
    seed: drawing.seed,
  }
  return { ...found, sentence: sentenceOf(found) }
}

/** Every statistic of a run; one that lacks any of them is left out of all, so that they speak of the same runs. */
function readAll(
  run: EvidenceRun,
  { readings }: VarianceQuestion,
): { readonly values: readonly number[] | null; readonly problem: string | null } {
  const values: number[] = []
  for (const { name, reading } of readings) {
    const found = readValue(run, reading)
    const problem =
      'problem' in found ? found.problem : Number.isFinite(found.value) ? null : `its value is ${found.value}`
    if (problem !== null || 'problem' in found)
      return { values: null, problem: readings.length > 1 ? `${name}: ${problem}` : problem }
    values.push(found.value)
  }
  return { values, problem: null }
}
