import { resolve } from 'node:path'
import { isJsonObject, type Json } from '../../util/json.ts'
import type { Block, CellSpec, Directory, Experiment, MetricSpec, SearchSpec } from '../experiment.ts'
import { type OwnKey, ownKeys, readOwnModules } from '../own-modules.ts'
import { configError, parseSource, type SourceProblem } from '../problems.ts'
import { matchFiles } from '../read-files.ts'
import type { BlockLevels, WrittenCell } from '../schema/blocks-schema.ts'
import { experimentSchema } from '../schema/experiment-schema.ts'
import type { WrittenSearch } from '../schema/search-schema.ts'
import { checkExactNumbers } from '../source/check-exact-numbers.ts'
import { type Path, valueAt } from '../source/source.ts'
import { wordsAsText } from '../source/words-as-text.ts'
import type { Dialect, LoadContext } from './dialect.ts'
import { callsFrom, modelsFrom } from './models-from.ts'
import { nativeForm } from './native-form.ts'
import { nativeSpelling } from './native-spelling.ts'

/** assay's own way of writing an experiment; takes everything that no other dialect recognises. */
export const native: Dialect<'native'> & Required<Pick<Dialect, 'write'>> = {
  name: 'native',
  defaultFiles: ['experiment.yaml', 'experiment.yml', 'experiment.json', 'experiment.toml'],
  recognises: () => true,
  write: nativeForm,

  translate(written, context) {
    const source = wordsAsText(written, wordLists(written.value))
    checkExactNumbers(source)
    const own = readOwnModules(modulesIn(source.value), context.targets, context)
    if (own.problems.length > 0) throw configError(source, own.problems)
    const {
      $schema: _,
      seeds,
      blocks,
      factors,
      zip,
      naming,
      directory,
      search,
      cells,
      models,
      calls,
      targets: _targets,
      planners: _planners,
      stoppers: _stoppers,
      metric_sources: _sources,
      ...others
    } = parseSource(experimentSchema([...context.targets, ...own.targets], own.names), source)
    const { found, problems } = blocksOf(blocks, seeds, context)
    if (problems.length > 0) throw configError(source, problems)
    const python = nativeSpelling(others.params, factors, source, path => pathInSource(path, source.value))
    return {
      ...others,
      ...own.modules,
      ...(python && { python }),
      dialect: 'native',
      file: context.file,
      folder: context.folder,
      out_root: resolve(context.folder, others.out_root),
      factors: Object.entries(factors).map(([name, factor]) => ({ name, ...factor })),
      zip: zip.map(group => Object.entries(group).map(([name, levels]) => ({ name, levels, when: null }))),
      blocks: found,
      ...(models === undefined ? {} : { models: modelsFrom(models, context) }),
      ...(calls === undefined ? {} : { calls: callsFrom(calls, context) }),
      ...(cells === undefined ? {} : { cells: cells.map(cell => cellSpec(cell, others.replicates)) }),
      ...(search === undefined ? {} : searched(searchSpec(search, others.metrics), others.metrics)),
      ...(directory === undefined ? {} : { directory: directoryOf(directory, context) }),
      naming: naming === undefined ? { kind: 'slug' } : { kind: 'template', template: naming },
    } satisfies Experiment
  },

  pathInSource,
  pathOfOption(option, value) {
    if (option === 'instances') return ['target', 'tasks']
    if (option === 'branch_from') return ['target', 'branch_from']
    return option === 'seeds' && hasSeedBlock(value) ? ['blocks', 'seed'] : [option]
  },
  pathOfLimit: key => ['limits', key],
  settable: () => ({
    keys: Object.keys(experimentSchema([]).shape),
    maps: [
      { key: 'factors', holdsLevels: true },
      { key: 'params', holdsLevels: false },
      { key: 'blocks', holdsLevels: true },
      { key: 'metrics', holdsLevels: false },
    ],
  }),
}

const directoryOf = (written: 'named' | 'dated' | { readonly path: string }, { folder }: LoadContext): Directory =>
  typeof written === 'string' ? { kind: written } : { kind: 'exact', path: resolve(folder, written.path) }

