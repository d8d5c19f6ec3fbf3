import { describe, expect, it } from 'vitest'
import { reviewerSchema } from '../../../../src/targets/agent/review/reviewer-schema.ts'
import {
  bestOf,
  choiceIn,
  combinedScore,
  isWorthAnother,
  scoreIn,
} from '../../../../src/targets/agent/review/scores.ts'

describe('the score in a review', () => {
  it.each([
    ['It is fine.\n7', 7],
    ['It is fine.\nScore: 7.5 of 10\n\n', 10],
    ['9 of 10\nI give it -1', null],
    ['11', null],
    ['no number here', null],
    ['8\nsurely', null],
    ['', null],
  ])('%j is %s', (text, score) => {
    expect(scoreIn(text, [0, 10])).toBe(score)
  })
})

describe('the combined score', () => {
  const plain = { failure_penalty: 0, std_weight: 0 }

  it('is the mean of the valid ones minus penalties', () => {
    expect(combinedScore([4, null, 8], 'submitted', plain)).toBe(6)
    expect(combinedScore([4, 8], 'submitted', { failure_penalty: 0, std_weight: 0.5 })).toBe(5)
    expect(combinedScore([4, 8], 'submitted (exit_cost)', { failure_penalty: 3, std_weight: 0 })).toBe(3)
    expect(combinedScore([4, 8], 'submitted', { failure_penalty: 3, std_weight: 0 })).toBe(6)
  })

  it('is below every other if none is valid', () => {
    expect(combinedScore([null, null], 'submitted', plain)).toBe(-100)
  })
})

describe('the best attempt', () => {
  it('has the highest score, and took fewer calls among equals', () => {
    expect(bestOf([{ score: 3, calls: 5 }])).toBe(0)
    expect(
      bestOf([
        { score: 3, calls: 1 },
        { score: 7, calls: 9 },
        { score: 7, calls: 4 },
        { score: 7, calls: 4 },
      ]),
    ).toBe(2)
  })
})

describe('a choice', () => {
  it.each([
    ['The second.\n2', 1],
    ['2\nAttempt 1 is better: 1', 0],
    ['4', null],
    ['0', null],
    ['none', null],
  ])('%j names %s', (text, choice) => {
    expect(choiceIn(text, 3)).toBe(choice)
  })
})

describe('another attempt', () => {
  const reviewer = reviewerSchema.parse({ kind: 'score', max_attempts: 3, accept_score: 8, min_budget: 0.5 })

  it('starts until one is accepted, there were enough, or the budget is spent', () => {
    expect(isWorthAnother({ scores: [7.9], left: null }, reviewer)).toBe(true)
    expect(isWorthAnother({ scores: [8], left: null }, reviewer)).toBe(false)
    expect(isWorthAnother({ scores: [8], left: null }, { ...reviewer, max_accepts: 2 })).toBe(true)
    expect(isWorthAnother({ scores: [1, 2, 3], left: null }, reviewer)).toBe(false)
    expect(isWorthAnother({ scores: [1], left: 0.4 }, reviewer)).toBe(false)
    expect(isWorthAnother({ scores: [1], left: 0.6 }, reviewer)).toBe(true)
  })

  it('of a chooser always starts while there is budget', () => {
    expect(isWorthAnother({ scores: [0, 0], left: null }, { ...reviewer, kind: 'chooser' })).toBe(true)
  })
})
