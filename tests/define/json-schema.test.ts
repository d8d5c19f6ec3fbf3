import { expect, test } from 'vitest'
import { experimentJsonSchema } from '../../src/define/json-schema.ts'
import { isJsonObject, type Json } from '../../src/util/json.ts'
import { targets } from './example.ts'

const schema = JSON.parse(JSON.stringify(experimentJsonSchema(targets)))

test('only a name and a target are required, and unknown keys are refused', () => {
  expect(schema).toMatchObject({ required: ['name', 'target'], additionalProperties: false })
})

test('it describes what is written, not what comes of it', () => {
  expect(schema.properties.limits.properties.timeout.type).toEqual(['string', 'number'])
})

test('every key has a description, since it is help in editors', () => {
  expect(Object.entries(schema.properties).flatMap(([key, part]) => undescribed(part as Json, key))).toEqual([])
})

test('nothing in it depends on this machine', () => {
  expect(schema.properties.limits.properties.jobs).not.toHaveProperty('default')
})

function undescribed(part: Json, path: string): string[] {
  if (!isJsonObject(part) || path === 'target') return []
  const inner = isJsonObject(part.properties) ? Object.entries(part.properties) : []
  return [
    ...(part.description === undefined ? [path] : []),
    ...inner.flatMap(([key, item]) => undescribed(item, `${path}.${key}`)),
  ]
}
