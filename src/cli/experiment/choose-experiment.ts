import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { agentVariables } from '../../define/dialects/for-help.ts'
import type { Experiment } from '../../define/experiment.ts'
import { type GivenLimits, type LimitField, limitFields, limitsOver } from '../../define/limits.ts'
import {
  findConfig,
  type OpenedExperiment,
  type Overrides,
  openExperiment,
  openWritten,
} from '../../define/load-experiment.ts'
import { withModulesNow } from '../../define/own-modules.ts'
import { type BoundTarget, bindTarget } from '../../define/target.ts'
import { refuseLostJournal } from '../../engine/repair/repair.ts'
import { experimentIn } from '../../engine/work-on-experiment.ts'
import { withSeries } from '../../plan/identity.ts'
import { checkedPlan } from '../../plan/plan.ts'
import type { PlannerOptions } from '../../plan/planner.ts'
import { asExperimentDirectory, experimentDirectory } from '../../record/places.ts'
import { targetFor, targets } from '../../targets/registry.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { suggest } from '../../util/suggest.ts'
import { longFlag } from '../../util/words.ts'
import type { Io } from '../io.ts'
import type { OptionName, Options } from '../options.ts'
import { givenLimits } from '../tables/options/limit-options.ts'
import { withCalls } from './call-overrides.ts'
import { experimentById } from './short-id.ts'
import { sweepOnCommandLine } from './sweep-on-command-line.ts'
import { withTasks } from './task-overrides.ts'

/** The experiment that a command line refers to, and where its files are. */
export interface Chosen extends BoundTarget {
  /** The same as in its file, if `--seeds` replaced its seeds. */
  readonly definition: Experiment
  readonly dir: string
  readonly plan: PlannerOptions
  /** False when the experiment was taken from its directory. */
  readonly isGiven: boolean
  /** For problems that are found later: an error that points into the file; undefined if there is none. */
  readonly errorAt?: OpenedExperiment['errorAt'] | undefined
}

type Purpose = 'run' | 'plan' | 'look'

/**
 * A configuration file, an experiment directory or its short id, or what is found here; with the changes made by
 * options.
 */
export function chooseExperiment(
  [named]: readonly string[],
  options: Options,
  io: Io,
  /** `run` and `plan`: a complete dated series is followed by a new one. Only a run needs its program. */
  purpose: Purpose = 'look',
  /** The configuration given by the command line itself, if there is no file. */
  written: JsonObject | null = null,
): Chosen {
  const given = named ?? options.config ?? options.expDir
  if (named !== undefined && options.config !== undefined && named !== options.config)
    throw new AssayError('usage', `two experiments are named: ${named} and ${options.config}`)
  if (given !== undefined) refuseLostJournal(resolve(io.cwd, given))
  const namedDir = given === undefined ? undefined : asExperimentDirectory(resolve(io.cwd, given))
  const found = given === undefined || namedDir !== undefined ? undefined : experimentById(given, options, io)
  const existing = namedDir ?? found
  // With an id, --out-root says where to search for it.
  const changes = found === undefined ? options : { ...options, outRoot: undefined }
  const {
    experiment: chosen,
    definition,
    errorAt,
  } = existing === undefined
    ? withOwnDefinition(
        written ?? (purpose === 'look' ? null : sweepOnCommandLine(options, given)) ?? configFile(given, io.cwd),
        options,
        io,
        purpose,
      )
    : { ...continued(existing, changes, io), errorAt: undefined }
  const dir = existing ?? directoryOf(chosen, options, io, purpose)
  const experiment = withSeries(chosen, basename(dir))
  return {
    ...bindTarget(targetFor(experiment), experiment),
    definition: withSeries(definition, basename(dir)),
    errorAt,
    isGiven: existing === undefined,
    dir,
    plan: {
      order: experiment.order,
      seed: experiment.seed,
      selection: {
        filters: options.filter ?? [],
        first: options.first ?? null,
        shard: options.shard ?? null,
      },
    },
  }
}

function directoryOf(experiment: Experiment, options: Options, { cwd }: Io, purpose: Purpose): string {
  const { again = false, resume, retryFailed, rerun, fresh, stale } = options
  // These options refer to existing results.
  const isAboutEarlier = resume || retryFailed || rerun !== undefined || fresh || stale !== undefined
  return experimentDirectory(experiment, { cwd, again, renews: purpose !== 'look' && !isAboutEarlier, now: Date.now() })
}

/** A file given by name, the one in a given folder, or the one found here. */
function configFile(given: string | undefined, cwd: string): string {
  if (given === undefined) return findConfig(cwd)
  const found = statSync(resolve(cwd, given), { throwIfNoEntry: false })
  if (found === undefined) throw noSuchFile(given, cwd)
  return found.isDirectory() ? join(given, findConfig(resolve(cwd, given), given)) : given
}

