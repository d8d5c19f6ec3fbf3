import type { WriteStream } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { AssayError, systemCode } from '../util/errors.ts'
import { type Io, type Output, wantsColour } from './io.ts'

/** The real process as an {@link Io}. */
export function processIo(options: { readonly isChildOfLauncher: boolean }): ProcessIo {
  const stdout = processOutput(process.stdout)
  return {
    argv: process.argv.slice(2),
    stdout,
    lostOutput: () => lostOutput(stdout),
    stderr: processOutput(process.stderr),
    stdin: process.stdin,
    env: process.env,
    get cwd() {
      return workingDirectory()
    },
    onSignal: callback => listenToSignals(callback, options.isChildOfLauncher),
    onExit(callback) {
      process.on('exit', callback)
      return () => process.off('exit', callback)
    },
    endSoon() {
      setTimeout(() => process.exit(), 1_000).unref()
    },
    // V8 doubles the space for new objects after as much has survived in it, so that time alone takes it to 128 MB. What it
    // has after loading the program (8 to 16 MB) is enough for runs, few of which are in memory at once.
    keepMemory() {
      setFlagsFromString('--semi-space-growth-factor=1')
      // Runs live shortly, but V8 sometimes concludes from the first ones that all are to be kept: twice the memory.
      setFlagsFromString('--no-allocation-site-pretenuring')
    },
  }
}

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch (error) {
    throw new AssayError('usage', 'the working directory is gone', { hint: 'cd to one that exists.', cause: error })
  }
}

export interface ProcessIo extends Io {
  /** Why standard output did not take all that was written; null: it did, or the reader left early. */
  lostOutput(): Promise<string | null>
}

interface ProcessOutput extends Output {
  readonly trouble: Error | null
}

async function lostOutput(stdout: ProcessOutput): Promise<string | null> {
  // What was written last may still be on its way.
  await new Promise(resolve => process.stdout.write('', resolve))
  return stdout.trouble === null || systemCode(stdout.trouble) === 'EPIPE' ? null : stdout.trouble.message
}

function processOutput(stream: WriteStream): ProcessOutput {
  let isOpen = true
  let trouble: Error | null = null
  // A reader that went away (`| head`), a terminal that was closed, a full disk behind `> file`: no reason to lose an
  // experiment. What is said is lost; what is recorded is not.
  stream.on('error', error => {
    isOpen = false
    trouble ??= error
  })
  return {
    write(text) {
      if (isOpen) stream.write(text)
    },
    get isTTY() {
      return stream.isTTY === true
    },
    get columns() {
      // Some terminals (inside `script`, or over a serial line) say 0.
      return stream.columns || 80
    },
    colour: wantsColour(process.env, stream.isTTY === true),
    get isOpen() {
      return isOpen
    },
    get trouble() {
      return trouble
    },
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A hang-up is about a terminal: who has none, as under `nohup`, was meant to outlive it. */
const hasTerminal = (): boolean => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)

/**
 * Behind the launcher of bin/own-node.mjs one Ctrl-C arrives twice, from the terminal and from the launcher;
 * a person can't press it twice within this time.
 */
const sameKeyPressMs = 150

function listenToSignals(callback: (signal: (typeof signals)[number]) => void, comesTwice: boolean): () => void {
  const last = new Map<string, number>()
  const listener = (signal: NodeJS.Signals) => {
    const now = performance.now()
    const isEcho = comesTwice && now - (last.get(signal) ?? Number.NEGATIVE_INFINITY) < sameKeyPressMs
    last.set(signal, now)
    const known = signals.find(name => name === signal)
    if (known === undefined || isEcho || (known === 'SIGHUP' && !hasTerminal())) return
    callback(known)
  }
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}
