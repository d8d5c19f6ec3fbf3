import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize, relative as relativePath, resolve, sep } from 'node:path'
import { isJsonObject, type Json } from '../../../util/json.ts'
import { suggest } from '../../../util/suggest.ts'
import { validTargetSpec } from '../../check/valid-target-spec.ts'
import type { Experiment, MetricSpec } from '../../experiment.ts'
import { configError, parseSource } from '../../problems.ts'
import { foldersUpward } from '../../read-files.ts'
import { type Path, valueAt } from '../../source/source.ts'
import type { Dialect, LoadContext } from '../dialect.ts'
import { callsFrom, modelsFrom } from '../models-from.ts'
import { branchesOf, branchState, branchWithPath } from './batch-branches.ts'
import { designOf } from './batch-design.ts'
import { batchMistakes, directoryMistakes, hintsOf, resumeMistakes } from './batch-mistakes.ts'
import { batchSchema, limitPaths, type WrittenBatch } from './batch-schema.ts'
import { describeVariation, modificationsOf } from './batch-variation.ts'
import { explainOutcome } from './batch-words.ts'
import { dimensionsIn } from './dimensions.ts'

/** A batch of Scenario Lab: a scenario, what varies in it, how often each variation runs, and what it may cost. */
export const scenarioBatch: Dialect<'scenario-batch'> = {
  name: 'scenario-batch',
  defaultFiles: ['batch-config.yaml'],

  recognises(value) {
    if (!isJsonObject(value) || ['target', 'factors', 'matrix'].some(key => Object.hasOwn(value, key))) return false
    const keys = Object.keys(value)
    return marks.some(mark => keys.includes(mark) || suggest(mark, keys) !== null)
  },

  translate(source, context) {
    const hints = hintsOf(source.value)
    if (hints.length > 0) throw configError(source, hints)
    const written = parseSource(batchSchema, source)
    const output = outputOf(written, context)
    const from = resolve(dirnameOfPaths(written, context), written.resume_from ?? '.')
    const mistakes = [
      ...batchMistakes(source.value),
      ...resumeMistakes(written.resume_from, { from, output }),
      ...directoryMistakes(output),
    ]
    if (mistakes.length > 0) throw configError(source, mistakes)
    const { limits, order, seed, seeds, sample, models, calls, metrics, baseline } = written.assay
    return {
      name: written.experiment_name,
      dialect: 'scenario-batch',
      description: written.description?.trim() ?? '',
      file: context.file,
      folder: folderOfPaths(written, context),
      out_root: dirname(output),
      directory: { kind: 'exact', path: output },
      target: validTargetSpec(
        context.targets,
        { kind: 'scenario', scenario: written.base_scenario },
        { source, pathOf: pathInSource },
      ),
      params: {},
      ...designOf(source.value, { sample, seed }),
      // Every variation also continues from there, besides the runs that start at the beginning: those keep their
      // names.
      include: branchesOf(written.assay, run => runFrom(run, output, context)),
      exclude: [],
      ablations: [],
      constraints: [],
      // The same seed for the same run of every variation: shared chance, such as events, pairs them.
      blocks: [
        { name: 'seed', levels: seeds ?? Array.from({ length: written.runs_per_variation }, (_, at) => at + 1) },
      ],
      replicates: 1,
      order,
      seed,
      limits: {
        ...limits,
        jobs: written.max_parallel,
        timeout_ms: written.timeout_per_run,
        budget_usd: written.budget_limit,
        run_budget_usd: written.cost_per_run_limit,
      },
      ...modelsOf(models, written, context),
      ...(calls === undefined ? {} : { calls: callsFrom(calls, context) }),
      metrics: Object.entries(metrics).map(
        ([name, { goal, primary }]): MetricSpec => ({
          ...{ name, goal, primary, source: { kind: 'reported' } },
        }),
      ),
      analysis: { baseline },
      inputs: [],
      outputs: [],
      hooks: { setup: null, cleanup: null },
      naming: { kind: 'template', template: 'var-{variant:3}-run-{run:3}' },
      record_env: [],
      kept: { runs: written.save_individual_runs ? 'all' : 'failed', analysis: written.aggregate_metrics },
    } satisfies Experiment
  },

  pathInSource,
  pathOfOption: option => optionPaths[option] ?? ['assay', option],
  pathOfLimit: key => limitPaths[key] ?? ['assay', 'limits', key],
  settable: () => ({ keys: Object.keys(batchSchema.unwrap().shape), maps: [branchState] }),
  explain: explainOutcome,
  variation: (params, { factors, zip }) => ({
    description: describeVariation(params, [...factors, ...zip.flat()]),
    modifications: { ...modificationsOf(params) },
  }),
}

