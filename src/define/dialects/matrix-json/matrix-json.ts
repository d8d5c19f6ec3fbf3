import { existsSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, extname, join, resolve } from 'node:path'
import { isJsonObject, type Json } from '../../../util/json.ts'
import { listed } from '../../../util/words.ts'
import { validTargetSpec } from '../../check/valid-target-spec.ts'
import type { Ablation, Experiment, MetricSourceSpec, MetricSpec, TargetSpec } from '../../experiment.ts'
import { configError, parseSource } from '../../problems.ts'
import { foldersUpward } from '../../read-files.ts'
import type { Path, Source } from '../../source/source.ts'
import { byCodePoint } from '../../spelling/spelling.ts'
import type { Dialect, LoadContext, OptionName } from '../dialect.ts'
import { matrixColumns } from './matrix-columns.ts'
import { matrixJsonMistakes, misspeltKeys, parameterOrder } from './matrix-mistakes.ts'
import { type MatrixJson, matrixJsonSchema } from './matrix-schema.ts'
import { distinctLevels, matrixJsonSpelling, textAt } from './matrix-spelling.ts'
import { originalResult } from './original-runs.ts'
import { matrixParams, matrixRunName } from './run-name.ts'

/** The configuration of Cascade's sweep runner: run names and command lines are exactly the same. */
export const matrixJson: Dialect<'matrix-json'> = {
  name: 'matrix-json',
  defaultFiles: ['bench/experiments/default.json'],

  recognises: value =>
    isJsonObject(value) &&
    ['matrix', 'sim_binary', 'common_args'].some(key => Object.hasOwn(value, key)) &&
    !['target', 'factors'].some(key => Object.hasOwn(value, key)),

  translate(source, context) {
    const written = parseSource(matrixJsonSchema, source, misspeltKeys(source.value))
    const mistakes = matrixJsonMistakes(written)
    if (mistakes.length > 0) throw configError(source, mistakes)
    const { seeds, seed, ablations, ...matrix } = written.matrix
    // A level from the matrix overrides the same name in common_args, and seeds override both, as in Cascade's sweep
    // runner.
    const params = Object.entries(written.common_args).filter(
      ([name]) => name !== 'seed' && !Object.hasOwn(matrix, name),
    )
    return {
      name: written.name ?? nameOf(context),
      dialect: 'matrix-json',
      description: '',
      file: context.file,
      folder: context.folder,
      out_root: resolve(context.cwd, written.out_root),
      target: targetOf(written, source, context),
      params: Object.fromEntries(
        params.map(([name, value]) => [name, name === 'policy' ? textAt(source, ['common_args', name]) : value]),
      ),
      factors: Object.keys(matrix)
        .sort(byCodePoint)
        .map(name => ({ name, levels: levelsOf(name, matrix[name] ?? [], source), when: null })),
      zip: [],
      include: [],
      exclude: [],
      ablations: ablations?.map(({ flags }, index) => ablationAt(source, index, flags?.length ?? 0)) ?? [
        { name: 'baseline', flags: [], set: {} },
      ],
      constraints: [],
      blocks: [{ name: 'seed', levels: seeds ?? seed ?? [written.common_args.seed ?? 1] }],
      replicates: 1,
      order: written.assay.order ?? 'interleaved',
      seed: 1,
      limits: { ...written.assay.limits, ...(written.jobs === undefined ? {} : { jobs: written.jobs }) },
      metrics,
      analysis: { baseline: null },
      inputs: [],
      outputs: [{ path: 'out/summary.csv', required: false }],
      hooks: { setup: null, cleanup: null },
      naming: { kind: 'matrix-json', spelling: matrixJsonSpelling(source) },
      record_env: [],
    } satisfies Experiment
  },

  pathInSource,
  pathOfOption,
  pathOfLimit: key => (key === 'jobs' ? ['jobs'] : ['assay', 'limits', key]),
  settable: () => ({
    keys: Object.keys(matrixJsonSchema.unwrap().shape),
    maps: [
      { key: 'matrix', holdsLevels: true },
      { key: 'common_args', holdsLevels: false },
    ],
  }),
  nameOf: matrixRunName,
  spell: matrixParams,
  // Cascade counts the seed as a parameter, in names and on the command line.
  blocksAreParams: true,
  order: 'ablations',
  columns: matrixColumns,
  originalResult,
  figures: ['makespan_by_policy', 'cost_by_policy', 'ablation_deltas_full_p95_ratio'],
}

