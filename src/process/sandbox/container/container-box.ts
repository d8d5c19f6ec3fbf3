import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { makeFolders } from '../../../util/files.ts'
import { sha256 } from '../../../util/hash.ts'
import { tokenVariable } from '../../processes.ts'
import type { Box, BoxSpec, CopiedOut, Diff, Exec, ExecOptions, Limit } from '../box.ts'
import { countsOf } from '../limits/counts-of.ts'
import { runProgram } from '../output/run-program.ts'
import { openPorts, type Ports } from '../ports/open-ports.ts'
import { changesOf } from '../transfer/changes.ts'
import { SafeFolder } from '../transfer/safe-folder.ts'
import { unpack } from '../transfer/unpack.ts'
import { type Attached, attach } from './attached.ts'
import { type Engine, useFallback } from './engine.ts'

/** The label by which containers of an attempt are found after a crash. */
export const labelOf = (token: string): string => `assay.attempt=${sha256(token).slice(0, 32)}`

const keptSchema = z.lazy(() => z.object({ container: z.string(), image: z.string().nullable() }))

/** Represents the files of a box: the container keeps them, the folder only knows its name. */
export type Kept = z.infer<typeof keptSchema>

const keptFile = (files: string): string => join(files, 'container.json')

export const readKept = (files: string): Kept | null =>
  existsSync(keptFile(files)) ? keptSchema.parse(JSON.parse(readFileSync(keptFile(files), 'utf8'))) : null

/** The last of the boxes that this one starts from: its container has the files of those before it too. */
function readBeneath({ beneath = [] }: BoxSpec): Kept | null {
  const [last] = beneath
  if (last === undefined) return null
  const kept = readKept(last)
  if (kept === null) throw new AssayError('unsupported_environment', `the container that ${last} stands for is gone`)
  return kept
}

/** A container of docker or podman. */
export class ContainerBox implements Box {
  readonly #engine: Engine
  readonly #spec: BoxSpec
  readonly #name = `assay-${randomUUID()}`
  #up: { readonly attached: Attached; readonly pid: number; readonly ports: Ports } | null = null
  #isClosed = false

  private constructor(engine: Engine, spec: BoxSpec) {
    this.#engine = engine
    this.#spec = spec
  }

