import { expect, test } from 'vitest'
import { modelSettings } from '../../../src/define/schema/models-schema.ts'
import { presets, providers, retired } from '../../../src/models/names/known-names.ts'
import { loadPriceTable } from '../../../src/models/prices/price-table.ts'
import { providerKinds } from '../../../src/models/route.ts'

test('every preset is a valid setting of an existing provider', () => {
  for (const [name, { provider, ...preset }] of Object.entries(presets)) {
    for (const one of [provider].flat()) expect(providers, name).toHaveProperty([one])
    // Durations and failures are written otherwise than they are kept.
    const { timeout_ms: _, failures: __, latency: ___, ...written } = preset
    expect(modelSettings.safeParse({ [name]: written }).error?.issues, name).toBeUndefined()
  }
})

test('every provider has a package and credentials', () => {
  for (const [name, provider] of Object.entries(providers)) {
    expect(providerKinds, name).toContain(provider.kind)
    expect(provider.title, name).not.toBe('')
    for (const key of provider.keys) expect(key, name).toMatch(/^[A-Z][A-Z0-9_]*$/)
    if (provider.kind === 'openai-compatible' && name !== 'openai-compatible')
      expect(provider.address, name).toMatch(/^https?:/)
  }
})

test('aliases of providers are unique', () => {
  const words = Object.entries(providers).flatMap(([name, { aliases = [] }]) => [name, ...aliases])
  expect(new Set(words).size).toBe(words.length)
})

test('retired models have a date and a replacement that is not retired earlier', () => {
  for (const [model, { on, nearest, provider }] of Object.entries(retired)) {
    expect(providers, model).toHaveProperty([provider])
    expect(on, model).toMatch(/^\d{4}-\d\d-\d\d$/)
    const next = retired[nearest]
    if (next !== undefined) expect(next.on > on, `${model} → ${nearest}`).toBe(true)
  }
})

test('replacements of retired models are in the price table', async () => {
  const table = await loadPriceTable()
  for (const [model, { nearest, provider }] of Object.entries(retired))
    expect(table.price(provider, nearest), `${model} → ${nearest}`).not.toBeNull()
})
