import type { Model } from '../model/model-schema.ts'
import { mix64, multiply, type Word, wordOf, xor } from './random/mix64.ts'

/** Whether a workflow has enough evidence, or continues. Follows from seed, workflow and iteration alone. */
export type EarlyStop = (workflow: number, iteration: number) => boolean

const evidenceStep: Word = { high: 0x9e3779b9, low: 0x7f4a7c15 }
const chanceStep: Word = { high: 0xd1b54a32, low: 0xd192ed03 }

/**
 * Each extract finds 0 to 3 pieces of evidence. A workflow stops when enough of its documents gave some and there is
 * enough in total; in borderline cases, by chance. Only the current iteration's evidence counts.
 */
export function earlyStop(
  rules: Model['early_stop'],
  seed: bigint,
  { pdfs, subqueries, iters }: { readonly pdfs: number; readonly subqueries: number; readonly iters: number },
): EarlyStop {
  const seedWord = wordOf(seed)

  function evidence(workflow: number, iteration: number): { readonly coverage: number; readonly confidence: number } {
    const start = xor(xor(seedWord, { high: workflow, low: 0 }), multiply({ high: 0, low: iteration }, evidenceStep))
    let covered = 0
    let total = 0
    for (let pdf = 0; pdf < pdfs; pdf++) {
      let found = 0
      for (let query = 0; query < subqueries; query++)
        found += mix64(xor(start, { high: 0, low: ((pdf << 8) ^ query) >>> 0 })).low & 3
      if (found > 0) covered++
      total += found
    }
    return { coverage: covered / pdfs, confidence: Math.min(1, total / (2 * pdfs * Math.max(1, subqueries))) }
  }

  function isLucky(workflow: number, iteration: number): boolean {
    const shifted = wordOf(BigInt(workflow) << 1n)
    const word = mix64(xor(xor(seedWord, shifted), multiply({ high: 0, low: iteration }, chanceStep)))
    return (word.low & 0xffff) / 65535 > 1 - rules.borderline.chance
  }

  return (workflow, iteration) => {
    if (iteration + 1 >= iters) return true
    const { coverage, confidence } = evidence(workflow, iteration)
    const passes = (rule: { readonly coverage: number; readonly confidence: number }) =>
      coverage >= rule.coverage && confidence >= rule.confidence
    return passes(rules.strong) || (passes(rules.borderline) && isLucky(workflow, iteration))
  }
}
