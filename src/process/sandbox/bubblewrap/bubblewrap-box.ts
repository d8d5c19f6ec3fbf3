import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { AssayError } from '../../../util/errors.ts'
import { readRegular } from '../../../util/files.ts'
import { tokenVariable } from '../../processes.ts'
import type { Box, BoxSpec, CopiedOut, Diff, Exec, ExecOptions, Limit } from '../box.ts'
import type { Group } from '../limits/cgroups.ts'
import { reportedLimits } from '../limits/reported-limits.ts'
import { type Alarm, watchBox } from '../limits/watch-box.ts'
import { type Ran, runProgram } from '../output/run-program.ts'
import { openPorts, type Ports } from '../ports/open-ports.ts'
import { changesOf } from '../transfer/changes.ts'
import { putIn } from '../transfer/put-in.ts'
import { SafeFolder } from '../transfer/safe-folder.ts'
import { takeOut } from '../transfer/take-out.ts'
import { accountOf } from './accounts.ts'
import { type Booted, boot, systemPath } from './boot.ts'
import { type BoxFiles, forgetMounts } from './box-files.ts'
import { enterArguments, splitEnvironment } from './enter.ts'
import { hadFiles, openBefore } from './open-before.ts'
import type { Host } from './probe.ts'

/** A box of bubblewrap. After its time was up its processes are gone; the next call starts it again over the same files. */
export class BubblewrapBox implements Box {
  readonly #host: Host
  readonly #spec: BoxSpec
  readonly #files: BoxFiles
  readonly #group: Group | null
  #up: { readonly booted: Booted; readonly ports: Ports } | null = null
  #isClosed = false

  private constructor(host: Host, spec: BoxSpec, files: BoxFiles) {
    this.#host = host
    this.#spec = spec
    this.#files = files
    this.#group = host.groups.make(spec.token, spec)
  }

  static async open(host: Host, spec: BoxSpec, files: BoxFiles): Promise<BubblewrapBox> {
    const box = new BubblewrapBox(host, spec, files)
    try {
      await box.#boot()
      return box
    } catch (error) {
      await box.close()
      throw error
    }
  }

