import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { Experiment, MetricSpec } from '../../define/experiment.ts'
import type { Outcome } from '../../define/outcome.ts'
import { resolvePath } from '../../define/read-files.ts'
import type { Run } from '../../define/run.ts'
import type { Description, Problem, RunContext, RunPlace, Target } from '../../define/target.ts'
import type { Trajectory } from '../../models/trajectory/trajectory.ts'
import { readTrajectories } from '../../models/trajectory/trajectory-files.ts'
import { AssayError } from '../../util/errors.ts'
import { writeWhole } from '../../util/files.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { slugOf } from '../../util/words.ts'
import { commandTarget } from '../command/command-target.ts'
import { commandSpec } from '../command/spec.ts'
import { batchCommand } from './batch-command.ts'
import { baseConfigs, generatedConfig, settingNames, withoutKey } from './batch-config.ts'
import { batchPoints } from './batch-metrics.ts'
import { type LitellmModel, litellmModel } from './litellm.ts'
import { type SweagentSpec, sweagentSpec } from './spec.ts'

/**
 * A run is one batch of SWE-agent, started like in scripts/run_sweep.py of the-complexity-trap. Its metrics are read
 * from the trajectories that it leaves, so none depends on a hook inside it.
 */
export const sweagentTarget: Target<SweagentSpec> = {
  kind: 'sweagent',
  schema: sweagentSpec,
  complete: (spec, around) => ({
    spec: JSON.parse(JSON.stringify(spec)),
    metrics: reported.filter(({ name }) => around.metrics.every(one => one.name !== name)),
    ...{ factors: [], blocks: [], contents: {}, problems: [] },
  }),
  check,
  identity: ({ kind: _, program: __, checkout: ___, num_workers: ____, ...spec }) => JSON.parse(JSON.stringify(spec)),
  describe: (spec, run, place, experiment) => describe(spec, run, place, experiment),
  bound: () => 'unknown',
  execute,
}

const metric = (name: string, goal: MetricSpec['goal'], primary: boolean): MetricSpec => ({
  ...{ name, goal, primary },
  source: { kind: 'reported' },
})

const reported = [metric('submission_rate', 'maximize', true), metric('avg_cost', 'minimize', false)]

const namedParams = ({ params }: Pick<Run, 'params'>): JsonObject =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name.replaceAll('-', '_'), value]))

function check(spec: SweagentSpec, experiment: Experiment): readonly Problem[] {
  const levels = (name: string) => [
    ...[...experiment.factors, ...experiment.zip.flat()].filter(one => one.name === name).flatMap(one => one.levels),
    ...(experiment.params[name] === undefined ? [] : [experiment.params[name]]),
  ]
  const models = [...levels('model'), ...levels('summarizer_model'), ...levels('summarizer-model')]
  const unknown = new Set(
    models.map(String).filter(name => name !== 'same' && modelOf(name, spec, experiment) === null),
  )
  return [
    ...(['model', 'strategy'] as const)
      .filter(name => levels(name).length === 0)
      .map(name => ({ path: ['factors', name], message: `which ${name}? name it as a factor or parameter` })),
    ...[...unknown].map(name => ({
      path: ['target', 'models', name],
      message: `no name of LiteLLM is known for "${name}"`,
      hint: `add target.models: { ${name}: { name: provider/model, api_key: VARIABLE } }`,
    })),
    ...keyProblems(spec, experiment, levels('strategy').map(String), levels),
  ]
}

/** If a setting did not reach SWE-agent, different variants would look the same. */
function keyProblems(
  spec: SweagentSpec,
  { folder }: Experiment,
  strategies: readonly string[],
  levels: (name: string) => readonly Json[],
): readonly Problem[] {
  const checkout = resolvePath(spec.checkout, { folder, cwd: process.cwd() })
  const params = Object.fromEntries(
    settingNames.flatMap(name => {
      const [level] = [...levels(name), ...levels(name.replaceAll('_', '-'))]
      return level === undefined ? [] : [[name, level]]
    }),
  )
  return strategies.flatMap(strategy => {
    const base = spec.configs[strategy] ?? baseConfigs[strategy]
    const config = base === undefined ? null : configIn(join(checkout, base))
    if (config === null) return []
    return withoutKey(config, params, spec.keys).map(param => ({
      path: ['target', 'keys', param],
      message: `${param} has no known name in ${base}`,
      hint: `look it up among its history_processors, and add target.keys: { ${param}: its key }`,
    }))
  })
}

