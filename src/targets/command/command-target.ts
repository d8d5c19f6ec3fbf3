import { join } from 'node:path'
import type { Outcome } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { RunContext, Target } from '../../define/target.ts'
import { endGroup, hasLeftovers } from '../../process/end-group.ts'
import { startTimeOf } from '../../process/process-identity.ts'
import { hasProc } from '../../process/process-table.ts'
import { sampleUsage } from '../../process/sample-usage.ts'
import { spawnGroup } from '../../process/spawn-group.ts'
import { onStop, stopReasonOf } from '../stop-reason.ts'
import { checkCommand } from './check.ts'
import { environmentOf } from './environment.ts'
import { outcomeOfExit } from './outcome-of-exit.ts'
import { renderCommand } from './render.ts'
import { type CommandSpec, commandSpec } from './spec.ts'

/** A run is a program, started with the run's parameters in its own process group. */
export const commandTarget: Target<CommandSpec> = {
  kind: 'command',
  schema: commandSpec,
  check: checkCommand,
  identity: ({ command, shell, env, pass_params }) => ({
    command,
    ...(shell && { shell }),
    ...(env && { env }),
    ...(pass_params && { pass_params: { ...pass_params } }),
  }),
  describe: (spec, run, place, experiment) => renderCommand(spec, experiment, run, place),
  bound: () => 'unknown',
  execute,
}

async function execute(spec: CommandSpec, run: Run, context: RunContext): Promise<Outcome> {
  const place = context.makeDirectory()
  const { command, cwd, env } = renderCommand(spec, context.experiment, run, place)
  const startedAt = Date.now()
  const { pid, exit } = spawnGroup({
    argv: command,
    cwd,
    env: environmentOf(run, context, env),
    stdoutFile: join(place.run_dir, 'stdout.txt'),
    stderrFile: join(place.run_dir, 'stderr.txt'),
  })
  if (pid === null) return outcomeOfExit(await exit, null, spec.exit_codes)

  // Asking ps for it would cost more than a short run; the token and the time of the start have to do there.
  const startTime = hasProc ? startTimeOf(pid) : null
  const attempt = { token: context.token, pid, startTime, startedAt }
  const graceMs = context.experiment.limits.grace_ms
  try {
    context.started({ pid, startTime })
  } catch (error) {
    // Nobody would know of it after a crash: so it may not go on.
    await endGroup(attempt, graceMs)
    throw error
  }
  const usage = sampleUsage(pid)
  let ending: Promise<void> | undefined
  const forget = onStop(context.signal, () => {
    ending = endGroup(attempt, graceMs)
  })
  const end = await exit
  const stopped = stopReasonOf(context.signal)
  forget()
  const measured = usage.stop()
  if (measured !== null) context.measured(measured)
  if (ending !== undefined) await ending
  else if (hasLeftovers(pid)) await endGroup(attempt, graceMs)
  return outcomeOfExit(end, stopped, spec.exit_codes)
}