  async exec(argv: readonly string[], options: ExecOptions): Promise<Exec> {
    const booted = await this.#boot()
    const before = this.#group?.counts()
    const { outside, inside } = splitEnvironment(this.#environment(options))
    const account = this.#using(root => accountOf(root, options.user ?? this.#spec.user ?? 'root'))
    const { memoryMb, pids, storageMb } = this.#spec
    const { groups } = this.#host
    const limits = { storageMb, memoryMb: groups.memory ? null : memoryMb, pids: groups.pids ? null : pids }
    const joinFiles = this.#group?.joinFiles ?? []
    const program = [...inside, ...argv]
    const watched = { procFolder: `/proc/${booted.first}/root/proc`, written: this.#writtenFolders() }
    const alarm = watchBox({ ...watched, freshStorage: options.freshStorage === true }, limits)
    const ran = await runProgram(
      {
        argv: enterArguments(this.#host, booted, this.#spec, program, options, { account, joinFiles, limits }),
        env: outside,
        cwd: '/',
        terminate: () => signalAll(booted.first, 'SIGTERM'),
        kill: () => void booted.end(),
      },
      { ...options, signal: AbortSignal.any([alarm.signal, ...(options.signal ? [options.signal] : [])]) },
    ).finally(() => alarm.stop())
    if (ran.how !== 'exited') await this.#end()
    const after = this.#group?.counts()
    const told = reportedLimits(options.stderrFile)
    const isKilledForMemory = rose(before?.memory, after?.memory)
    const has = {
      memory:
        isKilledForMemory || (limits.memoryMb !== null && told.includes('memory')) || alarm.reached() === 'memory',
      processes:
        rose(before?.processes, after?.processes) ||
        (limits.pids !== null && told.includes('processes')) ||
        alarm.wasFull(),
      storage: alarm.reached() === 'storage' || (isKilledForMemory && alarm.isFull()),
      output: ran.cutBytes > 0,
    }
    const reached = allLimits.filter(limit => has[limit])
    return {
      ...ran,
      how: howOf(ran, reached, alarm, options),
      reached,
      leftovers: this.#up?.booted.isUp ? runningIn(booted.first) : [],
    }
  }

  async diff({ mostBytes }: { readonly mostBytes: number }): Promise<Diff> {
    const booted = await this.#boot()
    const { workdir } = this.#spec
    const written = this.#host.overlay ? SafeFolder.open(this.#files.written(workdir)) : null
    // None was written to, and an empty one is one whose place was made, unless it was deleted or has taken the place of another.
    const isEmpty = written === null || written.names().length === 0
    const isReplaced = isEmpty && this.#isNowEmpty(workdir) && hadFiles(this.#files, workdir)
    if (this.#host.overlay && isEmpty && !isReplaced) {
      written?.close()
      return { patch: '', left: [] }
    }
    const versions = {
      before: await openBefore(this.#host, booted, this.#files, workdir),
      after: this.#using(root => root.find(workdir)),
      written: isReplaced ? null : written,
    }
    try {
      return await changesOf(versions, mostBytes)
    } finally {
      for (const folder of [versions.before, versions.after, written]) folder?.close()
    }
  }

  at(path: string): string {
    return path
  }

  #isNowEmpty(path: string): boolean {
    return this.#using(root => {
      const folder = root.find(path)
      try {
        return folder === null || folder.names().length === 0
      } finally {
        folder?.close()
      }
    })
  }

  async copyOut(path: string, to: string, { mostBytes }: { readonly mostBytes: number }): Promise<CopiedOut> {
    await this.#boot()
    if (/^\/(proc|dev|sys)(\/|$)/.test(path))
      return { files: 0, bytes: 0, left: [{ path, why: 'not a place for files' }] }
    return this.#using(root => takeOut(root, path, to, mostBytes))
  }

  async copyIn(from: string, path: string): Promise<void> {
    await this.#boot()
    this.#using(root => putIn(root, from, path))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end()
    forgetMounts(this.#files)
    await this.#group?.remove()
  }

  async #boot(): Promise<Booted> {
    if (this.#isClosed) throw new AssayError('internal', 'this box is closed')
    const { booted: before } = this.#up ?? {}
    if (before?.isUp && (await before.answers())) return before
    await this.#end()
    const booted = await boot(this.#host, this.#spec, this.#files, this.#group?.joinFiles ?? [])
    try {
      this.#up = { booted, ports: await openPorts(this.#spec, this.#intoNetwork(booted)) }
    } catch (error) {
      await booted.end()
      throw error
    }
    return booted
  }

  /** A program that listens in the box's network while it sees the host's files. */
  #intoNetwork({ outer, first }: Booted): readonly string[] {
    const { nsenter } = this.#host.programs
    const through = ['--target', String(outer), '--user', '--preserve-credentials', nsenter]
    const user = this.#host.namespaces === null ? through : []
    return this.#spec.network === 'none' ? [nsenter, ...user, '--target', String(first), '--net'] : []
  }

  async #end(): Promise<void> {
    const up = this.#up
    this.#up = null
    await up?.ports.close()
    await up?.booted.end()
  }

  #environment({ env }: ExecOptions): Readonly<Record<string, string>> {
    const { root, token } = this.#spec
    const own = { PATH: systemPath, HOME: '/root', LANG: 'C.UTF-8' }
    return { ...own, ...root.env, ...this.#spec.env, ...env, [tokenVariable]: token }
  }

  /** Everything of the host's disk that the box fills. */
  #writtenFolders(): readonly string[] {
    const shared = this.#spec.mounts.filter(({ writable }) => writable).map(({ source }) => source)
    return [join(this.#files.folder, 'u'), ...shared]
  }

  /** The box's complete file system, as it is mounted now. */
  #using<T>(use: (root: SafeFolder) => T): T {
    const booted = this.#up?.booted
    const root = booted === undefined ? null : SafeFolder.open(`/proc/${booted.first}/root/.`)
    if (root === null) throw new AssayError('internal', 'the box ended while its files were looked at')
    try {
      return use(root)
    } finally {
      root.close()
    }
  }
}

const allLimits = ['memory', 'processes', 'storage', 'output'] as const satisfies readonly Limit[]

const rose = (before = 0, after = 0): boolean => after > before

function howOf(ran: Ran, reached: readonly Limit[], alarm: Alarm, options: ExecOptions): Exec['how'] {
  if (ran.how === 'stopped' && alarm.reached() !== null && options.signal?.aborted !== true)
    return alarm.reached() === 'storage' ? 'out_of_storage' : 'out_of_memory'
  if (ran.how !== 'exited') return ran.how
  if (reached.includes('memory') && (ran.signal === 'SIGKILL' || ran.exitCode === 137))
    return reached.includes('storage') ? 'out_of_storage' : 'out_of_memory'
  return wasNotStarted(ran, options.stderrFile) ? 'not_started' : 'exited'
}

/** nsenter reports this itself, before anything else could have been written. */
function wasNotStarted({ exitCode }: Ran, stderrFile: string): boolean {
  if (exitCode === null || exitCode === 0) return false
  return /^nsenter: (failed to execute|cannot open current working)/.test((readRegular(stderrFile) ?? '').slice(0, 200))
}

/** Names of the programs that run in the box, without the two processes that keep it alive. */
function runningIn(first: number): readonly string[] {
  const folder = `/proc/${first}/root/proc`
  return pidsIn(folder).flatMap(pid => {
    const stat = pid > 2 ? read(`${folder}/${pid}/stat`) : ''
    const found = /^\d+ \((.*)\) ([A-Z])/s.exec(stat)
    return found === null || found[2] === 'Z' || found[2] === 'X' ? [] : [found[1] ?? '']
  })
}

function pidsIn(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .map(Number)
      .filter(pid => Number.isInteger(pid))
  } catch {
    return []
  }
}

/** To each process of the box except the two that keep it alive, found by their namespace. */
function signalAll(first: number, signal: NodeJS.Signals): void {
  const namespace = linkOf(`/proc/${first}/ns/pid`)
  if (namespace === null) return
  const holders = new Set([first, ...pidsIn('/proc').filter(pid => parentOf(pid) === first && isHolder(pid))])
  for (const pid of pidsIn('/proc'))
    if (!holders.has(pid) && linkOf(`/proc/${pid}/ns/pid`) === namespace)
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended.
      }
}

/** The second process of the namespace: `cat`, which bwrap starts before anything else can be started. */
const isHolder = (pid: number): boolean => /^NSpid:.*\t2$/m.test(read(`/proc/${pid}/status`))

const parentOf = (pid: number): number => Number(/^PPid:\t(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
