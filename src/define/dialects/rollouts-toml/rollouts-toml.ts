import { basename, extname, resolve } from 'node:path'
import { isJsonObject, type Json } from '../../../util/json.ts'
import { suggest } from '../../../util/suggest.ts'
import { validTargetSpec } from '../../check/valid-target-spec.ts'
import type { Experiment, MetricSpec } from '../../experiment.ts'
import { knownMetrics } from '../../observation.ts'
import { configError, parseSource } from '../../problems.ts'
import type { Dialect, LoadContext } from '../dialect.ts'
import { callsFrom, modelsFrom } from '../models-from.ts'
import { partsOf } from './entries.ts'
import { pathInSource } from './path-in-source.ts'
import { rolloutsMistakes } from './rollouts-mistakes.ts'
import { rolloutsSchema, type WrittenRollouts } from './rollouts-schema.ts'

/** A benchmark of OneShot: tasks × rollouts, each entry with a model and a number of rollouts of its own. */
export const rolloutsToml: Dialect<'rollouts-toml'> = {
  name: 'rollouts-toml',

  recognises(value) {
    const tasks = isJsonObject(value) ? value.tasks : undefined
    const isNative = ['target', 'factors', 'matrix'].some(key => isJsonObject(value) && Object.hasOwn(value, key))
    return !isNative && Array.isArray(tasks) && tasks.some(hasTask)
  },

  translate(source, context) {
    const written = parseSource(rolloutsSchema, source)
    const name = nameOf(written, context)
    const mistakes = rolloutsMistakes(written, name, context)
    if (mistakes.length > 0) throw configError(source, mistakes)
    const { limits, order, out_root, models, calls, ...settings } = written.assay
    const { params, zip, tasks, cells, mostRollouts } = partsOf(written)
    return {
      name,
      dialect: 'rollouts-toml',
      description: '',
      file: context.file,
      folder: context.folder,
      // As in eval_rollouts.py: relative to the working directory, not to the file.
      out_root: resolve(context.cwd, out_root),
      directory: { kind: 'dated', stamp: 'second' },
      target: validTargetSpec(context.targets, { ...jsonOf(settings), kind: 'task' }, { source, pathOf: pathInSource }),
      params,
      factors: [],
      zip,
      include: [],
      exclude: [],
      ablations: [],
      constraints: [],
      // Tasks pair the runs of models, and cluster the rollouts of each.
      blocks: [{ name: 'task', levels: tasks }],
      cells,
      replicates: mostRollouts,
      order,
      seed: 1,
      limits: { ...limits, jobs: written.parallel },
      ...(models === undefined ? {} : { models: modelsFrom(models, context) }),
      ...(calls === undefined ? {} : { calls: callsFrom(calls, context) }),
      metrics,
      analysis: { baseline: null },
      inputs: [],
      outputs: [],
      hooks: { setup: null, cleanup: null },
      naming: { kind: 'template', template: '{@series}-{index:1}' },
      record_env: [],
      notes: notesOf(written),
    } satisfies Experiment
  },

  pathInSource,
  pathOfOption: option => (option === 'name' ? ['name'] : ['assay', option]),
  pathOfLimit: key => (key === 'jobs' ? ['parallel'] : ['assay', 'limits', key]),
  settable: () => ({ keys: Object.keys(rolloutsSchema.unwrap().shape), maps: [] }),
  view: 'rollouts',
}

const metrics: readonly MetricSpec[] = ['score', knownMetrics.passed].map(name => ({
  name,
  goal: 'maximize',
  primary: name === 'score',
  source: { kind: 'reported' },
}))

/** A table with the one required key of an entry, or with a misspelling of it. */
const hasTask = (entry: Json): boolean =>
  isJsonObject(entry) && (Object.hasOwn(entry, 'prepared_dir') || suggest('prepared_dir', Object.keys(entry)) !== null)

function nameOf({ name }: WrittenRollouts, { file, folder }: LoadContext): string {
  return name ?? (file === null ? basename(folder) : basename(file, extname(file)))
}

/** TOML and JSON contain plain data; zod only says so for keys that it knows. */
const jsonOf = (settings: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, value as Json]))

function notesOf({ tasks }: WrittenRollouts): readonly string[] {
  const unused = tasks.flatMap(({ overrides, apply_overrides }, index) =>
    overrides !== undefined && !apply_overrides ? [index + 1] : [],
  )
  if (unused.length === 0) return []
  return [`overrides of entry ${unused.join(', ')} are not used, because apply_overrides is false there`]
}
