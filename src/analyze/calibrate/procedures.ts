import { isAvailable, whenAvailable } from '../../stats/estimate.ts'
import { fisherExactTest, mcnemarTest, twoProportionsTest } from '../../stats/index.ts'
import type { Method } from '../choices.ts'
import { countOf, pairedCountsOf } from '../compare/infer/counts.ts'
import { type Inference, infer } from '../compare/infer/infer.ts'
import { methodFor } from '../compare/method.ts'
import type { Samples } from '../samples.ts'
import { type Draw, type Population, samplesFrom } from './population.ts'
import { type Answer, answerOf, type Procedure, type Question } from './procedure.ts'
import { isListed, quickPermutation } from './quick-permutation.ts'

const general = ['t', 'studentized', 'percentile', 'basic', 'bca', 'permutation'] as const
const forNumbers = ['wider', ...general] as const
const forYesNo = ['score', 'newcombe', ...general] as const

/** The procedures that a user may choose for this kind of data, and other common ones. */
export function proceduresFor({ kind, isPaired, name, isWeighted }: Population): readonly Procedure[] {
  if (isWeighted) return (['wider', 't', 'studentized'] as const).map(method => procedureOf(method, isPaired))
  if (kind === 'ranked') return [procedureOf('t', isPaired)]
  const methods = (kind === 'numbers' ? forNumbers : forYesNo).map(method => procedureOf(method, isPaired))
  if (kind === 'yes-no') return [...methods, ...(isPaired ? [exactMcnemar] : [fisherExact, zTest])]
  return [...methods, ...(name.startsWith('tasks') ? [everyRollout] : [])]
}

/** The procedure that `assay compare` uses on this data by default. */
export const defaultProcedure = (samples: Samples): Procedure =>
  procedureOf(methodFor(samples), samples.pairedBy !== null)

function procedureOf(method: Exclude<Method, 'auto'>, isPaired: boolean): Procedure {
  return {
    name: method,
    answer: (draw, question) =>
      method === 'permutation' && !isListed(draw, isPaired)
        ? quickPermutation(draw, isPaired, question)
        : inferred(draw, isPaired, method, question),
  }
}

function inferred(draw: Draw, isPaired: boolean, method: Exclude<Method, 'auto'>, question: Question): Answer {
  const { interval, p } = inference(draw, isPaired, method, question)
  return answerOf(interval, p, question)
}

function inference(draw: Draw, isPaired: boolean, method: Exclude<Method, 'auto'>, question: Question): Inference {
  const { alpha, seed, resamples } = question
  return infer(samplesFrom(draw, { isPaired, kind: 'numbers' }), method, {
    level: 1 - alpha,
    alternative: 'two-sided',
    drawing: { seed, resamples, rng: 'assay' },
    // Only whether p is at most alpha matters.
    enough: alpha,
  })
}

/** The exact test of the discordant pairs alone. */
const exactMcnemar: Procedure = {
  name: 'McNemar exact',
  answer(draw, question) {
    const { onlyA, onlyB } = pairedCountsOf(draw.candidate, draw.control)
    const p = whenAvailable(mcnemarTest(onlyA, onlyB), test => test.exact.twoSided)
    return { covers: null, width: null, rejects: isAvailable(p) && p <= question.alpha }
  },
}

/** The exact test given both totals. */
const fisherExact: Procedure = {
  name: 'Fisher exact',
  answer({ candidate, control }, question) {
    const p = whenAvailable(fisherExactTest(countOf(candidate), countOf(control)), test => test.twoSided)
    return { covers: null, width: null, rejects: isAvailable(p) && p <= question.alpha }
  },
}

const zTest: Procedure = {
  name: 'z test of proportions',
  answer(draw, question) {
    const p = whenAvailable(twoProportionsTest(countOf(draw.candidate), countOf(draw.control)), test => test.p)
    return { covers: null, width: null, rejects: isAvailable(p) && p <= question.alpha }
  },
}

/** The common mistake: treating the rollouts of a task as tasks. */
const everyRollout: Procedure = {
  name: 'every rollout a unit',
  answer: (draw, question) => inferred(draw.rollouts ?? draw, true, 'newcombe', question),
}
