import { expect, test } from 'vitest'
import { rubricScores, weightedTotal } from '../../../../src/targets/task/evaluate/rubric-score.ts'

const rubric = (id: string, weight: number) => ({ id, weight, criterion: `criterion of ${id}`, evaluationCriteria: [] })
const ran = (rubric: string, passed: boolean, name = rubric) => ({ name, passed, rubric, output: null })

test("OneShot's worked example: weights of one half, 2 of 2 and 0 of 1 tests, give one half", () => {
  const tests = [ran('a', true, '1'), ran('a', true, '2'), ran('b', false)]
  const scores = rubricScores([rubric('a', 0.5), rubric('b', 0.5)], tests)
  expect(scores.a).toEqual({
    criterion: 'criterion of a',
    weight: 0.5,
    score: 1,
    max_score: 1,
    weighted_score: 0.5,
    test_count: 2,
    tests_passed: 2,
  })
  expect(weightedTotal(Object.values(scores))).toBe(0.5)
})

test('a rubric without tests is left out, not counted as 0', () => {
  const scores = rubricScores([rubric('a', 1), rubric('b', 3)], [ran('a', true)])
  expect(scores.b?.score).toBeNull()
  expect(weightedTotal(Object.values(scores))).toBe(1)
})

test('no scores, or no weight, give no total', () => {
  expect(weightedTotal([])).toBeNull()
  expect(weightedTotal([{ weight: 1, score: null }])).toBeNull()
  expect(weightedTotal([{ weight: 0, score: 1 }])).toBeNull()
})
