import { spawn } from 'node:child_process'
import { AssayError } from '../../../util/errors.ts'
import type { Engine } from './engine.ts'

/** A running container whose first process waits for the end of its input: it ends when assay does. */
export interface Attached {
  readonly isUp: boolean
  /** Back when the container has ended. */
  end(): Promise<void>
}

/** `run` or `start` with its input and output attached; returns when the container's `cat` has echoed its input. */
export async function attach(engine: Engine, name: string, args: readonly string[]): Promise<Attached> {
  const child = spawn(engine.program, [...engine.settings.global, ...args], {
    env: { ...engine.env },
    detached: true,
    stdio: 'pipe',
  })
  let complaint = ''
  child.stderr.on('data', chunk => {
    complaint = `${complaint}${chunk}`.slice(-4000)
  })
  let isGone = false
  const closed = new Promise<void>(resolve => {
    const finish = () => {
      isGone = true
      resolve()
    }
    child.once('close', finish).once('error', finish)
  })
  child.stdin.on('error', () => undefined).write('\n')
  const isUp = await Promise.race([
    new Promise<boolean>(resolve => child.stdout.once('data', () => resolve(true))),
    closed.then(() => false),
  ])
  if (!isUp)
    throw new AssayError('unsupported_environment', `the container can't be started: ${complaint.trim() || 'it ended'}`)
  return {
    get isUp() {
      return !isGone
    },
    async end() {
      if (isGone) return
      await engine.call(['kill', '--signal', 'KILL', name]).catch(() => child.kill('SIGKILL'))
      await closed
    },
  }
}