/** Keys that no other kind of file has. */
const marks = ['base_scenario', 'runs_per_variation']

const optionPaths: { readonly [option: string]: Path } = { name: ['experiment_name'], out_root: ['output_dir'] }

/**
 * The base of relative paths: the place where `base_scenario` is found, in the folder of the file, in the working
 * directory or in a folder above the file, as for a file in its `output_dir`; so that all paths of a file have one
 * base.
 */
function dirnameOfPaths({ base_scenario }: WrittenBatch, { folder, cwd }: LoadContext): string {
  if (isAbsolute(base_scenario)) return cwd
  const isIn = (start: string): boolean => existsSync(resolve(start, base_scenario))
  return [folder, cwd, ...foldersUpward(folder)].find(isIn) ?? cwd
}

/** The files given in the batch, or those of the scenario: `models.yaml` in its folder or next to it. */
function modelsOf(
  models: WrittenBatch['assay']['models'],
  written: WrittenBatch,
  context: LoadContext,
): Pick<Experiment, 'models'> {
  const cwd = dirnameOfPaths(written, context)
  const scenario = resolve(cwd, written.base_scenario)
  const own = [scenario, dirname(scenario)].map(folder => join(folder, 'models.yaml')).find(file => existsSync(file))
  const found = models ?? own
  return found === undefined ? {} : { models: modelsFrom(found, { folder: context.folder, cwd }) }
}

/**
 * The first place to look for relative paths. If a project is above the file, its folder is used, so that names of
 * scenarios, and with them runs, are the same as for a call from that project.
 */
function folderOfPaths(written: WrittenBatch, context: LoadContext): string {
  const start = dirnameOfPaths(written, context)
  return start === context.cwd ? context.folder : start
}

/** A file in a folder named like its `output_dir` is in its experiment directory, wherever the command is called. */
function outputOf(written: WrittenBatch, context: LoadContext): string {
  const { output_dir } = written
  const { file, folder } = context
  if (isAbsolute(output_dir)) return resolve(output_dir)
  const relative = join(sep, output_dir)
  const leadsOut = normalize(output_dir).startsWith('..')
  if (file !== null && relative !== sep && !leadsOut && folder.endsWith(resolve(relative))) return folder
  return resolve(dirnameOfPaths(written, context), output_dir)
}

/** `RUN:TURN` of this batch, by the name of the run, or else by its folder. */
function runFrom(written: string, output: string, { folder }: LoadContext): string {
  const [, run = '', turn = ''] = /^(.+)(:\d+)$/s.exec(written) ?? []
  const own = join(output, 'runs', run)
  return run !== '' && existsSync(own) ? `${relativePath(folder, own)}${turn}` : written
}

/** Where in the file a part of the translated experiment was written. */
function pathInSource(path: Path, value: Json): Path {
  const [section, name, ...rest] = path
  if (section === 'target') return name === 'branch_from' ? ['assay', 'branch_from'] : ['base_scenario']
  if (section === 'name') return ['experiment_name']
  if (section === 'blocks') return ['runs_per_variation']
  if (section === 'limits')
    return [...(limitPaths[String(name)] ?? ['assay', 'limits', ...(name === undefined ? [] : [name])]), ...rest]
  if (section === 'include') return ['assay', 'branch_from']
  if (section === 'factors' || section === 'params') return dimensionPath(name, rest, value)
  if (section === 'zip') return dimensionPath(rest[0], [], value)
  return ['assay', ...path]
}

/** A problem with a factor is at its name, a problem with a level is at that value. */
function dimensionPath(name: string | number | undefined, [level]: Path, value: Json): Path {
  const dimensions = dimensionsIn(value)
  const found = typeof name === 'number' ? dimensions[name] : dimensions.find(({ factor }) => factor === name)
  if (found === undefined) return branchWithPath(name, value) ?? ['variations']
  // A sample has its levels in another order.
  const isListed = valueAt(value, ['assay', 'sample']) === undefined
  return typeof level === 'number' && isListed ? found.levelAt(level) : found.nameAt
}
