import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, Experiment } from '../../define/experiment.ts'
import { endGroup } from '../../process/end-group.ts'
import { tokenVariable } from '../../process/members.ts'
import { spawnGroup } from '../../process/spawn/spawn-group.ts'
import type { Exit } from '../../process/spawn/starter.ts'
import { lastLine } from '../../record/directory/last-line.ts'
import { AssayError } from '../../util/errors.ts'
import type { Interrupts } from '../interrupts.ts'

/** Runs the experiment's `setup` or `cleanup` command to its end; its output is kept in `hooks/`. */
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
  const token = randomUUID()
  const startedAt = Date.now()
  const { pid, exit } = spawnGroup({
    argv: argvOf(command),
    cwd: experiment.folder,
    env: { ...process.env, ASSAY_EXPERIMENT_DIR: dir, [tokenVariable]: token },
    stdoutFile: join(dir, 'hooks', `${name}-stdout.txt`),
    stderrFile,
  })
  let interrupted = false
  const endIt = () => endGroup({ token, pid, startTime: null, startedAt }, experiment.limits.grace_ms)
  const forget = interrupts(interrupt => {
    // One Ctrl-C lets a cleanup finish, as it lets runs finish; a set-up is only waited for, so it ends at once.
    if (name === 'cleanup' && interrupt === 'drain') return
    interrupted = true
    void endIt()
  })
  const end = await exit
  forget()
  if (interrupted || end.hasLeftovers) await endIt()
  if (interrupted) throw new AssayError('interrupted', `interrupted during the ${name} hook`)
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
