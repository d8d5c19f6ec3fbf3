import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AssayError, systemCode } from '../../../util/errors.ts'
import { makeFolders } from '../../../util/files.ts'
import { endGroup, type Survivor, survivorText } from '../../end.ts'
import { listProcesses, membersOf, tokenVariable } from '../../processes.ts'
import { adoptOrphans } from '../../spawn/spawn-group.ts'
import { descendants } from '../../strays.ts'
import type { Box, BoxSpec, CopiedOut, Diff, Exec, ExecOptions } from '../box.ts'
import { runProgram } from '../output/run-program.ts'
import { openPorts, type Ports } from '../ports/open-ports.ts'
import { changesOf } from '../transfer/changes.ts'
import { copyTree } from '../transfer/copy-tree.ts'
import { putIn } from '../transfer/put-in.ts'
import { SafeFolder } from '../transfer/safe-folder.ts'
import { takeOut } from '../transfer/take-out.ts'

/** Programs of an attempt in a folder: a path of the box is that path below the folder. */
export class ProcessBox implements Box {
  readonly #spec: BoxSpec
  readonly #ports: Ports
  readonly #root: string
  #isClosed = false

  private constructor(spec: BoxSpec, ports: Ports) {
    this.#spec = spec
    this.#ports = ports
    this.#root = join(spec.files, 'root')
  }

  static async open(spec: BoxSpec): Promise<ProcessBox> {
    const { files, root, workdir, initial = [], beneath = [] } = spec
    const [last] = beneath
    if (!existsSync(join(files, 'root')) && last !== undefined) {
      for (const name of ['before', 'root']) await copyTree(join(last, 'root'), join(files, name))
    } else if (!existsSync(join(files, 'root'))) {
      for (const folder of ['tmp', 'root', workdir]) makeFolders(join(files, 'before', folder))
      if (root.layer !== null && existsSync(join(root.layer, 'root')))
        await copyTree(join(root.layer, 'root'), join(files, 'before'))
      for (const { source, target } of initial) await copyTree(source, join(files, 'before', target))
      await copyTree(join(files, 'before'), join(files, 'root'))
    }
    makeFolders(join(files, 'root', workdir))
    adoptOrphans()
    return new ProcessBox(spec, await openPorts(spec, []))
  }

  async exec(argv: readonly string[], options: ExecOptions): Promise<Exec> {
    this.#mustBeOpen()
    const { token, root, workdir } = this.#spec
    const own = { PATH: process.env.PATH ?? '', HOME: join(this.#root, 'root'), TMPDIR: join(this.#root, 'tmp') }
    const env = { ...own, ...root.env, ...this.#spec.env, ...options.env, [tokenVariable]: token }
    // Ending this program must be complete before the next one starts: it would end that one too.
    const endings: Promise<unknown>[] = []
    try {
      const ran = await runProgram(
        {
          argv,
          env,
          cwd: join(this.#root, options.cwd ?? workdir),
          terminate: () => void endings.push(this.#end(options.graceMs)),
          kill: () => void endings.push(this.#end(0)),
        },
        options,
      )
      await Promise.all(endings)
      if (ran.how !== 'exited') await this.#endAll()
      return {
        ...ran,
        reached: ran.cutBytes > 0 ? ['output'] : [],
        leftovers: this.#members().map(({ pid }) => nameOf(pid)),
      }
    } catch (error) {
      if (!['ENOENT', 'EACCES'].includes(systemCode(error) ?? '')) throw error
      return { exitCode: 127, signal: null, how: 'not_started', reached: [], wall_s: 0, cutBytes: 0, leftovers: [] }
    }
  }

  async diff({ mostBytes }: { readonly mostBytes: number }): Promise<Diff> {
    const at = (name: string) => SafeFolder.open(join(this.#spec.files, name, this.#spec.workdir))
    const versions = { before: at('before'), after: at('root'), written: null }
    try {
      return await changesOf(versions, mostBytes)
    } finally {
      versions.before?.close()
      versions.after?.close()
    }
  }

  at(path: string): string {
    const mount = this.#spec.mounts.find(({ target }) => `${path}/`.startsWith(`${target}/`))
    return mount === undefined ? join(this.#root, path) : join(mount.source, path.slice(mount.target.length))
  }

  async copyOut(path: string, to: string, { mostBytes }: { readonly mostBytes: number }): Promise<CopiedOut> {
    return this.#using(root => takeOut(root, path, to, mostBytes))
  }

  async copyIn(from: string, path: string): Promise<void> {
    this.#using(root => putIn(root, from, path))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      await this.#endAll()
    } finally {
      await this.#ports.close()
    }
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new AssayError('internal', 'this box is closed')
  }

  #using<T>(use: (root: SafeFolder) => T): T {
    this.#mustBeOpen()
    const root = SafeFolder.open(this.#root)
    if (root === null) throw new AssayError('internal', `the box's folder ${this.#root} is gone`)
    try {
      return use(root)
    } finally {
      root.close()
    }
  }

  /** By the token, which even a process that left its group carries. */
  #members() {
    return membersOf(descendants() ?? listProcesses(), [this.#attempt()]).filter(({ pid }) => !isForwarder(pid))
  }

  #attempt() {
    return { token: this.#spec.token, pid: null, startTime: null }
  }

  /** A process that can't be ended does not block the box: it is named. */
  async #endAll(): Promise<void> {
    const survivors = await this.#end(0)
    if (survivors.length > 0) throw new Error(`the box could not be ended: ${survivorText(survivors)}`)
  }

  #end(graceMs: number): Promise<readonly Survivor[]> {
    return endGroup(this.#attempt(), graceMs, isForwarder)
  }
}

/** Our own process that forwards the ports carries the token too. */
const isForwarder = (pid: number): boolean => read(`/proc/${pid}/cmdline`).includes('assay-forward')

const nameOf = (pid: number): string => read(`/proc/${pid}/comm`).trim()

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
