import { resolve } from 'node:path'
import * as z from 'zod'
import { resolvePath } from '../../define/read-files.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import { grouped } from '../../util/words.ts'
import { checkedSettings } from './check-settings.ts'
import { parseArrivals } from './model/arrivals.ts'
import { defaultModel, originalRules } from './model/default-model.ts'
import { loadModel } from './model/load-model.ts'
import type { Model } from './model/model-schema.ts'
import { policies, type SimSettings } from './settings.ts'

function wholeNumber(least: 0 | 1, most: number) {
  const error = `expected a whole number from ${least} to ${grouped(String(most))}`
  return z.int({ error }).min(least, { error }).max(most, { error })
}
const trueOrFalse = z.boolean({ error: 'expected true or false' })
/** Cascade's sweep runner leaves the flag out for what Python takes for false. */
const routing = z.lazy(() =>
  z.preprocess(value => (value === 0 || value === null || value === '' ? false : value === 1 || value), trueOrFalse),
)
const policy = z.enum(policies, { error: `expected one of ${policies.join(', ')}` })
const expectedSeed = 'expected a whole number from 0 to 18446744073709551615'
const seed = z
  .custom<number | string>(value => isSeed(value), { error: expectedSeed })
  .transform(value => BigInt(value))

function isSeed(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0
  return typeof value === 'string' && /^\d{1,20}$/.test(value) && BigInt(value) < 1n << 64n
}

/** Every parameter of a simulation, with the names and defaults of Cascade's simulator first. */
export const simParams = z.lazy(() =>
  z.strictObject({
    workflows: wholeNumber(1, 10_000_000).default(100).describe('Workflows.'),
    pdfs: wholeNumber(1, 100_000).default(10).describe('Documents of each.'),
    iters: wholeNumber(1, 1_000).default(3).describe('Iterations at most.'),
    subqueries: wholeNumber(0, 100_000).default(4).describe('Searches per document.'),
    policy: policy.default('full').describe('Which node runs first, and on which tier.'),
    seed: seed.default(1n).describe('Fixes everything that is random.'),
    time_scale: wholeNumber(1, 1_000_000_000).default(50).describe('Accepted and without effect: time is virtual.'),
    enable_model_routing: routing.default(false).describe('Choose tiers by price, within the budget of a workflow.'),
    disable_hedging: trueOrFalse.default(false),
    disable_escalation: trueOrFalse.default(false),
    disable_dag_priority: trueOrFalse.default(false),
    heavy_tail_prob: z
      .number({ error: 'expected a probability from 0 to 1' })
      .min(0, { error: 'expected a probability from 0 to 1' })
      .max(1, { error: 'expected a probability from 0 to 1' })
      .optional()
      .describe('Chance that a step takes heavy_tail_mult times as long.'),
    heavy_tail_mult: z
      .number({ error: 'expected a number above 0' })
      .positive({ error: 'expected a number above 0' })
      .optional(),
    model: z.string().min(1).optional().describe('A file that describes workload, providers and distributions.'),
    arrivals: z.string().min(1).optional().describe('all_at_once, poisson:<per second> or trace:<file.csv>.'),
    spill: trueOrFalse.optional().describe('Every policy may use a dearer tier when the cheaper ones are full.'),
    original_rules: trueOrFalse.default(false).describe("The rules of Cascade's simulator where they differ."),
    trace: z
      .enum(['all', 'attempts', 'none'], { error: 'expected all, attempts or none' })
      .default('all')
      .describe('How much goes into trace.json.'),
  }),
)

export type SimParams = z.output<typeof simParams>

/** Where relative paths start. */
export interface Places {
  readonly folder: string
  readonly cwd: string
}

/** Checked parameters, or one error that names each that is wrong. */
export function parseParams(given: JsonObject): SimParams {
  const result = simParams.safeParse(given)
  if (result.success) return result.data
  const lines = result.error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownParameter)
    const name = String(issue.path[0])
    return [`${name}: ${issue.message}, got ${JSON.stringify(given[name])}`]
  })
  throw new AssayError('config', lines.join('\n'))
}

function unknownParameter(name: string): string {
  const hint = didYouMean(name, Object.keys(simParams.unwrap().shape))
  return `${name}: the simulator has no such parameter${hint === undefined ? '' : `; ${hint}`}`
}

/** One simulation, its model loaded and checked. */
export function settingsOf(params: SimParams, places: Places): SimSettings {
  return checkedSettings({ ...params, model: modelOf(params, places) })
}

function modelOf(params: SimParams, places: Places): Model {
  const { heavy_tail_prob, heavy_tail_mult, arrivals, spill } = params
  const model = params.model === undefined ? defaultModel : loadModel(resolvePath(params.model, places), places.cwd)
  const rules = params.original_rules ? originalRules : model.rules
  return {
    ...model,
    heavy_tail: {
      probability: heavy_tail_prob ?? model.heavy_tail.probability,
      multiplier: heavy_tail_mult ?? model.heavy_tail.multiplier,
    },
    arrivals: arrivals === undefined ? model.arrivals : locatedArrivals(arrivals, places),
    rules: { ...rules, spill: spill ?? rules.spill },
  }
}

function locatedArrivals(text: string, places: Places): Model['arrivals'] {
  const arrivals = parseArrivals(text)
  if (arrivals === 'all_at_once' || !('trace' in arrivals)) return arrivals
  return { trace: resolve(resolvePath(arrivals.trace, places)) }
}