  static async open(engine: Engine, spec: BoxSpec): Promise<ContainerBox> {
    const box = new ContainerBox(engine, spec)
    makeFolders(spec.files)
    const kept = readKept(spec.files)
    try {
      const beneath = kept === null ? readBeneath(spec) : null
      const isCommitted = kept !== null || beneath !== null
      const image =
        kept !== null ? await box.#imageOf(kept) : beneath !== null ? await box.#copyOf(beneath) : spec.root.image
      if (image === null) throw new AssayError('unsupported_environment', `${engine.backend} needs an image`)
      writeFileSync(keptFile(spec.files), JSON.stringify({ container: box.#name, image: isCommitted ? image : null }))
      await box.#create(image)
      if (kept === null) await box.#fill(beneath === null ? (spec.initial ?? []) : [])
      return box
    } catch (error) {
      await box.close()
      throw error
    }
  }

  async exec(argv: readonly string[], options: ExecOptions): Promise<Exec> {
    const up = await this.#boot()
    const before = countsOf(up.pid)
    const { root, token } = this.#spec
    const env = { ...root.env, ...this.#spec.env, ...options.env, [tokenVariable]: token }
    const user = options.user ?? this.#spec.user
    const ran = await runProgram(
      {
        argv: [
          ...[this.#engine.program, ...this.#engine.settings.global, 'exec'],
          ...(options.stdin === undefined ? [] : ['--interactive']),
          ...['--workdir', options.cwd ?? this.#spec.workdir, ...(user === undefined ? [] : ['--user', user])],
          ...environmentArguments(env),
          ...[this.#name, ...argv],
        ],
        env: { ...secretsOf(env), ...ownEnvironment(this.#engine) },
        terminate: () => void this.#quietly('exec', this.#name, '/bin/sh', '-c', 'kill -TERM -1'),
        kill: () => void up.attached.end(),
      },
      options,
    )
    const after = countsOf(up.pid)
    if (ran.how !== 'exited') await this.#end()
    const reached: readonly Limit[] = [
      ...(after.memory > before.memory ? ['memory' as const] : []),
      ...(after.processes > before.processes ? ['processes' as const] : []),
      ...(ran.cutBytes > 0 ? ['output' as const] : []),
    ]
    const isOutOfMemory = ran.how === 'exited' && reached.includes('memory') && ran.exitCode === 137
    const isMissing =
      ran.how === 'exited' && (ran.exitCode === 126 || ran.exitCode === 127) && this.#wasNotStarted(options)
    return {
      ...ran,
      how: isOutOfMemory ? 'out_of_memory' : isMissing ? 'not_started' : ran.how,
      reached,
      leftovers: this.#up?.attached.isUp ? await this.#running() : [],
    }
  }

  async diff({ mostBytes }: { readonly mostBytes: number }): Promise<Diff> {
    await this.#boot()
    const folder = mkdtempSync(join(tmpdir(), 'assay-after-'))
    const { left } = await this.#copy(this.#spec.workdir, folder, mostBytes, true)
    const versions = {
      before: SafeFolder.open(join(this.#spec.files, 'before')),
      after: SafeFolder.open(folder),
      written: null,
    }
    try {
      const changes = await changesOf(versions, mostBytes)
      return { patch: changes.patch, left: [...left, ...changes.left] }
    } finally {
      versions.before?.close()
      versions.after?.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }

  at(path: string): string {
    return path
  }

  async copyOut(path: string, to: string, { mostBytes }: { readonly mostBytes: number }): Promise<CopiedOut> {
    await this.#boot()
    return this.#copy(path, to, mostBytes, false)
  }

  async copyIn(from: string, path: string): Promise<void> {
    await this.#boot()
    const isFolder = lstatSync(from).isDirectory()
    await this.#engine.call(['exec', '--user', '0', this.#name, 'mkdir', '-p', isFolder ? path : dirname(path)])
    // A folder itself would be put into one that is there already.
    await this.#engine.call(['cp', isFolder ? `${from}/.` : from, `${this.#name}:${path}`])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end()
  }

  /** A fresh container over the files of an earlier one: they become an image, and the earlier one is removed. */
  async #imageOf(kept: Kept): Promise<string> {
    const image = `localhost/assay-files:${sha256(kept.container).slice(0, 32)}`
    await this.#engine.call(['commit', '--change', `LABEL ${labelOf(this.#spec.token)}`, kept.container, image])
    await this.#engine.call(['rm', '--force', kept.container])
    if (kept.image !== null) await this.#quietly('rmi', kept.image)
    return image
  }

  /** A new container that starts from the files of another one, which is not changed. */
  async #copyOf({ container }: Kept): Promise<string> {
    const image = `localhost/assay-files:${sha256(`${container} ${this.#name}`).slice(0, 32)}`
    await this.#engine.call(['commit', '--change', `LABEL ${labelOf(this.#spec.token)}`, container, image])
    return image
  }

  async #create(image: string): Promise<void> {
    try {
      await this.#attach(['run', ...this.#runArguments(), image, '-'])
    } catch (error) {
      await this.#quietly('rm', '--force', this.#name)
      if (!useFallback(this.#engine, messageOf(error))) throw error
      await this.#attach(['run', ...this.#runArguments(), image, '-'])
    }
  }

  #runArguments(): readonly string[] {
    const { memoryMb, pids, mounts, network, workdir, token } = this.#spec
    return [
      ...['--interactive', '--name', this.#name, '--label', labelOf(token), '--hostname', 'box', '--pull', 'never'],
      ...[
        '--network',
        network,
        '--workdir',
        workdir,
        '--user',
        '0',
        '--entrypoint',
        'cat',
        ...this.#engine.settings.run,
      ],
      ...(memoryMb === null ? [] : ['--memory', `${memoryMb}m`, '--memory-swap', `${memoryMb}m`]),
      ...(pids === null ? [] : ['--pids-limit', String(pids)]),
      ...mounts.flatMap(({ source, target, writable }) => [
        '--mount',
        `type=bind,source=${source},target=${target}${writable ? '' : ',readonly'}`,
      ]),
    ]
  }

  /** For fresh files: copies in the initial ones, and makes a copy to compare with later. */
  async #fill(initial: NonNullable<BoxSpec['initial']>): Promise<void> {
    for (const { source, target } of initial) await this.copyIn(source, target)
    const before = join(this.#spec.files, 'before')
    makeFolders(before)
    await this.#copy(this.#spec.workdir, before, Number.MAX_SAFE_INTEGER, true)
  }

  async #boot() {
    if (this.#isClosed) throw new AssayError('internal', 'this box is closed')
    if (this.#up?.attached.isUp) return this.#up
    await this.#end()
    return await this.#attach(['start', '--attach', '--interactive', this.#name])
  }

  async #attach(args: readonly string[]) {
    const attached = await attach(this.#engine, this.#name, args)
    const pid = Number(await this.#engine.call(['inspect', '--format', '{{.State.Pid}}', this.#name]))
    const into = this.#spec.network === 'none' ? ['nsenter', '--target', String(pid), '--net'] : []
    const up = { attached, pid, ports: await openPorts(this.#spec, into) }
    this.#up = up
    return up
  }

  async #end(): Promise<void> {
    const up = this.#up
    this.#up = null
    await up?.ports.close()
    await up?.attached.end()
  }

  /** The engine packs it up, and it is unpacked here: so nothing but files and folders comes out. */
  async #copy(path: string, to: string, mostBytes: number, keepsLinks: boolean): Promise<CopiedOut> {
    const { program, settings, env } = this.#engine
    const child = spawn(program, [...settings.global, 'cp', `${this.#name}:${path}`, '-'], { env: { ...env } })
    child.stderr.resume()
    try {
      return await unpack(child.stdout, { path, to, mostBytes, keepsLinks })
    } finally {
      child.kill('SIGKILL')
    }
  }

  /** Names of programs that are still running, without the one that keeps the container alive. */
  async #running(): Promise<readonly string[]> {
    const columns = this.#engine.backend === 'docker' ? ['-eo', 'comm'] : ['comm']
    const [, ...names] = (await this.#engine.call(['top', this.#name, ...columns])).trim().split('\n')
    const holder = names.findIndex(name => name.trim() === 'cat')
    return names.filter((_, index) => index !== holder).map(name => name.trim())
  }

  #wasNotStarted({ stderrFile }: ExecOptions): boolean {
    const text = readFileSync(stderrFile, 'latin1').slice(0, 2000)
    return /OCI runtime|executable file|no such file or directory|crun:|runc:/i.test(text)
  }

  async #quietly(...args: string[]): Promise<void> {
    await this.#engine.call(args).catch(() => undefined)
  }
}

// Variables that the engine's own program reads: for a box they must be on the command line.
const engines =
  /^(PATH|HOME|USER|TMPDIR|XDG_.*|DOCKER_.*|BUILDKIT_.*|CONTAINERS?_.*|REGISTRY_.*|LD_.*|SSH_.*|NO_PROXY|HTTPS?_PROXY)$/i

/** Values stay out of the command line, which every user of the machine can read. */
const environmentArguments = (env: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => ['--env', engines.test(name) ? `${name}=${value}` : name])

const secretsOf = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !engines.test(name)))

const ownEnvironment = ({ env }: Engine): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (engines.test(name) && value !== undefined ? [[name, value]] : [])),
  )
