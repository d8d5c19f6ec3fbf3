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
    // V8 doubles the space for new objects each time that much has survived in it, so that time alone takes it to 128
    // MB. Its size after loading the program (8 to 16 MB) is enough for runs, few of which are in memory at once.
    keepMemory() {
      setFlagsFromString('--semi-space-growth-factor=1')
      // Objects of runs are short-lived, but V8 sometimes concludes from the first ones that all will survive: that
      // takes twice the memory.
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
  /** Why standard output did not accept everything; null: it did, or the reader left early. */
  lostOutput(): Promise<string | null>
}

interface ProcessOutput extends Output {
  readonly failure: Error | null
}

async function lostOutput(stdout: ProcessOutput): Promise<string | null> {
  // The last output may still be on its way.
  await new Promise(resolve => process.stdout.write('', resolve))
  return stdout.failure === null || systemCode(stdout.failure) === 'EPIPE' ? null : stdout.failure.message
}

function processOutput(stream: WriteStream): ProcessOutput {
  let isOpen = true
  let failure: Error | null = null
  // A reader that is gone (`| head`), a closed terminal, a full disk behind `> file`: no reason to lose an experiment.
  // The output is lost; the records are not.
  stream.on('error', error => {
    isOpen = false
    failure ??= error
  })
  return {
    write(text) {
      if (isOpen) stream.write(text)
    },
    get isTTY() {
      return stream.isTTY === true
    },
    get columns() {
      // Some terminals (inside `script`, or over a serial line) report 0.
      return stream.columns || 80
    },
    colour: wantsColour(process.env, stream.isTTY === true),
    get isOpen() {
      return isOpen
    },
    get failure() {
      return failure
    },
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A hang-up concerns a terminal: a process without one, as under `nohup`, was meant to outlive it. */
const hasTerminal = (): boolean => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)

/**
 * Behind the launcher of bin/own-node.mjs one Ctrl-C arrives twice, from the terminal and from the launcher; a person
 * can't press it twice within this time.
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
