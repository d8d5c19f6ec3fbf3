import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Json, JsonObject } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { validTargetSpec } from '../../check/valid-target-spec.ts'
import type { Experiment, Factor, MetricSpec, SearchSpec } from '../../experiment.ts'
import type { SourceProblem } from '../../problems.ts'
import type { LoadContext } from '../dialect.ts'
import { modelsFrom } from '../models-from.ts'
import type { Parameters } from './parameters.ts'
import type { WrittenSweep } from './sweep-schema.ts'

/**
 * Sweeps over context strategies are written for a program, `scripts/run_sweep.py`, that starts SWE-agent. If that
 * program is missing, the built-in agent does the same work: this file defines the meaning of its parameters.
 */
const programPath = /(^|[\\/])scripts[\\/]run_sweep\.py$/

/** Whether a sweep is for that program, and the program is missing. */
export function isAgentSweep({ program }: WrittenSweep, { cwd, folder }: Pick<LoadContext, 'cwd' | 'folder'>): boolean {
  if (program === undefined || !programPath.test(program)) return false
  return ![cwd, folder].some(place => existsSync(resolve(place, program)))
}

const summarising = ['llm_summary', 'hybrid']
const masking = ['observation_masking', 'hybrid']
const strategies = ['raw', 'observation_masking', 'llm_summary', 'hybrid']

/** Parameters of the variant, each with the strategies that use it; without a list, all of them do. */
const settings: { readonly [name: string]: { readonly of?: readonly string[]; readonly isYesNo?: true } } = {
  model: {},
  strategy: {},
  summarizer_model: { of: summarising },
  call_limit: {},
  cost_limit: {},
  hp_obs_n: { of: masking },
  hp_obs_polling: { of: masking },
  hp_sum_n: { of: summarising },
  hp_sum_keep_m: { of: summarising },
  hp_sum_static_checkpoint: { of: summarising, isYesNo: true },
  hp_sum_extract_actions: { of: summarising, isYesNo: true },
  hp_sum_max_action_length: { of: summarising },
  hp_sum_max_reasoning_length: { of: summarising },
  hp_sum_omit_turns: { of: summarising, isYesNo: true },
}

/** Parameters about the instances and the environment of runs: one value for all variants. */
const surroundings = [
  'instances_subset',
  'instances_slice',
  'instances_filter',
  'instances_shuffle',
  'instances_shuffle_seed',
  'num_workers',
]

/** Accepted, but without effect here. */
const cloud = /^(tracker|wandb(_\w+)?|(no_)?weave(_project)?|execution|dry_run)$/

/** Aggregates over instances, and the metric of one instance whose mean they are. */
const aggregates: { readonly [name: string]: string } = {
  submission_rate: 'submitted',
  avg_cost: 'total_cost',
  avg_turns: 'n_turns',
  avg_api_calls: 'agent_api_calls',
  avg_tokens_per_turn: 'tokens_per_turn',
  avg_patch_lines: 'patch_lines',
  avg_duration_ms: 'instance_duration_ms',
}

/** The paper's values, used when a sweep gives none. */
const usual = { hp_sum_n: 21, hp_sum_keep_m: 10 } as const

type Translated = Pick<
  Experiment,
  'target' | 'params' | 'factors' | 'constraints' | 'metrics' | 'search' | 'models'
> & {
  readonly jobs: number | null
  readonly notes: readonly string[]
  readonly problems: readonly SourceProblem[]
}

/** The sweep on the built-in agent: a trial is a variant over all instances. */
export function agentSweep(
  written: WrittenSweep,
  { factors, params }: Pick<Parameters, 'factors' | 'params'>,
  search: SearchSpec,
  context: LoadContext,
): Translated {
  const given = givenLevels(factors, params)
  const problems = [...nameProblems(given), ...strategyProblems(given), ...constantProblems(given)]
  const variant = variantOf(given)
  problems.push(...keepProblems(variant))
  const around = (name: string): Json | undefined => given.find(one => one.name === name)?.levels[0]
  const place = instancesAt(written.assay.instances, String(around('instances_subset') ?? 'verified'), context)
  if ('problem' in place) problems.push(place.problem)
  const metric = search.metric === null ? null : (aggregates[search.metric] ?? search.metric)
  const workers = around('num_workers')
  return {
    target: validTargetSpec(context.targets, {
      kind: 'agent',
      tasks: 'path' in place ? place.path : '.',
      select: selectionOf(around),
    }),
    params: Object.fromEntries(variant.constants.map(({ name, levels }) => [name, levels[0] ?? null])),
    factors: variant.factors,
    constraints: variant.constraints,
    metrics: metricOf(metric, search),
    search: { ...search, metric, counts: 'variants', value: 'last', proposals: undefined },
    ...(written.assay.models !== undefined && { models: modelsFrom(written.assay.models, context) }),
    jobs: typeof workers === 'number' ? workers : null,
    notes: notesOf(written, given, metric, { search, file: context.file }),
    problems,
  }
}

