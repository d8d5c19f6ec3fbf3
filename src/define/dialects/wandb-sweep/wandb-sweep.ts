import { basename, extname, resolve } from 'node:path'
import { isJsonObject, type Json } from '../../../util/json.ts'
import type { Experiment, MetricSpec, SearchSpec } from '../../experiment.ts'
import { configError, parseSource } from '../../problems.ts'
import { checkExactNumbers } from '../../source/check-exact-numbers.ts'
import { type Path, valueAt } from '../../source/source.ts'
import type { Dialect, LoadContext } from '../dialect.ts'
import { agentSweep, combinationNotes, isAgentSweep } from './agent-sweep.ts'
import { withoutIgnored } from './ignored-keys.ts'
import { parametersOf, pathOfParameter } from './parameters.ts'
import { asPyYaml } from './py-yaml.ts'
import { placeInCommand } from './sweep-command.ts'
import { sweepMistakes } from './sweep-mistakes.ts'
import { endlessNotes, sweepNotes } from './sweep-notes.ts'
import { sweepSchema, type WrittenSweep } from './sweep-schema.ts'
import { sweepTarget } from './sweep-target.ts'

/** A sweep file of Weights & Biases: the same runs, the same command lines, without its servers. */
export const wandbSweep: Dialect<'wandb-sweep'> = {
  name: 'wandb-sweep',
  // As PyYAML reads a file.
  lastKeyCounts: true,

  recognises(value) {
    const has = (key: string) => isJsonObject(value) && Object.hasOwn(value, key)
    if (['target', 'factors', 'matrix', 'common_args'].some(has)) return false
    const others = ['program', 'command', 'metric', 'early_terminate', 'run_cap', 'job', 'image_uri']
    return (has('parameters') || has('method')) && ['parameters', 'method', ...others].filter(has).length > 1
  },

  translate(given, context) {
    const { source, notes: ignored } = withoutIgnored(asPyYaml(given))
    checkExactNumbers(source)
    const written = parseSource(sweepSchema, source)
    const { factors, params, python, notes, problems } = parametersOf(written, source)
    const mistakes = [...sweepMistakes(written, source), ...problems]
    if (mistakes.length > 0) throw configError(source, mistakes)
    const { order = 'listed', seeds, out_root } = written.assay
    const agent = isAgentSweep(written, context)
      ? agentSweep(written, { factors, params }, searchOf(written), context)
      : null
    if (agent !== null && agent.problems.length > 0) throw configError(source, agent.problems)
    const own = {
      name: nameOf(written, context),
      dialect: 'wandb-sweep',
      description: written.description === '' ? (written.name ?? '') : written.description,
      file: context.file,
      folder: context.folder,
      out_root: resolve(context.folder, out_root),
      target: agent?.target ?? sweepTarget(written, source, context),
      params,
      factors,
      zip: [],
      include: [],
      exclude: [],
      ablations: [],
      constraints: [],
      blocks: seeds === undefined ? [] : [{ name: 'seed', levels: seeds }],
      replicates: 1,
      search: searchOf(written),
      order,
      seed: 1,
      limits: limitsOf(written, source.value),
      metrics: metricsOf(written),
      analysis: { baseline: null },
      inputs: [],
      outputs: [],
      hooks: { setup: null, cleanup: null },
      naming: { kind: 'slug' },
      record_env: [],
      python,
      notes: [...(given.notes ?? []), ...ignored, ...notes, ...sweepNotes(written, source)],
    } satisfies Experiment
    if (agent === null) return { ...own, notes: [...own.notes, ...combinationNotes(written, { factors, params })] }
    // On the command line a run has the program's own form of name.
    const { name = own.name } = context.file === null ? written : own
    return { ...onAgent(own, agent, source.value), name }
  },

  pathInSource,
  pathOfOption: option => (option === 'name' ? ['name'] : ['assay', option]),
  pathOfLimit: key => ['assay', 'limits', key],
  settable: () => ({
    keys: Object.keys(sweepSchema.unwrap().shape).filter(key => key !== 'assay'),
    maps: [{ key: 'parameters', holdsLevels: true, levelsKey: 'values', find: pathOfParameter }],
  }),
  notes: endlessNotes,
}

