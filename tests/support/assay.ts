import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { assayInProcess } from './in-process.ts'
import { killProcessesOf } from './processes.ts'

const program = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Place {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** A program that starts the tool, with its arguments. */
  readonly within?: readonly string[]
}

/** A folder for one test with these files in it; gone when the test is over. Scripts (`#!`) are executable. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
  return folder
}

/** Runs the built tool to its end, inside this process: see {@link assayProcess} for tests about processes. */
export async function assay(args: readonly string[], place: Place): Promise<Ended> {
  // Processes left by passed tests are killed at the end: tests/global-setup.ts.
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') killProcessesOf(place.cwd)
  })
  return assayInProcess(args, place)
}

const tidied = new Set<string>()

/** Once for a test, however often it starts the tool: this looks at every process of the machine. */
function killWhatIsLeftOf(cwd: string): void {
  if (tidied.has(cwd)) return
  tidied.add(cwd)
  onTestFinished(() => {
    tidied.delete(cwd)
    killProcessesOf(cwd)
  })
}

/** Runs the tool to its end in a separate process. */
export async function assayProcess(args: readonly string[], place: Place): Promise<Ended> {
  return startAssay(args, place).ended
}

export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves as soon as standard output has this text (that many times); rejects if the tool ends without it. */
  said(text: string, times?: number): Promise<void>
}

/** Starts the real tool; its remaining processes and runs are killed after the test, even a failed one. */
export function startAssay(args: readonly string[], { cwd, env, within = [] }: Place): Started {
  // Registered first, so it runs last: only ended tools start no more programs.
  killWhatIsLeftOf(cwd)
  const [command = '', ...rest] = [...within, process.execPath, program, ...args]
  const child = spawn(command, rest, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr += chunk
  })
  const exited = once(child, 'exit')
  const ended = once(child, 'close').then(([status, signal]) => ({ status, signal, stdout, stderr }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    child,
    ended,
    async said(text, times = 1) {
      const isSaid = () => stdout.split(text).length > times
      while (!isSaid()) {
        const more = once(child.stdout, 'data')
        const end = await Promise.race([more.then(() => null), ended])
        if (end !== null && !isSaid()) throw new Error(`it never said ${text}:\n${stdout}\n${stderr}`)
      }
    },
  }
}

/** The error message for the user, without the test's folder. */
export const complaint = ({ stderr }: Ended, { cwd }: Place): string => stderr.replaceAll(cwd, '<cwd>').trimEnd()

/** Every event that `run --json` printed. */
export const eventsOf = ({ stdout }: Ended): { readonly kind: string; readonly [key: string]: unknown }[] =>
  stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

/** The summary that `run --json` ends with, or that `status --json` prints. */
export function summaryOf(ended: Ended): Record<string, unknown> {
  const text = ended.stdout.trim()
  return JSON.parse(text.startsWith('{\n') ? text : (text.split('\n').at(-1) ?? '{}'))
}
