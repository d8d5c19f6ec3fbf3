import type { Recipe } from './recipe.ts'

/** The ways to isolate a run, in the order in which `auto` tries them. `process` isolates nothing and is never chosen by `auto`. */
export const backends = ['docker', 'podman', 'bubblewrap', 'process'] as const
export type Backend = (typeof backends)[number]

/** What a backend can do on this machine. A task that needs more is refused, not run differently. */
export interface Capabilities {
  readonly isolation: 'container' | 'namespaces' | 'none'
  /** Starts from a task's image; otherwise from the programs of the host. */
  readonly images: boolean
  readonly cutsNetwork: boolean
  /** A limit on the memory of the whole box is enforced. */
  readonly memory: boolean
  /** A limit on the number of processes is enforced. */
  readonly pids: boolean
  readonly storage: boolean
  /** Mounts and working directories at any absolute path. */
  readonly anyPath: boolean
  /** Programs may write to all of the file system, as `apt-get install` does. */
  readonly writesAnywhere: boolean
  /** Programs may run as another user than root. */
  readonly otherUsers: boolean
  /** Notes about the points above for readers of the results. */
  readonly notes: readonly string[]
}

/** A way of isolating the programs of a run. */
export interface Sandbox {
  readonly backend: Backend
  readonly version: string
  readonly can: Capabilities
  /** Makes the file system of a recipe, or finds it in the cache. Rejects with `unsupported_environment`, naming the step. */
  build(recipe: Recipe, options: BuildOptions): Promise<Root>
  open(spec: BoxSpec): Promise<Box>
  /** Deletes a folder that boxes wrote to, and the backend's own data for it. No box over it may be open. */
  discard(files: string): Promise<void>
}

export interface BuildOptions {
  /** Globs over the text of steps; a matching step is skipped because the host provides its result. */
  readonly provided: readonly string[]
  /** Whether RUN steps may use the network of the host. */
  readonly network: boolean
  /** For RUN steps alone, and not part of the result: for example the addresses of proxies. */
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Where built file systems are kept. */
  readonly cacheDir: string
  /** The attempt's token, as in {@link BoxSpec}. */
  readonly token: string
  readonly signal?: AbortSignal
  readonly onLine?: (text: string) => void
}

export interface BoxSpec {
  /** The attempt's: all processes of the box carry it in their environment. */
  readonly token: string
  readonly root: Root
  /** Host folder that keeps everything the box writes: a second box over the same folder sees it. Made if missing. */
  readonly files: string
  /** Folders that earlier boxes wrote to: this one starts from their content, the last first. They are not changed. */
  readonly beneath?: readonly string[] | undefined
  /** Copied into fresh files before the first box starts; {@link Box.diff} does not count them as changes. */
  readonly initial?: readonly Placed[]
  readonly mounts: readonly Mount[]
  readonly env: Readonly<Record<string, string>>
  readonly workdir: string
  /** A name or number; root if missing. */
  readonly user?: string
  /** `host`: the network of the host, its loopback interface included. */
  readonly network: 'none' | 'host'
  /** 127.0.0.1:port inside leads to a unix socket outside, with or without a network. */
  readonly ports: readonly { readonly port: number; readonly socket: string }[]
  readonly memoryMb: number | null
  readonly pids: number | null
  readonly storageMb: number | null
}

export interface Placed {
  /** A file or folder on the host. */
  readonly source: string
  /** An absolute path in the box. */
  readonly target: string
}

export interface Mount extends Placed {
  readonly writable: boolean
}

/** One opened sandbox. */
export interface Box {
  exec(argv: readonly string[], options: ExecOptions): Promise<Exec>
  /** The changes below the working directory since the files were fresh, as a patch for `git apply`. */
  diff(options: { readonly mostBytes: number }): Promise<Diff>
  /** Where programs of the box find a path of the box: there, or somewhere on the host if nothing isolates them. */
  at(path: string): string
  /** Copies a file or folder out, following no link and copying no device, pipe or socket. */
  copyOut(path: string, to: string, options: { readonly mostBytes: number }): Promise<CopiedOut>
  /** Copies a file or folder of the host in, replacing existing files and following no link of the box. */
  copyIn(from: string, path: string): Promise<void>
  /** Back when all processes are gone and everything but the files is undone. May be called again. */
  close(): Promise<void>
}

export interface ExecOptions {
  readonly stdin?: string | Uint8Array
  /** In addition to the box's. */
  readonly env?: Readonly<Record<string, string>>
  /** The box's working directory if missing. */
  readonly cwd?: string
  readonly user?: string
  /** After this time everything in the box is ended. */
  readonly timeoutMs: number
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs: number
  /** The most that is kept of each output: its beginning and its end. */
  readonly outputBytes: number
  readonly stdoutFile: string
  /** The same file as for standard output gets both in the order in which they come. */
  readonly stderrFile: string
  readonly signal?: AbortSignal
  /** Storage counts from now on: tests need room although an agent filled the box. */
  readonly freshStorage?: boolean
}

export type Limit = 'memory' | 'processes' | 'storage' | 'output'

export interface Exec {
  readonly exitCode: number | null
  readonly signal: string | null
  /** `not_started`: there is no such program in the box, or it is not executable. */
  readonly how: 'exited' | 'not_started' | 'timed_out' | 'stopped' | 'out_of_memory' | 'out_of_storage'
  /** Limits that were reached, whether or not the program ended because of them. */
  readonly reached: readonly Limit[]
  readonly wall_s: number
  /** Output that was not kept. */
  readonly cutBytes: number
  /** Names of programs that still run in the box: they are ended with it. */
  readonly leftovers: readonly string[]
}

export interface Diff {
  readonly patch: string
  readonly left: readonly Left[]
}

export interface CopiedOut {
  readonly files: number
  readonly bytes: number
  readonly left: readonly Left[]
}

/** Something that was not taken out of a box. */
export interface Left {
  readonly path: string
  readonly why: string
}

/** A file system that boxes start from. */
export interface Root {
  /** Digest of all that decides its content. */
  readonly id: string
  /** The folder with what was built on top of the host; null: the host's programs alone, or an image. */
  readonly layer: string | null
  /** The engine's image; null where the host's programs are used. */
  readonly image: string | null
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string | null
  /** Texts of steps that the host provides. */
  readonly skipped: readonly string[]
  readonly notes: readonly string[]
}

/** The programs of the host, with nothing on top. */
export const hostRoot: Root = {
  id: 'host',
  layer: null,
  image: null,
  workdir: '/',
  env: {},
  user: null,
  skipped: [],
  notes: [],
}
