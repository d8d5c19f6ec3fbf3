import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { modelSettings } from '../../../src/define/schema/models-schema.ts'
import { unpricedModels } from '../../../src/models/model-facts.ts'

test('models without a price are named with a line to paste', async () => {
  const lookup = { settings: {}, env: { OPENROUTER_API_KEY: 'x' } }
  const names = ['gpt-4o-mini', 'sim/echo', 'vendor/unheard-of', 'other/strange name:x', 'gtp-4o', 'kimi-k2']
  const found = await unpricedModels(names, lookup)
  expect(found.map(({ name }) => name)).toEqual(['vendor/unheard-of', 'other/strange name:x'])
  const settings = modelSettings.parse(parse(found.map(({ line }) => line).join('\n')))
  expect(await unpricedModels(names, { ...lookup, settings })).toEqual([])
})
