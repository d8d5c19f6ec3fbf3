import { writeFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { programEnvironment } from '../../define/dialects/registry.ts'
import { defaultCalls } from '../../define/models/model-settings.ts'
import { type Outcome, onStop, stopReasonOf } from '../../define/outcome.ts'
import type { ResourceUsage, Run } from '../../define/run.ts'
import type { RunContext, Target } from '../../define/target.ts'
import { endGroup, hasDaemons, type Survivor, unkillable } from '../../process/end.ts'
import { hasProc, startTimeOf } from '../../process/processes.ts'
import {
  type Environment,
  type Exit,
  type Spawned,
  type SpawnOptions,
  spawnGroup,
} from '../../process/spawn/spawn-group.ts'
import { outputFile } from '../../record/places.ts'
import { systemCode } from '../../util/errors.ts'
import { sha256 } from '../../util/hash.ts'
import type { JsonObject } from '../../util/json.ts'
import { hasAddressSecret } from '../../util/secrets.ts'
import { recur } from '../../util/system-clock.ts'
import { checkCommand } from './check.ts'
import { commandFiles } from './command-files.ts'
import { environmentOf } from './environment.ts'
import { macroNotes, usesMacro } from './macros/check-macros.ts'
import { argumentsFile, argumentsJson } from './macros/macros.ts'
import { outcomeOfExit } from './outcome-of-exit.ts'
import { renderCommand } from './render.ts'
import { sampleUsage, type Usage } from './sample-usage.ts'
import { type CommandSpec, commandSpec } from './spec.ts'
import { tracedCommand } from './traced-command.ts'

/** A run is a program, started with the run's parameters in its own process group. */
export const commandTarget: Target<CommandSpec> = {
  kind: 'command',
  schema: commandSpec,
  check: checkCommand,
  identity: ({ command, program, shell, cwd, env, pass_params, exit_codes }) => ({
    command,
    ...(program !== undefined && { program }),
    ...(shell && { shell }),
    // An absolute folder says where files happen to be, not what is run.
    ...(cwd !== undefined && !isAbsolute(cwd) && { cwd }),
    // Values may be secret: changes can be detected without them.
    ...(env && { env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, digest(String(value))])) }),
    ...(pass_params && { pass_params: withoutSwitches(pass_params) }),
    ...(exit_codes && { exit_codes: { ...exit_codes } }),
  }),
  describe: (spec, run, place, experiment) => renderCommand(spec, experiment, run, place),
  bound: () => 'unknown',
  programFiles: commandFiles,
  notes: spec => [...macroNotes(spec), ...secretNotes(spec)],
  execute,
}

/** Displayed and recorded values have no passwords in their addresses; the definition must stay as it is. */
function secretNotes({ command, env = {} }: CommandSpec): readonly string[] {
  const written = [...(typeof command === 'string' ? [command] : command), ...Object.values(env).map(String)]
  return written.some(hasAddressSecret)
    ? [
        'the definition contains an address with a password or key, and is stored in the journal unchanged: write ${envvar:NAME} instead, which is filled in when a run starts',
      ]
    : []
}

/** The list of switches is not part of the identity: results from before it existed still belong to the same runs. */
const withoutSwitches = ({ switches: _, ...passed }: NonNullable<CommandSpec['pass_params']>): JsonObject => passed

const digest = (value: string): string => `sha256:${sha256(value).slice(0, 12)}`

/** A trace takes a file and perhaps a server: most commands have no use for either. */
function execute(spec: CommandSpec, run: Run, context: RunContext): Promise<Outcome> {
  const { otlp, otlp_in } = context.experiment.calls ?? defaultCalls
  if (otlp == null && !otlp_in) return runProgram(spec, run, context)
  return tracedCommand(run, context, env => runProgram(spec, run, context, env))
}

