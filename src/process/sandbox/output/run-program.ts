import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { systemCode } from '../../../util/errors.ts'
import { deadline } from '../../../util/system-clock.ts'
import type { ExecOptions } from '../box.ts'
import { CappedFile } from './capped-file.ts'

/** A program of the host that leads into a box. */
export interface Entry {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly uid?: number
  /** Asks everything in the box to end. */
  terminate(): void
  /** Ends everything in the box. */
  kill(): void
}

export interface Ran {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly how: 'exited' | 'timed_out' | 'stopped'
  readonly wall_s: number
  readonly cutBytes: number
}

/** Starts the program with capped output, and ends the box when its time is up or the signal comes. */
export async function runProgram(entry: Entry, options: ExecOptions): Promise<Ran> {
  const { stdoutFile, stderrFile, outputBytes } = options
  const stdout = new CappedFile(stdoutFile, outputBytes)
  const stderr = stderrFile === stdoutFile ? stdout : new CappedFile(stderrFile, outputBytes)
  const started = performance.now()
  try {
    const { exitCode, signal, how } = await supervise(entry, options, stdout, stderr)
    const cutBytes = stdout.cutBytes + (stderr === stdout ? 0 : stderr.cutBytes)
    return { exitCode, signal, how, wall_s: (performance.now() - started) / 1000, cutBytes }
  } finally {
    stdout.close()
    stderr.close()
  }
}

type End = Pick<Ran, 'exitCode' | 'signal' | 'how'>

async function supervise(entry: Entry, options: ExecOptions, stdout: CappedFile, stderr: CappedFile): Promise<End> {
  const [program = '', ...args] = entry.argv
  const child = spawn(program, args, {
    env: entry.env,
    detached: true,
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
    ...(entry.uid === undefined ? {} : { uid: entry.uid }),
  })
  const outputs = [listen(child.stdout, stdout), listen(child.stderr, stderr)]
  // A program that reads nothing closes its end: that is its right.
  child.stdin?.on('error', () => undefined).end(options.stdin)
  const end = await ended(child, entry, options)
  await Promise.all(outputs.map(drained))
  return end
}

function ended(child: ChildProcess, entry: Entry, { timeoutMs, graceMs, signal }: ExecOptions): Promise<End> {
  return new Promise((resolve, reject) => {
    let how: End['how'] = 'exited'
    let killing: NodeJS.Timeout | undefined
    const end = (why: 'timed_out' | 'stopped') => {
      if (how !== 'exited') return
      how = why
      entry.terminate()
      killing = setTimeout(entry.kill, graceMs)
    }
    const stop = () => end('stopped')
    const forgetTimeout = deadline(timeoutMs, () => end('timed_out'))
    const finish = () => {
      forgetTimeout()
      clearTimeout(killing)
      signal?.removeEventListener('abort', stop)
      // The program obeyed; its child processes may not have.
      if (how !== 'exited') entry.kill()
    }
    child.once('error', error => {
      finish()
      reject(error)
    })
    child.once('exit', (exitCode, name) => {
      finish()
      resolve({ exitCode, signal: name, how })
    })
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

function listen(stream: Readable | null, file: CappedFile): Readable | null {
  return (
    stream
      ?.on('data', (chunk: Buffer) => file.write(chunk))
      .on('error', error => {
        if (systemCode(error) !== 'EIO') throw error
      }) ?? null
  )
}

/** Until the end of the output, or, if a leftover process keeps it open, until nothing more arrives. */
function drained(stream: Readable | null): Promise<void> {
  if (stream === null || stream.readableEnded || stream.destroyed) return Promise.resolve()
  return new Promise(resolve => {
    let quietRounds = 0
    let round: NodeJS.Timeout
    const finish = () => {
      clearTimeout(round)
      clearTimeout(last)
      stream.destroy()
      resolve()
    }
    // Rounds of the event loop, not only time: on a busy machine output may wait to be read for longer than that.
    const look = () => {
      quietRounds += 1
      if (quietRounds > 3) finish()
      else round = setTimeout(look, quietMs)
    }
    const last = setTimeout(finish, drainMs)
    round = setTimeout(look, quietMs)
    stream.once('close', finish).on('data', () => {
      quietRounds = 0
    })
  })
}

const quietMs = 25
const drainMs = 5_000
