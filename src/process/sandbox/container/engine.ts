import { execFile } from 'node:child_process'
import { AssayError } from '../../../util/errors.ts'
import { type Environment, findProgram } from '../../spawn/starter.ts'

/** The command line of docker or podman. */
export interface Engine {
  readonly backend: 'docker' | 'podman'
  readonly program: string
  readonly version: string
  readonly env: Environment
  /** Options before the command, and of `run`, that this machine turned out to need. */
  readonly settings: EngineSettings
  /** Standard output of a command that has to succeed. */
  call(args: readonly string[], options?: CallOptions): Promise<string>
}

interface CallOptions {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface EngineSettings {
  global: readonly string[]
  run: readonly string[]
  build: readonly string[]
}

/** Found, and answering within ten seconds. */
export async function findEngine(backend: 'docker' | 'podman', env: Environment): Promise<Engine> {
  const found = findProgram(backend, '/', env.PATH)
  if (!('file' in found))
    throw new AssayError('unsupported_environment', `there is no program ${backend} here`, {
      hint: `Install ${backend}.`,
    })
  const settings: EngineSettings = { global: [], run: [], build: [] }
  const call: Engine['call'] = (args, { timeoutMs = 600_000, signal } = {}) =>
    new Promise((resolve, reject) => {
      const options = { env: { ...env }, timeout: timeoutMs, maxBuffer: 1 << 28, ...(signal ? { signal } : {}) }
      execFile(found.file, [...settings.global, ...args], options, (error, stdout, stderr) => {
        if (error === null) return resolve(stdout)
        const reason = stderr.trim().split('\n').slice(-8).join('\n') || error.message
        reject(new AssayError('unsupported_environment', `${backend} ${args[0]}: ${reason}`, { cause: error }))
      })
    })
  // Only the engine behind the program knows its version; the program alone can't start anything.
  const format = backend === 'docker' ? '{{.Server.Version}}' : '{{.Client.Version}}'
  const version = (await call(['version', '--format', format], { timeoutMs: 10_000 })).trim()
  return { backend, program: found.file, version, env, settings, call }
}

/**
 * Options that podman needs if resource limits can't be raised, or if control groups of both versions are mounted. Only
 * tried after it has failed without them.
 */
export function useFallback({ backend, settings }: Engine, complaint: string): boolean {
  if (backend !== 'podman' || settings.global.length > 0 || !/rlimit|cgroup/i.test(complaint)) return false
  settings.global = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs']
  settings.run = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']
  settings.build = settings.run
  return true
}
