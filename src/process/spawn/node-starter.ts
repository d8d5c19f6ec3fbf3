import { spawn } from 'node:child_process'
import { systemCode } from '../../util/errors.ts'
import { type Exit, notStarted, type Starter, withReason } from './starter.ts'

/**
 * Node's own way, which works everywhere. On Linux it copies the page tables of this process each time, which takes
 * longer than most other things that are done for a run: 0.9 ms from a process of 50 MB, 1.8 ms from one of 110 MB.
 */
export const nodeStarter: Starter = program => {
  const { argv, cwd, env, stdout, stderr } = program
  const [name = '', ...args] = argv
  try {
    const child = spawn(name, args, { cwd, env, stdio: ['ignore', stdout, stderr], detached: true })
    const exit = new Promise<Exit>(resolve => {
      child.once('error', error => resolve(withReason(program, codeOf(error))))
      child.once('exit', (code, signal) => resolve(exitOf(code, signal)))
    })
    return { pid: child.pid ?? null, exit, giveUp: () => child.unref() }
  } catch (error) {
    // Some reasons are thrown rather than emitted: E2BIG, ENOMEM, a name that is empty.
    return notStarted(program, codeOf(error))
  }
}

const codeOf = (error: unknown): string => systemCode(error) ?? 'UNKNOWN'

/** Node reports the end by a signal without a name, a real-time signal, as exit code 0: the two are indistinguishable. */
const exitOf = (code: number | null, signal: NodeJS.Signals | null): Exit =>
  signal === null ? { kind: 'exited', code: code ?? 0, cpu_s: null } : { kind: 'signalled', signal, cpu_s: null }
