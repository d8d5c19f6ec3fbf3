import { expect, it } from 'vitest'
import { longFlag, optionFor, optionNames, optionSpec } from '../../src/cli/options.ts'

it('no two options share a word', () => {
  const words = optionNames.flatMap(name => {
    const { short, aliases = [] } = optionSpec(name)
    return [longFlag(name), ...aliases.map(alias => `--${alias}`), ...(short === undefined ? [] : [`-${short}`])]
  })
  expect(new Set(words).size).toBe(words.length)
})

it('finds an option by any of its spellings', () => {
  expect(['--retry-failed', '--retry_failed', '--limit', '-j', '--out_csv'].map(optionFor)).toEqual([
    'retryFailed',
    'retryFailed',
    'first',
    'jobs',
    'outCsv',
  ])
})