/** `around`: variables that the experiment's own may replace. */
async function runProgram(
  spec: CommandSpec,
  run: Run,
  context: RunContext,
  around: Environment = {},
): Promise<Outcome> {
  const { place } = context
  const { command, cwd, env } = renderCommand(spec, context.experiment, run, place, name => process.env[name] ?? '')
  writeFiles(spec, run, context)
  const module = programEnvironment(spec, run, context.experiment, env.PYTHONPATH ?? process.env.PYTHONPATH)
  const options = {
    argv: command,
    cwd,
    env: environmentOf(run, context, { ...around, ...env, ...module }),
    stdoutFile: outputFile(place.run_dir, 'stdout'),
    stderrFile: outputFile(place.run_dir, 'stderr'),
  }
  const { pid, exit, giveUp } = startIn(context, options)
  if (pid === null) return outcomeOfExit(await exit, null, spec.exit_codes)

  // Read at once: a short-lived program's leftovers are recognised by being younger than it.
  const startTime = hasProc ? startTimeOf(pid) : null
  let ending: Promise<readonly Survivor[]> | undefined
  let unrecorded: unknown = null
  let beStuck = (): void => {}
  const stuck = new Promise<null>(resolve => {
    beStuck = () => resolve(null)
  })
  const end = () => {
    ending ??= endGroup({ token: context.token, pid, startTime }, context.graceMs).then(survivors => {
      if (survivors.length > 0) beStuck()
      return survivors
    })
  }
  const forgetStart = whenItLasts(() => {
    try {
      context.started({ pid, startTime })
    } catch (error) {
      // After a crash it would be unknown: so it may not continue.
      unrecorded = error
      end()
    }
  })
  const usage = sampleUsage(pid)
  let isOver = false
  // After a moment: if a program ended while this process was stopped, we learn of it only after the timer has fired.
  const forgetStop = onStop(context.signal, () => setImmediate(() => isOver || end()))
  const how = await Promise.race([exit, stuck])
  isOver = true
  const stopped = ending === undefined ? null : stopReasonOf(context.signal)
  forgetStop()
  forgetStart()
  context.measured(usageOf(how, usage.stop()))
  const endsDaemons = spec.daemons !== 'keep'
  if (how?.hasLeftovers || (endsDaemons && hasDaemons({ token: context.token, pid, startTime }))) end()
  const survivors = (await ending) ?? []
  if (unrecorded !== null) throw unrecorded
  if (how === null) giveUp()
  if (how === null || survivors.length > 0) return unkillable(survivors)
  return outcomeOfExit(how, stopped, spec.exit_codes)
}

/** Sampling sees all processes but misses their last moments; the kernel counts those whose end was waited for. */
function usageOf(exit: Exit | null, sampled: Usage | null): ResourceUsage {
  const counted = exit !== null && 'cpu_s' in exit ? exit.cpu_s : null
  const known = [counted, sampled?.cpu_s ?? null].filter(seconds => seconds !== null)
  return { cpu_s: known.length === 0 ? null : Math.max(...known), max_rss_bytes: sampled?.max_rss_bytes ?? null }
}

/** What must exist when the program starts. */
function writeFiles(spec: CommandSpec, run: Run, context: RunContext): void {
  const { experiment } = context
  if (!usesMacro(spec, 'args_json_file')) return
  const place = context.makeDirectory()
  writeFileSync(argumentsFile(place), argumentsJson({ program: spec.program, run, place, experiment }))
}

/** An existing directory is put in order first; almost always there is none, so that is not checked beforehand. */
function startIn(context: RunContext, options: SpawnOptions): Spawned {
  const { run_dir, out_dir } = context.place
  try {
    const spawned = spawnGroup({ ...options, directories: [run_dir, out_dir] })
    context.directoryIsMade()
    return spawned
  } catch (error) {
    if (!['EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) throw error
    context.makeDirectory()
    return spawnGroup(options)
  }
}

/**
 * After a crash, orphans are found by their token; the pid only helps with those that cleared their environment. A very
 * short run is not worth a transaction for that. Without /proc there are no tokens: then the pid is recorded at once.
 */
function whenItLasts(record: () => void): () => void {
  if (hasProc)
    return recur(momentMs, () => {
      record()
      return Number.POSITIVE_INFINITY
    })
  record()
  return () => undefined
}

const momentMs = 50
