import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const assay = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url))

export interface Measured {
  readonly seconds: number
  /** Of the processor, user and system; unlike the time it takes, the same on a busy machine. */
  readonly cpuSeconds: number
  /** Peak resident memory of the process itself; null where /proc is missing. */
  readonly megabytes: number | null
  readonly stdout: string
}

/** Runs a program to its end and measures it. Its output is discarded unless `keep` is set. */
export function measure(argv: readonly string[], options: { cwd?: string; keep?: boolean } = {}): Promise<Measured> {
  const [program = '', ...args] = argv
  return new Promise((resolve, reject) => {
    // GNU time reports the peak that the kernel itself kept; a sampled one could miss it.
    const started = performance.now()
    const child = spawn('/usr/bin/env', ['bash', '-c', `${peak} "$@"`, 'bench', program, ...args], {
      cwd: options.cwd,
      stdio: ['ignore', options.keep ? 'pipe' : 'ignore', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    })
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', chunk => {
      stdout += chunk
    })
    child.stderr?.setEncoding('utf8').on('data', chunk => {
      stderr += chunk
    })
    child.once('error', reject)
    child.once('close', status => {
      const seconds = (performance.now() - started) / 1000
      if (status !== 0) return reject(new Error(`${argv.join(' ')} ended with ${status}:\n${stderr.slice(-2000)}`))
      const kilobytes = /peak_kb=(\d+)/.exec(stderr)?.[1]
      const [, user = 0, system = 0] = /user_s=([\d.]+) system_s=([\d.]+)/.exec(stderr) ?? []
      const megabytes = kilobytes === undefined ? null : Number(kilobytes) / 1024
      resolve({ seconds, cpuSeconds: Number(user) + Number(system), megabytes, stdout })
    })
  })
}

const peak = `exec /usr/bin/env time -f 'peak_kb=%M user_s=%U system_s=%S'`

export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>, root = tmpdir()): Promise<T> {
  const folder = mkdtempSync(join(root, 'assay-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A busy moment only ever adds to the time: a result that misses its target is measured again, and the fastest counts. */
export async function fastest(
  once: () => Promise<Measured>,
  isReached: (measured: Measured) => boolean,
  most = 6,
): Promise<Measured> {
  let best = await once()
  for (let round = 1; round < most && !isReached(best); round++) {
    const next = await once()
    if (next.seconds < best.seconds) best = next
  }
  return best
}

/** Several measurements in turn, A B A B …, so that a busy moment hits both; the least of each counts. */
export async function alternate<Name extends string>(
  times: number,
  tasks: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const least = {} as Record<Name, number>
  const names = Object.keys(tasks) as Name[]
  for (let round = 0; round < times; round++)
    for (const name of names) least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, await tasks[name]())
  return least
}
