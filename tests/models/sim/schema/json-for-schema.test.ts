import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonForSchema } from '../../../../src/models/sim/schema/json-for-schema.ts'
import { violation } from '../../../../src/models/sim/schema/violation.ts'
import { SimRefused } from '../../../../src/models/sim/sim-refused.ts'
import type { Json, JsonObject } from '../../../../src/util/json.ts'
import { seededRandom } from '../../../../src/util/random.ts'

// Ajv is the reference, because most programs check answers with it.
const judge = (schema: JsonObject): ((value: Json) => boolean) => {
  const validate = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    ownProperties: true,
  }).compile(schema)
  return value => validate(value) as boolean
}

const tree: JsonObject = {
  $defs: {
    node: {
      type: 'object',
      properties: {
        label: { type: 'string', minLength: 1 },
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
        next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
      },
      required: ['label', 'children', 'next'],
      additionalProperties: false,
    },
  },
  $ref: '#/$defs/node',
}

const schemas: { readonly [name: string]: JsonObject } = {
  'a schema that contains itself': tree,
  'a reference to the root': {
    type: 'object',
    properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
    required: ['next'],
  },
  'references with escapes': {
    $defs: { 'a/b': { const: 1 }, 'c~d': { const: 2 }, 'e f': { const: 3 } },
    type: 'array',
    prefixItems: [{ $ref: '#/$defs/a~1b' }, { $ref: '#/$defs/c~0d' }, { $ref: '#/$defs/e%20f' }],
    minItems: 3,
  },
  'keywords beside a reference': { $defs: { n: { type: 'integer' } }, $ref: '#/$defs/n', minimum: 5, maximum: 7 },
  'allOf with properties on both sides': {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    allOf: [
      { properties: { b: { type: 'integer', minimum: 3 } }, required: ['b'] },
      { properties: { b: { maximum: 4 } } },
    ],
  },
  'oneOf whose ways overlap': { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] },
  'anyOf beside a limit': { anyOf: [{ type: 'string' }, { type: 'integer' }], maxLength: 3, minimum: 100 },
  not: { type: 'integer', minimum: 1, maximum: 3, not: { enum: [1, 3] } },
  'if, then and else': {
    type: 'object',
    properties: { kind: { enum: ['a', 'b'] } },
    required: ['kind'],
    if: { properties: { kind: { const: 'a' } } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    then: { properties: { size: { type: 'integer' } }, required: ['size'] },
    else: { properties: { name: { type: 'string' } }, required: ['name'] },
  },
  patterns: { type: 'string', pattern: '^[A-Z]{2}-\\d{4,6}(foo|bar)?$' },
  'a pattern with a length': { type: 'string', pattern: '^[a-z]+$', minLength: 12, maxLength: 20 },
  'limits that exclude': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
  'a range below zero': { type: 'integer', maximum: -5 },
  multiples: { type: 'number', multipleOf: 0.25, minimum: 1, maximum: 2 },
  'whole multiples of a fraction': { type: 'integer', multipleOf: 2.5, minimum: 1, maximum: 20 },
  'different items': { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true },
  'different texts': { type: 'array', items: { type: 'string' }, minItems: 4, uniqueItems: true },
  'items that are contained': {
    type: 'array',
    items: { type: 'integer' },
    contains: { minimum: 50 },
    minContains: 2,
    minItems: 3,
  },
  'a tuple that is closed': {
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'integer' }],
    items: false,
    minItems: 2,
  },
  'properties by pattern': {
    type: 'object',
    patternProperties: { '^x_\\d+$': { type: 'integer' } },
    additionalProperties: false,
    minProperties: 2,
  },
  'names of properties': {
    type: 'object',
    propertyNames: { pattern: '^[a-c]{2}$' },
    minProperties: 2,
    additionalProperties: { type: 'boolean' },
  },
  'properties that need others': {
    type: 'object',
    properties: { card: { type: 'integer' } },
    dependentRequired: { card: ['address'] },
    required: ['card'],
  },
  'few properties': { type: 'object', properties: { a: {}, b: {}, c: {} }, required: ['b'], maxProperties: 1 },
  'a property called __proto__': { type: 'object', required: ['__proto__'], minProperties: 1 },
  'no type at all': { properties: { a: { type: 'integer' } }, required: ['a'] },
  anything: {},
}

