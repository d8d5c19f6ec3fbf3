import { expect, test } from 'vitest'
import { findConfig } from '../../src/define/load-experiment.ts'
import { errorOf, folderWith } from './example.ts'

test('an experiment file here takes precedence over Cascade’s default', () => {
  expect(findConfig(folderWith({ 'experiment.toml': '', 'bench/experiments/default.json': '' }))).toBe(
    'experiment.toml',
  )
  expect(findConfig(folderWith({ 'bench/experiments/default.json': '' }))).toBe('bench/experiments/default.json')
})

test('without any, lists what to give', () => {
  expect(errorOf(() => findConfig(folderWith({})))).toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('experiment.yaml'),
  })
})

test('of a named folder, reports what is missing there', () => {
  expect(errorOf(() => findConfig(folderWith({}), 'bench'))).toMatchObject({
    code: 'usage',
    message: 'bench contains neither an experiment file nor the results of an experiment',
  })
})
