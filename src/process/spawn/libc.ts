import { createRequire } from 'node:module'

/**
 * Functions of the C library, called directly: 0, or the number of the error, if nothing else is said. Structures are
 * opaque here: buffers that are larger than any of them.
 */
export interface Libc {
  spawn(pid: Int32Array, file: string, actions: Buffer, attributes: Buffer, argv: Strings, env: Strings): number
  /** The process if it has ended, 0 if not, -1 if there is no such process to wait for. */
  waitForOne(pid: number, status: Int32Array, options: number, usage: BigInt64Array): number
  initAttributes(attributes: Buffer): number
  setFlags(attributes: Buffer, flags: number): number
  setDefaultSignals(attributes: Buffer, signals: Buffer): number
  setBlockedSignals(attributes: Buffer, signals: Buffer): number
  initActions(actions: Buffer): number
  addFolder(actions: Buffer, folder: string): number
  addOpen(actions: Buffer, fd: number, file: string, flags: number, mode: number): number
  addDuplicate(actions: Buffer, from: number, to: number): number
  destroyActions(actions: Buffer): number
  fillSignals(signals: Buffer): number
  /** prctl(2). */
  control(option: number, a: number, b: number, c: number, d: number): number
  /** waitid(2): -1 if there is no child at all. */
  peekChild(kind: number, id: number, information: Buffer, options: number): number
}

/** Terminated by null, as C requires. */
export type Strings = readonly (string | null)[]

/** undefined where the functions can't be called: another system, or no binary of koffi for this one. */
export function loadLibc(): Libc | undefined {
  // Flags and structures are those of Linux, the same for glibc and musl.
  if (process.platform !== 'linux') return undefined
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi')
    // Where a long has 32 bits the structures are others.
    if (koffi.sizeof('long') !== 8) return undefined
    const library = koffi.load(null)
    return {
      spawn: library.func('int posix_spawn(void *, const char *, void *, void *, const char **, const char **)'),
      waitForOne: library.func('int wait4(int, void *, int, void *)'),
      initAttributes: library.func('int posix_spawnattr_init(void *)'),
      setFlags: library.func('int posix_spawnattr_setflags(void *, short)'),
      setDefaultSignals: library.func('int posix_spawnattr_setsigdefault(void *, void *)'),
      setBlockedSignals: library.func('int posix_spawnattr_setsigmask(void *, void *)'),
      initActions: library.func('int posix_spawn_file_actions_init(void *)'),
      addFolder: library.func('int posix_spawn_file_actions_addchdir_np(void *, const char *)'),
      addOpen: library.func('int posix_spawn_file_actions_addopen(void *, int, const char *, int, unsigned int)'),
      addDuplicate: library.func('int posix_spawn_file_actions_adddup2(void *, int, int)'),
      destroyActions: library.func('int posix_spawn_file_actions_destroy(void *)'),
      fillSignals: library.func('int sigfillset(void *)'),
      control: library.func('int prctl(int, long, long, long, long)'),
      peekChild: library.func('int waitid(int, int, void *, int)'),
    }
  } catch {
    return undefined
  }
}