describe('some value satisfies', () => {
  test.each(Object.entries(schemas))('%s', (_, schema) => {
    const isValid = judge(schema)
    for (let seed = 0; seed < 25; seed++) {
      const value = jsonForSchema(schema, seededRandom(seed))
      expect(isValid(value), JSON.stringify(value)).toBe(true)
    }
  })

  test('formats', () => {
    const value = (format: string): Json => jsonForSchema({ type: 'string', format }, seededRandom(1))
    expect(Number.isNaN(Date.parse(String(value('date-time'))))).toBe(false)
    expect(value('uuid')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(URL.canParse(String(value('uri')))).toBe(true)
    expect(value('email')).toMatch(/^\S+@\S+\.\S+$/)
  })
})

describe('an unsatisfiable schema is refused by name', () => {
  test.each<[JsonObject, string]>([
    [{ type: 'string', pattern: '^(?=b)a$' }, '^(?=b)a$'],
    [{ type: 'string', format: 'moon-phase' }, 'moon-phase'],
    [{ type: 'integer', minimum: 5, maximum: 4 }, 'at least 5 and at most 4'],
    [{ type: 'array', items: { enum: [1, 2] }, minItems: 3, uniqueItems: true }, 'uniqueItems'],
    [{ $ref: '#/$defs/none' }, '#/$defs/none'],
    [{ $ref: 'https://example.com/schema' }, 'https://example.com/schema'],
    [{ type: 'object', unevaluatedProperties: false }, 'unevaluatedProperties'],
    [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, 'string and integer'],
    [
      {
        $defs: { n: { type: 'object', properties: { n: { $ref: '#/$defs/n' } }, required: ['n'] } },
        $ref: '#/$defs/n',
      },
      'without end',
    ],
    [{ type: 'object', properties: { a: false }, required: ['a'] }, 'allows nothing'],
  ])('%j', (schema, words) => {
    expect(() => jsonForSchema(schema, seededRandom(1))).toThrow(SimRefused)
    expect(() => jsonForSchema(schema, seededRandom(1))).toThrow(words)
  })
})

test('finds the same violations as ajv', () => {
  const value = fc.letrec<{ json: Json }>(tie => ({
    json: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<Json>(null, true, 0, 1, 2.5, -3, 7, '', 'a', 'ab', 'abc', 'xyz'),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'x1'), tie('json'), { maxKeys: 3 }),
    ),
  })).json
  fc.assert(
    fc.property(fc.constantFrom(...keywordSchemas), value, (schema, one) => {
      const plain: Json = JSON.parse(JSON.stringify(one))
      expect(violation(plain, schema) === null).toBe(judgeOf(schema)(plain))
    }),
    { numRuns: 1500 },
  )
})

const judges = new Map<JsonObject, (value: Json) => boolean>()
function judgeOf(schema: JsonObject): (value: Json) => boolean {
  const known = judges.get(schema) ?? judge(schema)
  judges.set(schema, known)
  return known
}

const keywordSchemas: readonly JsonObject[] = [
  ...Object.values(schemas),
  { type: ['integer', 'null'] },
  { enum: [1, 'a', null, { a: 1 }] },
  { const: ['a'] },
  { minLength: 2, maxLength: 2 },
  { minItems: 1, maxItems: 2 },
  { items: { type: 'integer' } },
  { required: ['a'], properties: { a: { minimum: 1 } } },
  { additionalProperties: { type: 'string' }, properties: { a: true } },
  { contains: { type: 'string' }, maxContains: 1 },
  { dependentSchemas: { a: { required: ['b'] } } },
  { minProperties: 1, maxProperties: 2 },
  { not: { type: 'string' } },
]