const modelOf = (name: string, spec: SweagentSpec, { models = {} }: Experiment): LitellmModel | null =>
  litellmModel(name, spec, models)

interface Prepared extends Description {
  readonly outputDir: string
  /** A configuration that must be written first; null: the base is used unchanged. */
  readonly generated: { readonly file: string; readonly config: JsonObject } | null
}

function describe(spec: SweagentSpec, run: Run, place: RunPlace, experiment: Experiment): Prepared {
  const params = namedParams(run)
  const cwd = resolvePath(spec.checkout, { folder: experiment.folder, cwd: process.cwd() })
  const base = baseConfig(spec, String(params.strategy))
  const file = join(cwd, base)
  const read = configIn(file)
  const config = read === null ? null : generatedConfig(read, params, spec.keys)
  // The key of the run instead of the second of its start: runs that start together don't collide.
  const name = `config_${run.key.slice(0, 12)}_${slugOf(String(params.model))}_${slugOf(String(params.strategy))}.yaml`
  const generated = config === null ? null : { file: join('config', '.generated', user(), name), config }
  const summarizer = String(params.summarizer_model ?? 'same')
  const isOther = /^(llm_summary|hybrid)$/.test(String(params.strategy)) && !['same', params.model].includes(summarizer)
  const outputDir = join(place.out_dir, 'trajectories')
  const command = batchCommand({
    spec,
    params,
    model: known(String(params.model), spec, experiment),
    summarizer: isOther ? known(summarizer, spec, experiment) : null,
    config: generated?.file ?? base,
    outputDir,
  })
  return { command, cwd, outputDir, generated }
}

function configIn(file: string): JsonObject | null {
  const read: unknown = existsSync(file) ? parse(readFileSync(file, 'utf8')) : null
  return isJsonObject(read) ? read : null
}

function known(name: string, spec: SweagentSpec, experiment: Experiment): LitellmModel {
  const found = modelOf(name, spec, experiment)
  if (found === null) throw new AssayError('config', `no name of LiteLLM is known for "${name}"`)
  return found
}

function baseConfig({ configs }: SweagentSpec, strategy: string): string {
  const base = configs[strategy] ?? baseConfigs[strategy]
  if (base !== undefined) return base
  throw new AssayError('config', `there is no base configuration for the strategy "${strategy}"`, {
    hint: `add target.configs: { ${strategy}: config/mine.yaml }`,
  })
}

const user = (): string => slugOf(process.env.USER ?? process.env.USERNAME ?? 'user')

async function execute(spec: SweagentSpec, run: Run, context: RunContext): Promise<Outcome> {
  const place = context.makeDirectory()
  const { command, cwd, outputDir, generated } = describe(spec, run, place, context.experiment)
  if (!existsSync(join(cwd, 'config')))
    return { kind: 'failed', error_class: 'no_checkout', message: `${cwd} has no folder "config": is it SWE-agent's?` }
  mkdirSync(outputDir, { recursive: true })
  if (generated !== null) writeWhole(join(cwd, generated.file), stringify(generated.config))
  const program = commandSpec.parse({ kind: 'command', command: command.map(literal), cwd })
  const outcome = await commandTarget.execute(program, run, context)
  const trajectories: Trajectory[] = []
  for (const found of readTrajectories(outputDir)) {
    if ('trajectory' in found) trajectories.push(found.trajectory)
    else context.note(`${found.file} ${found.reason}: left out`)
  }
  const points = batchPoints(trajectories)
  for (const point of points) context.report(point)
  const cost = points.findLast(one => one.metric === 'total_cost' && one.step === trajectories.length)
  if (cost !== undefined) context.report({ metric: 'cost_usd', value: cost.value, step: null })
  if (outcome.kind !== 'completed' || trajectories.length > 0) return outcome
  return { kind: 'failed', error_class: 'no_trajectories', message: `SWE-agent left no trajectories in ${outputDir}` }
}

/** Braces mean something to a command of assay's, and nothing here. */
const literal = (word: string): string => word.replaceAll(/[{}]/g, brace => brace.repeat(2))
