import { expect, test } from 'vitest'
import { experimentJsonSchema } from '../../src/define/load-experiment.ts'
import { isJsonObject, type Json } from '../../src/util/json.ts'
import { targets } from './example.ts'

const schema = JSON.parse(JSON.stringify(experimentJsonSchema(targets)))

test('only a name and a target are required, and unknown keys are refused', () => {
  expect(schema).toMatchObject({ required: ['name', 'target'], additionalProperties: false })
})

test('it describes the file, not the parsed result', () => {
  expect(schema.properties.limits.properties.timeout.type).toEqual(['string', 'number'])
})

test('every key has a description for editors', () => {
  expect(Object.entries(schema.properties).flatMap(([key, part]) => undescribed(part as Json, key))).toEqual([])
})

test('nothing in it depends on this machine', () => {
  expect(schema.properties.limits.properties.jobs).not.toHaveProperty('default')
})

test('editors report other refused values: empty and repeated lists, invalid ranges and limits, two sources', () => {
  const { factors, seeds, blocks, zip, limits, metrics } = schema.properties
  const distinct = { minItems: 1, uniqueItems: true }
  expect(factors.additionalProperties.anyOf[0]).toMatchObject(distinct)
  expect(factors.additionalProperties.anyOf[2].properties.values.anyOf[0]).toMatchObject(distinct)
  expect(seeds.anyOf[0]).toMatchObject(distinct)
  expect(blocks.additionalProperties.anyOf[0]).toMatchObject(distinct)
  expect(zip.anyOf[0].additionalProperties.anyOf[0]).not.toHaveProperty('uniqueItems')
  const takes = ({ pattern }: { pattern: string }, text: string) => new RegExp(pattern, 'u').test(text)
  const [, factorText] = factors.additionalProperties.anyOf
  expect(['1..5', 'hello', '7'].map(text => takes(factorText, text))).toEqual([true, false, false])
  expect(['7', '1,2', 'abc'].map(text => takes(seeds.anyOf[1], text))).toEqual([true, true, false])
  expect(['tasks/*', '1..3', 'abc'].map(text => takes(blocks.additionalProperties.anyOf[1], text))).toEqual([
    true,
    true,
    false,
  ])
  expect(['1h 30m', '5 fortnights'].map(text => takes(limits.properties.timeout, text))).toEqual([true, false])
  const halts = ['5', 'fail=5', '10%', 'fail = 12.5%', '100%', '200%', 'some']
  expect(halts.map(text => takes(limits.properties.halt, text))).toEqual([true, true, true, true, true, false, false])
  expect(JSON.stringify(metrics)).toContain('"not":{"anyOf":[{"required":["csv","json"]},')
})

function undescribed(part: Json, path: string): string[] {
  if (!isJsonObject(part) || path === 'target') return []
  const inner = isJsonObject(part.properties) ? Object.entries(part.properties) : []
  return [
    ...(part.description === undefined ? [path] : []),
    ...inner.flatMap(([key, item]) => undescribed(item, `${path}.${key}`)),
  ]
}
