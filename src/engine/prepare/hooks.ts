import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, Experiment } from '../../define/experiment.ts'
import { endGroup, type Survivor } from '../../process/end.ts'
import { tokenVariable } from '../../process/processes.ts'
import { type Exit, spawnGroup } from '../../process/spawn/spawn-group.ts'
import { lastLine } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'
import type { Interrupts } from '../call.ts'

/** Runs the experiment's `setup` or `cleanup` command to completion; its output is kept in `hooks/`. */
export async function runHook(
  name: 'setup' | 'cleanup',
  experiment: Experiment,
  dir: string,
  interrupts: Interrupts,
): Promise<void> {
  const command = experiment.hooks[name]
  if (command === null) return
  mkdirSync(join(dir, 'hooks'), { recursive: true })
  const stderrFile = join(dir, 'hooks', `${name}-stderr.txt`)
  // The same for every call: it identifies a hook left by a killed call, which is ended first.
  const token = `${name} of ${dir}`
  const { grace_ms } = experiment.limits
  await endGroup({ token, pid: null, startTime: null }, grace_ms)
  let pid: number | null = null
  let ending: Promise<readonly Survivor[]> | undefined
  let interrupted = false
  const endIt = () => {
    ending ??= endGroup({ token, pid, startTime: null }, grace_ms)
  }
  const forget = interrupts(interrupt => {
    // One Ctrl-C lets a cleanup finish, as it lets runs finish; a setup only prepares, so it ends at once.
    if (name === 'cleanup' && interrupt === 'drain') return
    interrupted = true
    endIt()
  })
  const isInterrupted = () => new AssayError('interrupted', `interrupted during the ${name} hook`)
  if (interrupted) {
    forget()
    throw isInterrupted()
  }
  const spawned = spawnGroup({
    argv: argvOf(command),
    cwd: experiment.folder,
    env: { ...process.env, ASSAY_EXPERIMENT_DIR: dir, [tokenVariable]: token },
    stdoutFile: join(dir, 'hooks', `${name}-stdout.txt`),
    stderrFile,
  })
  pid = spawned.pid
  const end = await spawned.exit
  forget()
  if (end.hasLeftovers) endIt()
  await ending
  if (interrupted) throw isInterrupted()
  if (end.kind === 'exited' && end.code === 0) return
  throw new AssayError('hook_failed', `the ${name} hook failed: ${howItEnded(end)}`, {
    hint: `${lastLine(stderrFile)}\nIts output is in ${join(dir, 'hooks')}.`.trimStart(),
  })
}

const argvOf = (command: Command): readonly string[] =>
  typeof command === 'string' ? ['/bin/sh', '-c', command] : command

function howItEnded(exit: Exit): string {
  switch (exit.kind) {
    case 'exited':
      return `exit code ${exit.code}`
    case 'signalled':
      return `ended by ${exit.signal}`
    case 'lost':
      return 'its end is not known'
    case 'not_started':
      return exit.message
  }
}
