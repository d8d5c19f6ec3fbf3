import { globSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadExperiment } from '../../../src/define/load-experiment.ts'
import {
  definitionVersion,
  limitsSetIn,
  storedExperiment,
  storedText,
} from '../../../src/define/stored/stored-experiment.ts'
import { targets } from '../../../src/targets/registry.ts'
import { AssayError } from '../../../src/util/errors.ts'
import type { Json, JsonObject } from '../../../src/util/json.ts'
import { experimentWith } from '../../plan/experiment.ts'

const examples = globSync('examples/*/*.{yaml,json,toml}').filter(file => {
  try {
    return loadExperiment(file, { targets, cwd: process.cwd() }) !== undefined
  } catch {
    return false
  }
})

const read = (text: string, version = definitionVersion) => storedExperiment(text, version, 'the definition')

describe('reads back what was stored', () => {
  it('finds the examples', () => expect(examples.length).toBeGreaterThan(8))

  it.each(examples)('of %s', file => {
    const experiment = loadExperiment(file, { targets, cwd: process.cwd() })
    expect(stored(read(storedText(experiment)))).toEqual(stored(experiment))
  })

  it('with a million levels, without looking at each', () => {
    const levels = Array.from({ length: 1_000_000 }, (_, index) => index)
    const { blocks } = read(JSON.stringify(experimentWith({ blocks: [{ name: 'seed', levels }] })))
    expect(blocks[0]?.levels).toHaveLength(1_000_000)
  })

  it('with whatever levels, a million seeds in a few letters', () => {
    const seeds = Array.from({ length: 1_000_000 }, (_, index) => index + 1)
    const million = experimentWith({ blocks: [{ name: 'seed', levels: seeds }] })
    expect(storedText(million).length).toBeLessThan(5000)
    expect(read(storedText(million)).blocks).toEqual(million.blocks)

    const range = fc
      .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 40 }))
      .map(([first, count]) => Array.from({ length: count }, (_, index) => first + index))
    const last = Number.MAX_SAFE_INTEGER
    const level = fc.oneof(fc.jsonValue(), fc.constantFrom('1..5', '1', 1, 2, 3, null)) as fc.Arbitrary<Json>
    const levels = fc.oneof(
      range,
      fc.array(level),
      fc.constantFrom([last - 2, last - 1, last], [last, last + 1, last + 2]),
    )
    fc.assert(
      fc.property(levels, levels, (own, given) => {
        const experiment = experimentWith({
          blocks: [{ name: 'task', levels: own }],
          factors: [{ name: 'a', levels: given, when: null }],
        })
        expect(stored(read(storedText(experiment)))).toEqual(stored(experiment))
      }),
    )
  })
})

it('reads the lists of version 2, which had no ranges', () => {
  const experiment = experimentWith({ blocks: [{ name: 'seed', levels: [1, 2, 3, 4] }] })
  expect(read(JSON.stringify(experiment), 2).blocks).toEqual(experiment.blocks)
})

it('adds defaults to a definition of version 1', () => {
  const { analysis: _, ...older } = stored(experimentWith({}))
  const search = { method: 'random', metric: null, goal: null, max_runs: 3, seed: null, impute: 'worst', initial: null }
  const python = { spelling: {}, floats: [], nested: ['optimizer.lr'] }
  const { limits, ...rest } = read(JSON.stringify({ ...older, limits: { jobs: 3 }, search, python }), 1)
  expect(rest).toMatchObject({
    analysis: { baseline: null },
    search: { ...search, also: [], early_stop: null },
    python: { nested: { 'optimizer.lr': ['optimizer', 'lr'] } },
  })
  expect(limits).toMatchObject({ jobs: 3, run_calls: null, initial_failures: 5 })
})

it('chooses the winner of a version 3 sweep by last values', () => {
  const search = { method: 'bayes', metric: 'm', goal: 'maximize', also: [], max_runs: null, seed: null }
  const older = { ...search, value: 'best', impute: 'worst', initial: null, early_stop: null }
  const readSearch = (dialect: string) =>
    read(JSON.stringify({ ...stored(experimentWith({})), dialect, search: older }), 3).search
  expect(readSearch('wandb-sweep')).toEqual({ ...older, value: 'last', proposals: 'best' })
  expect(readSearch('native')).toEqual(older)
})

it('says which field is wrong', () => {
  const broken = (change: JsonObject) => JSON.stringify({ ...stored(experimentWith({})), ...change })
  const message = (text: string) => {
    try {
      return read(text)
    } catch (error) {
      return error instanceof AssayError && error.message
    }
  }
  expect([
    message('{'),
    message('[]'),
    message(broken({ replicates: 'two' })),
    message(broken({ factors: [{ name: 'a', levels: 5, when: null }] })),
    message(broken({ blocks: [{ name: 'seed', levels: '5..1' }] })),
    message(broken({ limits: { jobs: '4' } })),
    message(broken({ colour: 'red' })),
    message(broken({ limits: { jobs: 4, run_gpu_s: 60 } })),
    message('{}'),
  ]).toMatchInlineSnapshot(`
    [
      "the definition can't be read: it is not JSON",
      "the definition can't be read: it is not an object",
      "the definition can't be read: replicates: expected number, received string",
      "the definition can't be read: factors.0.levels: expected a list",
      "the definition can't be read: blocks.0.levels: expected a list",
      "the definition can't be read: limits.jobs: expected number, received string",
      "the definition can't be read: Unrecognized key: "colour"",
      "the definition is of a newer assay (this one does not know the limit run_gpu_s)",
      "the definition can't be read: name: expected string, received undefined",
    ]
  `)
})

it('any corruption of a field is accepted or refused by name', () => {
  const whole = stored(experimentWith({ factors: [{ name: 'a', levels: [1, 2], when: null }] }))
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(whole)), fc.jsonValue(), (field, value) => {
      const text = JSON.stringify({ ...whole, [field]: value })
      try {
        expect(read(text)).toHaveProperty('name')
      } catch (error) {
        expect(error).toBeInstanceOf(AssayError)
        expect((error as AssayError).message).toMatch(/^the definition (can't be read: |is of a newer assay )/)
      }
    }),
  )
})

it('accepts limits stored separately from a definition, and nothing else', () => {
  const set = { jobs: 2, budget_usd: null, rate: { openai: null, sim: { rpm: 5, tpm: null, concurrency: null } } }
  expect(limitsSetIn(JSON.stringify(set), 'the limits')).toEqual(set)
  expect(() => limitsSetIn('{"jobs":"2"}', 'the limits')).toThrow("the limits can't be read: jobs: ")
  const newer = 'the limits is of a newer assay (this one does not know the limits speed and run_gpu_s)'
  expect(() => limitsSetIn('{"speed":2,"run_gpu_s":60}', 'the limits')).toThrow(newer)
})

const stored = (value: unknown): { readonly [key: string]: Json } => JSON.parse(JSON.stringify(value))
