import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCtrf, readOwnMetrics, readRewards } from '../../../../src/targets/task/evaluate/read-reward.ts'
import { Unscored } from '../../../../src/targets/task/evaluate/score.ts'
import { folderWith } from '../../../support/assay.ts'

const classOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof Unscored) return error.errorClass
    throw error
  }
  return 'scored'
}

describe('the reward written by tests', () => {
  test.each([
    [{ 'reward.txt': '1\n' }, { reward: 1 }],
    [{ 'reward.txt': ' 0.25' }, { reward: 0.25 }],
    [{ 'reward.json': '{"reward": 0.5, "speed": 12, "is_fast": true, "name": "x"}' }, { reward: 0.5, speed: 12 }],
    [
      { 'reward.json': '{"speed": 12}', 'reward.txt': '1' },
      { reward: 1, speed: 12 },
    ],
    [{ 'reward.json': '{"reward": 0.5}', 'reward.txt': '1' }, { reward: 0.5 }],
  ])('%j is %j', (files, rewards) => {
    expect(readRewards(folderWith(files))).toEqual(rewards)
  })

  test.each([
    [{}, 'reward_file_not_found'],
    [{ 'reward.txt': '' }, 'reward_file_empty'],
    [{ 'reward.txt': ' \n' }, 'reward_file_empty'],
    [{ 'reward.json': '{}' }, 'reward_file_empty'],
    [{ 'reward.json': '{"ok": true}' }, 'reward_file_empty'],
    [{ 'reward.txt': 'passed' }, 'reward_not_a_number'],
    [{ 'reward.txt': 'nan' }, 'reward_not_a_number'],
    [{ 'reward.txt': '1 0' }, 'reward_not_a_number'],
    [{ 'reward.json': '[1]' }, 'reward_not_a_number'],
    [{ 'reward.json': '{"reward": ' }, 'reward_not_a_number'],
  ])('%j gives no score: %s', (files, errorClass) => {
    expect(classOf(() => readRewards(folderWith(files)))).toBe(errorClass)
  })

  test('a link out of the folder, a pipe, a folder and a huge file are not rewards', () => {
    const elsewhere = folderWith({ 'reward.txt': '1' })
    const linked = folderWith({})
    symlinkSync(join(elsewhere, 'reward.txt'), join(linked, 'reward.txt'))
    const piped = folderWith({})
    execFileSync('mkfifo', [join(piped, 'reward.txt')])
    const nested = folderWith({})
    mkdirSync(join(nested, 'reward.txt'))
    const huge = folderWith({ 'reward.txt': '1' })
    truncateSync(join(huge, 'reward.txt'), 10_000_000_000)
    for (const folder of [linked, piped, nested, huge])
      expect(classOf(() => readRewards(folder))).toBe('reward_file_unreadable')
  })
})

test('results per test come from ctrf.json only', () => {
  const tests = [
    { name: 'adds', status: 'passed' },
    { name: 'divides', status: 'failed', message: 'by zero', trace: 'line 3' },
    { name: 'skips', status: 'skipped' },
    { status: 'failed' },
    'no test',
  ]
  expect(readCtrf(folderWith({ 'ctrf.json': JSON.stringify({ results: { tests } }) }))).toEqual([
    { name: 'adds', passed: true, rubric: null, output: null },
    { name: 'divides', passed: false, rubric: null, output: 'by zero\nline 3' },
    { name: 'skips', passed: true, rubric: null, output: null },
  ])
  expect(readCtrf(folderWith({ 'ctrf.json': 'null' }))).toEqual([])
  expect(readCtrf(folderWith({}))).toEqual([])
})

test("a task's own metrics may be flat, or custom beside standard ones", () => {
  expect(readOwnMetrics(folderWith({ 'metrics.json': '{"lines": 12, "name": "x"}' }))).toEqual({
    standard: {},
    custom: { lines: 12 },
  })
  const both = '{"standard_metrics": {"score": 1}, "custom_metrics": {"code_complexity": 3, "note": "x"}}'
  expect(readOwnMetrics(folderWith({ 'metrics.json': both }))).toEqual({
    standard: { score: 1 },
    custom: { code_complexity: 3 },
  })
  expect(readOwnMetrics(folderWith({ 'metrics.json': 'no JSON' }))).toEqual({ standard: {}, custom: {} })
})