function noSuchFile(given: string, cwd: string): AssayError {
  const folder = dirname(given)
  const there = statSync(resolve(cwd, folder), { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(resolve(cwd, folder)).filter(name => /\.(ya?ml|jsonc?|toml)$/i.test(name))
    : []
  const near = suggest(basename(given), there)
  return new AssayError('not_found', `${given}: no such file or experiment directory`, {
    hint: near === null ? '`assay init` writes an experiment to start from.' : `did you mean ${join(folder, near)}?`,
  })
}

/** The limits that the command line gives: they override what `assay set` set earlier. */
export const explicitLimits = (options: Options): readonly LimitField[] =>
  limitFields.filter(field => limitsFrom(options)[field] !== undefined)

/** The options about limits, including `--keep-going`. */
const limitsFrom = (options: Options): GivenLimits => ({ ...givenLimits(options), ...keepGoing(options) })

const keepGoing = (options: Options): GivenLimits => (options.keepGoing ? { halt: null, initial_failures: 0 } : {})

/** How many failures are tolerated, as given by the command line or by W&B's variable. */
export const toleranceOf = (options: Options, { env }: Io): GivenLimits => {
  const isOff = /^(1|true|yes)$/i.test(env[agentVariables.anyFailures] ?? '')
  const { initialFailures = isOff ? 0 : undefined } = options
  return { initial_failures: initialFailures, ...keepGoing(options) }
}

function configured(written: string | JsonObject, options: Options, io: Io, purpose: Purpose): OpenedExperiment {
  const limits = { ...limitsFrom(options), ...toleranceOf(options, io) }
  const overrides: Overrides = {
    set: options.set,
    name: options.expName,
    out_root: options.outRoot,
    seeds: options.seeds,
    limits,
    order: options.order,
    models: options.models,
    instances: options.instances,
    branch_from: options.branchFrom,
  }
  const loading = { targets, overrides, cwd: io.cwd, isToRun: purpose !== 'plan' }
  const { experiment, errorAt, noteAt } =
    typeof written === 'string'
      ? openExperiment(written, loading)
      : openWritten(written, { ...loading, folder: io.cwd })
  const { problems, experiment: noted } = checkedPlan(experiment, noteAt)
  if (problems.length > 0) throw errorAt(problems)
  const limited = { ...noted, limits: limitsOver(experiment.limits, limits) }
  return { experiment: withCalls(withTasks(limited, options), options, io.cwd), errorAt, noteAt }
}

/** If a file has no seeds of its own, `--seeds` makes another experiment of it, with other runs. */
function withOwnDefinition(file: string | JsonObject, options: Options, io: Io, purpose: Purpose) {
  const opened = configured(file, options, io, purpose)
  const { experiment } = opened
  if (options.seeds === undefined) return { ...opened, definition: experiment }
  const definition = orUndefined(() => configured(file, { ...options, seeds: undefined }, io, purpose).experiment)
  const hasSeeds = definition?.blocks.some(({ name }) => name === 'seed') ?? false
  return { ...opened, definition: definition !== undefined && hasSeeds ? definition : experiment }
}

/** The file may be invalid only in the part that the option replaces. */
function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof AssayError) return undefined
    throw error
  }
}

/** Options that would make another experiment need the original configuration file. */
const needsFile: readonly OptionName[] = [
  'set',
  'seeds',
  'expName',
  'outRoot',
  'again',
  'rehearse',
  'agent',
  'rollouts',
  'models',
  'instances',
  'branchFrom',
]

/** The experiment as its directory has it, with other limits if they are given. */
function continued(dir: string, options: Options, io: Io): Pick<Chosen, 'experiment' | 'definition'> {
  const wrong = needsFile.find(name => options[name] !== undefined)
  if (wrong !== undefined)
    throw new AssayError(
      'usage',
      `${longFlag(wrong)} needs the configuration file: ${dir} is an experiment directory`,
      {
        hint: 'Name the file that the experiment is defined in.',
      },
    )
  const known = experimentIn(dir)
  const experiment = withModulesNow(known.experiment, io.cwd)
  const definition = withModulesNow(known.definition, io.cwd)
  const limits = limitsOver(experiment.limits, { ...limitsFrom(options), ...toleranceOf(options, io) })
  const now = (one: Experiment) =>
    withCalls(withTasks({ ...one, limits, order: options.order ?? one.order }, options), options, io.cwd)
  return { experiment: now(experiment), definition: now(definition) }
}
