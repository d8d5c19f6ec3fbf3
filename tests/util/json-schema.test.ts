import { describe, expect, it } from 'vitest'
import { schemaCheck } from '../../src/util/json-schema.ts'

describe('a JSON Schema as a check', () => {
  it.each([
    [{ required: ['z'] }, { k: 1 }, "must have required property 'z'"],
    [{ minimum: 3 }, 2, 'must be >= 3'],
    [{ properties: { a: { type: 'number' } } }, { a: 'x' }, 'a: must be number'],
    [{ properties: { a: true }, additionalProperties: false }, { b: 1 }, 'must NOT have additional properties: "b"'],
    [{ type: 'string', format: 'email' }, 'nobody', 'must match format "email"'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'must have property b when property a is present'],
    [{ items: [{ type: 'number' }], additionalItems: false }, [1, 2], 'must NOT have more than 1 items'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', const: { a: 1 } }, { a: 2 }, 'must be equal to constant'],
    [{ $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, [1, 'x'], '1: must be number'],
    [{ required: ['k'] }, { k: 1 }, null],
  ])('%j of %j', (schema, value, problem) => {
    expect(schemaCheck(schema)(value)).toBe(problem)
  })

  it('an invalid schema, or one of an unsupported version, is refused', () => {
    expect(() => schemaCheck({ type: 'nothing' })).toThrow('not a JSON Schema')
    expect(() => schemaCheck({ $schema: 'http://json-schema.org/draft-04/schema#' })).toThrow('draft-04')
  })
})
