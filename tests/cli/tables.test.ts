import { expect, it } from 'vitest'
import { optionFor, optionNames, optionSpec } from '../../src/cli/options.ts'
import { commandRows } from '../../src/cli/tables/commands/command-rows.ts'
import { optionIn, optionsOf } from '../../src/cli/tables/options/options-of.ts'
import { longFlag } from '../../src/util/words.ts'

it('no two options share a spelling', () => {
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

it('a command offers only existing choices of an option', () => {
  for (const command of commandRows)
    for (const name of optionNames.filter(one => command.own?.[one] !== undefined)) {
      expect(optionsOf(command)).toContain(name)
      const { choices } = optionSpec(name)
      // An option without a closed list may have one in a command.
      if (choices !== undefined)
        expect(choices).toEqual(expect.arrayContaining([...(command.own?.[name]?.choices ?? [])]))
    }
})

it('each command lists the formats that it writes, and no others', () => {
  const formatsOf = (name: string) => {
    const command = commandRows.find(one => one.name === name)
    return command && optionIn(command, 'format').choices?.toSorted()
  }
  expect(formatsOf('collect')).toEqual(['csv', 'jsonl'])
  expect(formatsOf('report')).toEqual(['comment', 'csv', 'html', 'json', 'junit', 'md', 'png', 'svg'])
  expect(formatsOf('export')).toEqual(['csv', 'jsonl', 'otlp', 'parquet'])
})