interface Given {
  /** With underscores. */
  readonly name: string
  /** In the original spelling. */
  readonly written: string
  readonly levels: readonly Json[]
  readonly factor: Factor | null
}

function givenLevels(factors: readonly Factor[], params: JsonObject): readonly Given[] {
  return [
    ...factors.map(factor => ({ written: factor.name, levels: factor.levels, factor })),
    ...Object.entries(params).map(([written, value]) => ({ written, levels: [value], factor: null })),
  ].map(one => {
    const name = one.written.replaceAll('-', '_')
    return { ...one, name, levels: asProgramReads(name, one.levels) }
  })
}

/** Words for yes and no, as the program reads them: everything that is not a yes is a no. */
function asProgramReads(name: string, levels: readonly Json[]): readonly Json[] {
  if (settings[name]?.isYesNo !== true && name !== 'instances_shuffle') return levels
  const isKept = (level: Json) => typeof level === 'boolean' || level === 'legacy'
  const meant = levels.map(level => (isKept(level) ? level : /^(1|true|t|yes|y)$/i.test(String(level))))
  return [...new Set(meant)]
}

function nameProblems(given: readonly Given[]): readonly SourceProblem[] {
  const known = [...Object.keys(settings), ...surroundings]
  return given
    .filter(({ name }) => !known.includes(name) && !cloud.test(name))
    .map(({ name, written }) => ({
      path: ['parameters', written],
      part: 'key' as const,
      message: `scripts/run_sweep.py has no option --${written.replaceAll('_', '-')}`,
      hint: didYouMean(name, known)?.replaceAll('_', '-') ?? `it has ${known.join(', ').replaceAll('_', '-')}`,
    }))
}

/** A user's own strategy is a module. */
const strategyProblems = (given: readonly Given[]): readonly SourceProblem[] =>
  given
    .filter(({ name }) => name === 'strategy')
    .flatMap(({ levels }) => levels.map(String))
    .filter(name => !strategies.includes(name) && !/\.[cm]?[jt]s$/.test(name))
    .map(name => ({
      path: ['parameters', 'strategy'],
      message: `there is no strategy ${JSON.stringify(name)}`,
      hint: didYouMean(name, strategies) ?? `there are ${strategies.join(', ')}, and modules of your own: ./mine.ts`,
    }))

/** Variants with different instances could not be compared. */
const constantProblems = (given: readonly Given[]): readonly SourceProblem[] =>
  given
    .filter(({ name, factor }) => surroundings.includes(name) && factor !== null && factor.levels.length !== 1)
    .map(({ written }) => ({
      path: ['parameters', written],
      message: `"${written}" must have one value: variants are compared on the same instances`,
      hint: 'make a sweep for each',
    }))

interface Variant {
  readonly factors: readonly Factor[]
  readonly constants: readonly Given[]
  readonly constraints: readonly string[]
}

/** Parameters that a strategy does not use are absent, so variants that behave the same are one. */
function variantOf(given: readonly Given[]): Variant {
  const strategy = given.find(({ name }) => name === 'strategy')
  const chosen = strategy === undefined ? ['raw'] : strategy.levels.map(String)
  const factors: Factor[] = []
  const constants: Given[] = []
  for (const one of given) {
    const setting = settings[one.name]
    if (setting === undefined) continue
    const looking = chosen.filter(name => setting.of?.includes(name) ?? true)
    if (looking.length === 0) continue
    const isAlways = looking.length === chosen.length
    if (isAlways && one.factor === null) constants.push(one)
    else factors.push({ ...one.factor, name: one.name, levels: one.levels, when: isAlways ? null : whenOf(looking) })
  }
  return { factors, constants, constraints: keepConstraints([...factors, ...constants]) }
}

/**
 * Notes on a sweep whose program is available: parameters that a strategy does not use multiply equivalent
 * combinations. Includes the lines of a native file that avoid this.
 */
export function combinationNotes(
  { program }: WrittenSweep,
  { factors, params }: Pick<Parameters, 'factors' | 'params'>,
): readonly string[] {
  const given = givenLevels(factors, params)
  const strategy = given.find(({ name }) => name === 'strategy')?.levels.map(String) ?? []
  const varied = given.filter(({ factor }) => factor !== null)
  const isListed = varied.every(({ levels }) => levels.length > 0)
  if (program === undefined || !programPath.test(program) || !isListed || strategy.length === 0) return []
  const product = (which: readonly Given[]) => which.reduce((count, { levels }) => count * levels.length, 1)
  const others = varied.filter(({ name }) => name !== 'strategy')
  const counts = (name: string, looking: string) => settings[name]?.of?.includes(looking) ?? true
  const differing = strategy.reduce((sum, one) => sum + product(others.filter(({ name }) => counts(name, one))), 0)
  const all = product(varied)
  if (differing === all) return []
  const conditional = others.filter(({ name }) => !strategy.every(one => counts(name, one)))
  const lines = conditional.map(({ name, written, levels }) => {
    const looking = strategy.filter(one => counts(name, one))
    return `  ${written}: { values: ${JSON.stringify(levels)}, when: "${whenOf(looking)}" }`
  })
  const number = (count: number) => count.toLocaleString('en-US')
  return [
    `${number(all)} combinations, of which ${number(differing)} differ: parameters that a strategy ignores change nothing. A native file (\`factors\`) says so with\n${lines.join('\n')}`,
  ]
}