/** The same sweep, performed by the built-in agent. */
function onAgent(
  { python: _, ...own }: Experiment,
  { jobs, problems: __, notes, ...agent }: ReturnType<typeof agentSweep>,
  value: Json,
): Experiment {
  const isGiven = valueAt(value, ['assay', 'limits', 'jobs']) !== undefined
  return {
    ...own,
    ...agent,
    limits: jobs === null || isGiven ? own.limits : { ...own.limits, jobs },
    notes: [...(own.notes ?? []), ...notes],
  }
}

/** It names a directory. */
function nameOf({ name }: WrittenSweep, { file, folder }: LoadContext): string {
  const written = name ?? (file === null ? basename(folder) : basename(file, extname(file)))
  const plain = written.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-').replaceAll(/^[.-]+|[.-]+$/g, '')
  return [...plain].slice(0, 80).join('') || 'sweep'
}

function searchOf({ method, metric, run_cap, early_terminate }: WrittenSweep): SearchSpec {
  const { min_iter = null, max_iter = null, s = null } = early_terminate ?? {}
  return {
    method,
    metric: metric?.name ?? null,
    goal: metric?.goal ?? null,
    also: [],
    max_runs: run_cap ?? null,
    seed: null,
    target: metric?.target ?? null,
    // As in W&B: the winner by the summary, which is the last value logged; proposals by the best.
    value: metric?.value ?? 'last',
    proposals: 'best',
    impute: metric?.impute ?? 'worst',
    initial: null,
    early_stop: early_terminate === undefined ? null : { ...early_terminate, min_iter, max_iter, s },
  }
}

/** The metric of the sweep, and the values in TensorBoard's event files, where `sync_tensorboard` puts them. */
function metricsOf({ metric }: WrittenSweep): readonly MetricSpec[] {
  const events = { kind: 'tensorboard', file: 'out', optional: true }
  const all: MetricSpec = { name: '*', goal: null, primary: false, source: events }
  if (metric === undefined) return [all]
  const { name, goal, value } = metric
  const own: MetricSpec = { name, goal, primary: true, source: { kind: 'reported' } }
  return [value === 'best' ? { ...own, value } : own, all]
}

/** As in W&B's agent: one run at a time, since there may be only one GPU; half a minute to end. */
function limitsOf({ assay }: WrittenSweep, value: Json): Experiment['limits'] {
  const isGiven = (limit: string) => valueAt(value, ['assay', 'limits', limit]) !== undefined
  return { ...assay.limits, grace_ms: 30_000, ...(!isGiven('jobs') && { jobs: 1 }) }
}

function pathInSource(path: Path, value: Json): Path {
  const [section, name, ...rest] = path
  switch (section) {
    case 'factors':
    case 'params': {
      const found = pathOfParameter(String(name), value) ??
        pathOfParameter(String(name).replaceAll('_', '-'), value) ?? ['parameters']
      return typeof rest[0] === 'number' ? [...found, 'values', ...rest] : [...found, ...rest]
    }
    case 'target':
      return name === 'command' && isJsonObject(value) && value.command !== undefined
        ? ['command', ...rest.map(part => itemInCommand(part, value.command))]
        : ['program']
    case 'search':
      return pathInSearch(name)
    case 'metrics':
      return ['metric', 'name']
    case 'blocks':
      return ['assay', 'seeds']
    case 'limits':
      return ['assay', ...path]
    default:
      return path
  }
}

const itemInCommand = (part: string | number, command: Json | undefined) =>
  typeof part === 'number' && Array.isArray(command) ? placeInCommand(part, command) : part

function pathInSearch(name: string | number | undefined): Path {
  switch (name) {
    case 'max_runs':
      return ['run_cap']
    case 'early_stop':
      return ['early_terminate']
    case 'metric':
    case 'goal':
    case 'target':
    case 'impute':
      return ['metric', name]
    default:
      return ['method']
  }
}
