import { messageOf } from '../../../src/util/errors.ts'
import type { Evaluate } from './evaluate.ts'
import { mismatches } from './matches.ts'
import { type Fields, reviveNumbers, type Vector } from './vector.ts'

/** The error in our answer to a vector, or null if it passes. */
export function checkVector(raw: Vector, table: Readonly<Record<string, Evaluate>>): string | null {
  const vector = reviveNumbers(raw) as Vector
  const evaluate = table[vector.fn]
  if (evaluate === undefined) return `no function ${vector.fn}`
  const got = answerOf(evaluate, vector)
  const problems = mismatches(got, vector.expected, vector.tolerance)
  if (problems.length === 0) return null
  const isAccepted = vector.accept?.some(entry => mismatches(got, entry, vector.tolerance).length === 0)
  if (isAccepted) return null
  return typeof got.message === 'string' ? `${problems.join('; ')} (${got.message})` : problems.join('; ')
}

function answerOf(evaluate: Evaluate, vector: Vector): Fields {
  try {
    return evaluate(vector.input)
  } catch (error) {
    return { error: true, message: messageOf(error) }
  }
}