const whenOf = (names: readonly string[]): string => `strategy in [${names.map(name => `'${name}'`).join(', ')}]`

/** k < s: fewer turns stay than a summary takes in. */
function keepConstraints(given: readonly { readonly name: string }[]): readonly string[] {
  const has = (name: string) => given.some(one => one.name === name)
  const part = (name: keyof typeof usual) => (has(name) ? name : String(usual[name]))
  if (!has('hp_sum_n') && !has('hp_sum_keep_m')) return []
  return [`${part('hp_sum_keep_m')} < ${part('hp_sum_n')}`]
}

/** Reports if no sensible combination is left; single ones are left out of the plan by the constraint. */
function keepProblems({ factors, constants }: Variant): readonly SourceProblem[] {
  const levelsOf = (name: keyof typeof usual): readonly number[] | null => {
    const found = [...factors, ...constants].find(one => one.name === name)
    if (found === undefined) return [usual[name]]
    const numbers = found.levels.filter(level => typeof level === 'number')
    return numbers.length === 0 ? null : numbers
  }
  const [n, m] = [levelsOf('hp_sum_n'), levelsOf('hp_sum_keep_m')]
  const isGiven = [...factors, ...constants].some(({ name }) => name in usual)
  if (!isGiven || n === null || m === null || Math.min(...m) < Math.max(...n)) return []
  return [
    {
      path: ['parameters', 'hp-sum-keep-m'],
      message: `hp-sum-keep-m (${Math.min(...m)}) must be less than hp-sum-n (${Math.max(...n)}): a summary that leaves as many turns as it takes in keeps more than it saves`,
      hint: 'the paper has 10 of 21',
    },
  ]
}

function selectionOf(around: (name: string) => Json | undefined): JsonObject {
  const [slice, filter, seed] = ['slice', 'filter', 'shuffle_seed'].map(name => around(`instances_${name}`))
  return {
    shuffle: around('instances_shuffle') === true,
    ...(seed !== undefined && { shuffle_seed: seed }),
    ...(slice !== undefined && slice !== null && { slice: String(slice) }),
    ...(filter !== undefined && filter !== null && { filter: String(filter) }),
  }
}

type Place = { readonly path: string } | { readonly problem: SourceProblem }

/** The value of `--instances`, or a file or folder named like the subset in a folder `instances`. */
function instancesAt(given: string | undefined, subset: string, { folder, cwd }: LoadContext): Place {
  if (given !== undefined) return { path: given }
  const places = [...new Set([folder, resolve(folder, '..'), cwd])].flatMap(place => [
    join(place, 'instances', `${subset}.jsonl`),
    join(place, 'instances', subset),
  ])
  const found = places.find(existsSync)
  if (found !== undefined) return { path: found }
  return {
    problem: {
      path: ['parameters', 'instances-subset'],
      message: `the instances of "${subset}" are not on this machine, and nothing is downloaded`,
      hint: `put the dataset at ${places[0]} (SWE-bench, one JSON object per line), or name task folders or a .jsonl file with --instances`,
    },
  }
}

const metricOf = (metric: string | null, { goal }: SearchSpec): readonly MetricSpec[] =>
  metric === null ? [] : [{ name: metric, goal, primary: true, source: { kind: 'reported' } }]

function notesOf(
  { program }: WrittenSweep,
  given: readonly Given[],
  metric: string | null,
  { search, file }: { readonly search: SearchSpec; readonly file: string | null },
): readonly string[] {
  const strategy = given.find(({ name }) => name === 'strategy')
  const chosen = strategy?.levels.map(String) ?? ['raw']
  const idle = given.filter(({ name }) => settings[name]?.of?.some(one => chosen.includes(one)) === false)
  return [
    ...(file === null
      ? []
      : [`${program} is not here: the built-in agent does its work, with the same parameters; nothing is sent to W&B`]),
    ...(file === null && given.some(({ name }) => cloud.test(name))
      ? ['nothing is sent to W&B or Weave: metrics and traces of calls are in the directory of the experiment']
      : []),
    ...(metric === search.metric
      ? []
      : [`${search.metric} is the mean of "${metric}" over the instances of a variant`]),
    ...(idle.length === 0
      ? []
      : [
          `${idle.map(({ written }) => `"${written}"`).join(', ')} ${idle.length === 1 ? 'changes' : 'change'} nothing for ${chosen.join(', ')}: left out`,
        ]),
  ]
}
