import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Operations on files below a folder, and messages in between, in order. */
export type Operation =
  | { readonly kind: 'create' | 'mkdir' | 'unlink'; readonly path: string }
  | { readonly kind: 'rename' | 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'write'; readonly path: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'sync'; readonly path: string }
  | { readonly kind: 'said'; readonly text: string }

export const canRecord = (): boolean => existsSync('/usr/bin/strace')

const calls =
  'openat,write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,ftruncate,copy_file_range'

/** Runs a program to its end, and gives all that it and its children did below `root`. */
export function recorded(argv: readonly string[], cwd: string, root: string): readonly Operation[] {
  const log = join(cwd, 'strace.log')
  const out = join(cwd, 'stdout.log')
  const descriptor = openSync(out, 'w')
  const options = ['-f', '-y', '-xx', '-s', '100000000', '-e', `trace=${calls}`, '-o', log]
  const { status } = spawnSync('/usr/bin/strace', [...options, ...argv], {
    cwd,
    stdio: ['ignore', descriptor, 'inherit'],
    env: { ...process.env, NO_COLOR: '1', NODE_DISABLE_COMPILE_CACHE: '1' },
  })
  closeSync(descriptor)
  if (status !== 0) throw new Error(`the recorded program ended with ${status}`)
  return operationsIn(readFileSync(log, 'latin1'), root, out)
}

function operationsIn(log: string, root: string, out: string): readonly Operation[] {
  const reader = new Reader(root, out)
  const begun = new Map<string, string>()
  for (const line of log.split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const [, first] = /^(.*) <unfinished \.\.\.>$/.exec(rest) ?? []
    const [, resumed] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? []
    if (first !== undefined) begun.set(pid, first)
    else if (resumed !== undefined) reader.call(`${begun.get(pid) ?? ''}${resumed}`)
    else reader.call(rest)
  }
  return reader.operations
}

class Reader {
  readonly operations: Operation[] = []
  readonly #root: string
  readonly #out: string
  /** Content by path, so that an appended piece has its offset. */
  readonly #sizes = new Map<string, number>()

  constructor(root: string, out: string) {
    this.#root = `${root}/`
    this.#out = out
  }

  call(line: string): void {
    const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\)\s+= (-?\d+|\?)/.exec(line) ?? []
    if (name === '' || result.startsWith('-')) return
    const texts = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => bytesOf(hex))
    const paths = [...args.matchAll(/\d+<((?:\\x[0-9a-f]{2})+)>/g)].map(([, hex = '']) => bytesOf(hex).toString())
    const [first = '', second = ''] = texts.map(String)
    const [file = ''] = paths
    if (name === 'openat') this.#open(first, args)
    else if (name.startsWith('mkdir')) this.#add({ kind: 'mkdir', path: first })
    else if (name.startsWith('unlink')) this.#add({ kind: 'unlink', path: first })
    else if (name.startsWith('rename')) this.#add({ kind: 'rename', path: first, to: second })
    else if (name.startsWith('link')) this.#add({ kind: 'link', path: first, to: second })
    else if (name === 'fsync' || name === 'fdatasync') this.#add({ kind: 'sync', path: file })
    else if (name === 'ftruncate') this.#add({ kind: 'truncate', path: file, size: numberAt(args) })
    else if (name === 'pwrite64') this.#write(file, numberAt(args), texts)
    else if (name === 'copy_file_range') this.#write(paths[1] ?? '', 0, [readFileSync(file)])
    else this.#write(file, null, texts)
  }

  #open(path: string, args: string): void {
    if (!path.startsWith(this.#root)) return
    if (args.includes('O_CREAT') && !this.#sizes.has(path)) this.#add({ kind: 'create', path })
    if (args.includes('O_TRUNC') && (this.#sizes.get(path) ?? 0) > 0) this.#add({ kind: 'truncate', path, size: 0 })
  }

  #write(path: string, at: number | null, texts: readonly Buffer[]): void {
    const bytes = Buffer.concat(texts)
    if (path === this.#out) this.operations.push({ kind: 'said', text: bytes.toString() })
    else this.#add({ kind: 'write', path, at: at ?? this.#sizes.get(path) ?? 0, bytes })
  }

  #add(operation: Exclude<Operation, { kind: 'said' }>): void {
    const { path } = operation
    // Shared memory is recreated after a crash.
    if (!path.startsWith(this.#root) || path.endsWith('-shm')) return
    const size = this.#sizes.get(path) ?? 0
    if (operation.kind === 'write') this.#sizes.set(path, Math.max(size, operation.at + operation.bytes.length))
    else if (operation.kind === 'truncate') this.#sizes.set(path, operation.size)
    else if (operation.kind === 'create') this.#sizes.set(path, 0)
    else if (operation.kind === 'rename' || operation.kind === 'link') this.#sizes.set(operation.to, size)
    if (operation.kind === 'unlink' || operation.kind === 'rename') this.#sizes.delete(path)
    this.operations.push(operation)
  }
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/** The last argument. */
const numberAt = (args: string): number => Number(/(\d+)$/.exec(args)?.[1])
