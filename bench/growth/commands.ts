import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { assay, type Measured, measure } from '../measure.ts'

/** Commands on a finished experiment, executed in its folder. */
export interface Command {
  readonly name: string
  /** `flags`: of Node. */
  measure(folder: string, flags?: readonly string[]): Promise<Measured>
}

const results = 'results/grown'

/** Ignores the exit code: failed runs, and too many candidates to compare, exit with other codes than 0. */
const answer = (...args: readonly string[]): Command => ({
  name: args[0] ?? '',
  measure: (folder, flags = []) =>
    measure(['/bin/sh', '-c', '"$0" "$@"; [ $? -le 2 ]', process.execPath, ...flags, assay, ...args], { cwd: folder }),
})

export const commands: readonly Command[] = [
  answer('plan'),
  // All runs are finished, so this measures the end of `run`.
  answer('run'),
  answer('status', results),
  answer('collect', results),
  answer('export', results),
  answer('compare', results, '--best', '20'),
  answer('effects', results),
  answer('analyze', results),
  answer('report', results),
  { name: 'serve', measure: served },
]

/** From the start of the server until it has sent the whole dataset of the experiment. */
async function served(folder: string, flags: readonly string[] = []): Promise<Measured> {
  const started = performance.now()
  const server = spawn(process.execPath, [...flags, assay, 'serve', 'results', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [line] = await once(server.stdout, 'data')
    const { address } = JSON.parse(String(line))
    const response = await fetch(`${address}api/dataset?dir=grown`)
    if (!response.ok) throw new Error(`serve answered ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
    const seconds = (performance.now() - started) / 1000
    return { seconds, cpuSeconds: cpuOf(server.pid) ?? seconds, megabytes: peakOf(server.pid), stdout: '' }
  } finally {
    const ended = once(server, 'close')
    server.kill('SIGINT')
    await ended
  }
}

/** Of a process that still exists; null without /proc. */
function peakOf(pid: number | undefined): number | null {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(processFile(pid, 'status'))?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) / 1024
}

/** Linux counts in hundredths of a second. */
function cpuOf(pid: number | undefined): number | null {
  const [, user, system] = /\) \S+(?: -?\d+){10} (\d+) (\d+)/.exec(processFile(pid, 'stat')) ?? []
  return user === undefined || system === undefined ? null : (Number(user) + Number(system)) / 100
}

function processFile(pid: number | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