/** Cascade converts every policy, and names and flags of ablations, to text like `str()`. */
const levelsOf = (name: string, levels: readonly Json[], source: Source): readonly Json[] =>
  name === 'policy' ? levels.map((_, index) => textAt(source, ['matrix', name, index])) : distinctLevels(source, name)

function ablationAt(source: Source, index: number, flags: number): Ablation {
  const path = ['matrix', 'ablations', index]
  const flag = (_: unknown, at: number) => textAt(source, [...path, 'flags', at])
  return { name: textAt(source, [...path, 'name']), flags: Array.from({ length: flags }, flag), set: {} }
}

const everyNumber = (source: MetricSourceSpec): MetricSpec => ({ name: '*', goal: null, primary: false, source })

/** The simulator's metrics; another program need not have them. */
const smallerIsBetter = (column: string, primary = false): MetricSpec => ({
  name: column,
  goal: 'minimize',
  primary,
  source: { kind: 'csv', file: 'out/summary.csv', column, optional: true },
})

const metrics: readonly MetricSpec[] = [
  smallerIsBetter('makespan_p95_ms', true),
  smallerIsBetter('makespan_mean_ms'),
  smallerIsBetter('cost_mean'),
  everyNumber({ kind: 'csv', file: 'out/summary.csv' }),
  everyNumber({ kind: 'csv', file: 'out/tiers.csv', row_name: '{provider}_tier{tier_id}', optional: true }),
]

function nameOf({ file, folder }: LoadContext): string {
  return file === null ? basename(folder) : basename(file, extname(file))
}

/** The name that selects the built-in simulator even if the original program is there. */
const builtIn = 'assay sim'

/**
 * Cascade starts the program from the root of its repository, which is above the file. The simulator that this dialect
 * was made for is built in; it replaces a program only if no build of that program has begun.
 */
function targetOf(
  { sim_binary }: MatrixJson,
  source: Source,
  { targets, folder, cwd, isToRun }: LoadContext,
): TargetSpec {
  const isBuiltIn = targets.some(({ kind }) => kind === 'sched-sim')
  if (isBuiltIn && sim_binary === builtIn) return validTargetSpec(targets, { kind: 'sched-sim' })
  const places = [...new Set([...foldersUpward(folder), cwd])]
  const place = places.find(place => isFile(resolve(place, sim_binary)))
  if (isBuiltIn && basename(sim_binary) === 'agent_sched_sim' && place === undefined && !isOnPath(sim_binary)) {
    const isBegun = sim_binary.includes('/') && places.some(place => existsSync(dirname(resolve(place, sim_binary))))
    if (!isBegun) return validTargetSpec(targets, { kind: 'sched-sim', stands_in_for: sim_binary })
    if (isToRun)
      throw configError(source, [
        {
          path: ['sim_binary'],
          message: `"${sim_binary}" was not found in ${listed(places, 4, 'or')}, and its folder is there`,
          hint: `build it, or run assay's own simulator: --set 'sim_binary=${builtIn}'`,
        },
      ])
  }
  const pass_params = { order: parameterOrder, out_dir: '--out_dir', switches: ['enable_model_routing'] }
  return validTargetSpec(targets, { kind: 'command', command: [sim_binary], cwd: place ?? cwd, pass_params })
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const isOnPath = (program: string): boolean =>
  !program.includes('/') && (process.env.PATH ?? '').split(delimiter).some(place => existsSync(join(place, program)))

function pathInSource(path: Path): Path {
  const [section, name, ...rest] = path
  if (section === 'factors' && name !== undefined) return ['matrix', name, ...rest]
  if (section === 'params' && name !== undefined) return ['common_args', name, ...rest]
  if (section === 'blocks') return ['matrix', 'seeds', ...rest]
  if (section === 'ablations') return ['matrix', ...path]
  if (section === 'target') return ['sim_binary']
  if (section === 'limits') return name === 'jobs' ? ['jobs'] : ['assay', ...path]
  return path
}

function pathOfOption(option: OptionName, value: Json): Path {
  switch (option) {
    case 'name':
    case 'out_root':
      return [option]
    case 'seeds': {
      const matrix = isJsonObject(value) ? value.matrix : undefined
      return isJsonObject(matrix) && matrix.seeds === undefined && matrix.seed !== undefined
        ? ['matrix', 'seed']
        : ['matrix', 'seeds']
    }
    case 'order':
    case 'models':
    case 'instances':
    case 'branch_from':
      return ['assay', option]
  }
}