/** The paths of modules, if they are lists of texts: the schema reports the others. */
function modulesIn(value: Json): { readonly [K in OwnKey]?: readonly string[] } {
  const lists = ownKeys.map(key => [key, valueAt(value, [key])] as const)
  return Object.fromEntries(
    lists.map(([key, list]) => [key, Array.isArray(list) ? list.filter(path => typeof path === 'string') : []]),
  )
}

/** The places of command-line words. */
function wordLists(value: Json): readonly Path[] {
  const ablations = valueAt(value, ['ablations'])
  const flags = Array.isArray(ablations) ? ablations.map((_, index) => ['ablations', index, 'flags']) : []
  return [['target', 'command'], ['hooks', 'setup'], ['hooks', 'cleanup'], ...flags]
}

function blocksOf(
  written: { readonly [name: string]: BlockLevels },
  seeds: readonly number[] | undefined,
  context: LoadContext,
): { found: readonly Block[]; problems: readonly SourceProblem[] } {
  const found: Block[] = []
  const problems: SourceProblem[] = []
  for (const [name, block] of Object.entries(written)) {
    const levels = 'levels' in block ? block.levels : matchFiles(block.pattern, context)
    if ('pattern' in block && levels.length === 0)
      problems.push({
        path: ['blocks', name],
        message: `no file matches ${block.pattern}`,
        hint: `looked in ${[...new Set([context.folder, context.cwd])].join(' and ')}`,
      })
    found.push({ name, levels })
  }
  if (seeds !== undefined && written.seed !== undefined)
    problems.push({
      path: ['seeds'],
      message: '"seeds" is short for "blocks.seed", and both are given',
      hint: 'leave one out',
    })
  else if (seeds !== undefined) found.push({ name: 'seed', levels: seeds })
  return { found, problems }
}

const cellSpec = ({ replicates, ...levels }: WrittenCell, usual: number): CellSpec => ({
  levels,
  replicates: replicates ?? usual,
})

/** Missing settings follow from the metrics: the primary one, or the only one, and its goal. */
function searchSpec(written: WrittenSearch, metrics: readonly MetricSpec[]): SearchSpec {
  const named = metrics.filter(({ name }) => name !== '*')
  const chosen = named.find(({ primary }) => primary) ?? (named.length === 1 ? named[0] : undefined)
  const metric = written.metric ?? chosen?.name ?? null
  const goal = written.goal ?? named.find(({ name }) => name === metric)?.goal ?? null
  const { method, impute, value, max_runs = null, seed = null, initial = null, early_stop = null } = written
  const also = (written.also ?? []).map(name => ({
    metric: name,
    goal: named.find(metric => metric.name === name)?.goal ?? 'minimize',
  }))
  const { target = null, settings, counts } = written
  return {
    ...(settings && { settings }),
    ...(counts === 'variants' && { counts }),
    method,
    metric,
    goal,
    also,
    max_runs,
    seed,
    target,
    value,
    impute,
    initial,
    early_stop,
  }
}

/** Sources of a single number: there is nothing to choose. */
const singleNumbers = ['csv', 'json', 'regex', 'reward']

/** If a search uses the best value of a run, that is the run's value in every table and comparison. */
function searched(search: SearchSpec, metrics: readonly MetricSpec[]): Pick<Experiment, 'search' | 'metrics'> {
  const isCounted = ({ name, source }: MetricSpec) =>
    search.value === 'best' && name === search.metric && !singleNumbers.includes(source.kind)
  const counted = metrics.map(metric =>
    isCounted(metric) ? { ...metric, goal: metric.goal ?? search.goal, value: 'best' as const } : metric,
  )
  return { search, metrics: counted }
}

/** Undoes the shorthands: `seeds`, a factor as a map, a single group of zipped factors. */
function pathInSource(path: Path, value: Json): Path {
  const [section, name, ...rest] = path
  if (section === 'blocks' && name === 'seed' && !hasSeedBlock(value)) return ['seeds', ...rest]
  const factor = section === 'factors' && name !== undefined ? valueAt(value, ['factors', name]) : null
  if (isJsonObject(factor) && factor.values !== undefined && rest[0] !== 'when')
    return ['factors', String(name), 'values', ...rest]
  if (section === 'zip' && isJsonObject(valueAt(value, ['zip']))) return ['zip', ...rest]
  return path
}

const hasSeedBlock = (value: Json): boolean => valueAt(value, ['blocks', 'seed']) !== undefined
