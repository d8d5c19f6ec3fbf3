import { type ChildProcess, execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fakeClock, fakeClockLibrary } from '../../support/fake-clock.ts'

/** Faults injected into the processes and files of an episode. Each fault reports its action. */
export interface Fault {
  readonly name: string
  /** null: there was nothing to do it to. */
  apply(): string | null
  /** Everything as it should be again. */
  calm?(): void
  /** How often it has hit so far, for a fault that is prepared first and hits later, or never. */
  hits?(): number
}

export interface Victims {
  /** Processes of assay that are running. */
  readonly processes: ReadonlySet<ChildProcess>
  readonly random: () => number
}

const oneOf = <T>(list: readonly T[], random: () => number): T | undefined => list[Math.floor(random() * list.length)]

export const kill = ({ processes, random }: Victims): Fault => ({
  name: 'kill -9',
  apply() {
    const victim = oneOf([...processes], random)
    return victim?.kill('SIGKILL') === true ? `kill -9 ${victim.pid}` : null
  },
})

/** Until the process continues by itself after a while. */
export const freeze = ({ processes, random }: Victims, longestMs = 3_100): Fault => ({
  name: 'SIGSTOP',
  apply() {
    const victim = oneOf([...processes], random)
    const ms = Math.round(100 + random() * (longestMs - 100))
    if (victim?.kill('SIGSTOP') !== true) return null
    setTimeout(() => victim.kill('SIGCONT'), ms)
    return `SIGSTOP ${victim.pid} for ${ms} ms`
  },
  calm() {
    for (const victim of processes) victim.kill('SIGCONT')
  },
})

export interface Preload {
  /** For processes of assay. */
  readonly env: Readonly<Record<string, string>>
  readonly faults: readonly Fault[]
  /** Of faults that this machine can't have. */
  readonly missing: readonly string[]
}

/** Faults that need a library in the process: a clock that is set, and (unless it is `mild`) writes that fail. */
export function preloaded(folder: string, random: () => number, mild: boolean): Preload {
  const libraries: string[] = []
  const env: Record<string, string> = {}
  const faults: Fault[] = []
  const missing: string[] = []
  if (fakeClockLibrary === undefined) missing.push('clock steps: libfaketime is not installed')
  else {
    const file = join(folder, 'clock')
    writeFileSync(file, '+0\n')
    libraries.push(fakeClockLibrary)
    Object.assign(env, fakeClock(file))
    faults.push({
      name: 'clock step',
      apply() {
        const seconds = Math.round((random() - 0.5) * 2 * 10 ** (1 + Math.floor(random() * 5)))
        writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`)
        return `clock at ${seconds} s`
      },
    })
  }
  const writes = mild ? null : failingWrites(folder)
  if (typeof writes === 'string') missing.push(`failing writes: ${writes}`)
  else if (writes !== null) {
    libraries.push(writes.library)
    env.FAILING_WRITES = writes.control
    faults.push({
      name: 'failing writes',
      apply() {
        const [code, number] = random() < 0.5 ? ['ENOSPC', constants.errno.ENOSPC] : ['EIO', constants.errno.EIO]
        const count = 1 + Math.floor(random() * 3)
        setControl(writes.control, 0, [number, count])
        return `${code} for the next ${count} writes`
      },
      calm: () => setControl(writes.control, 0, [0, 0]),
      hits: () => readFileSync(writes.control).readInt32LE(8),
    })
    // Half of all crash errors happen between two particular writes, which a random kill hardly hits.
    const death: Fault = {
      name: 'kill -9 after a write',
      apply() {
        const count = 1 + Math.floor(random() * 40)
        setControl(writes.control, 12, [count])
        return `kill -9 after ${count} writes`
      },
      calm: () => setControl(writes.control, 12, [0]),
      hits: () => readFileSync(writes.control).readInt32LE(16),
    }
    faults.push(death, death)
  }
  if (libraries.length > 0) env.LD_PRELOAD = libraries.join(':')
  return { env, faults, missing }
}

export function failingWrites(folder: string): { readonly library: string; readonly control: string } | string {
  const source = join(import.meta.dirname, 'failing-writes.c')
  const library = join(folder, 'failing-writes.so')
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'pipe' })
  } catch (error) {
    return `gcc can't make the library (${(error as { code?: string }).code ?? 'it complained'})`
  }
  const control = join(folder, 'failing-writes')
  setControl(control, 0, [0, 0, 0, 0, 0])
  return { library, control }
}

/** In place, as every process has it mapped. */
export function setControl(file: string, at: number, values: readonly number[]): void {
  if (!existsSync(file)) writeFileSync(file, Buffer.alloc(20))
  const bytes = Buffer.from(Int32Array.from(values).buffer)
  const fd = openSync(file, 'r+')
  writeSync(fd, bytes, 0, bytes.length, at)
  closeSync(fd)
}

/** Changes a byte in a file of some run, and passes it to `flipped`. Never in the journal, which has separate tests. */
export const flipByte = (dir: string, { random }: Victims, flipped: Set<string>): Fault => ({
  name: 'byte flip',
  apply() {
    const runs = existsSync(join(dir, 'runs')) ? readdirSync(join(dir, 'runs')) : []
    const run = oneOf(runs, random)
    if (run === undefined) return null
    const file = join(
      dir,
      'runs',
      run,
      oneOf(['meta.json', 'result.json', 'stdout.txt', 'metrics.jsonl'], random) ?? '',
    )
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size === 0) return null
    const at = Math.floor(random() * size)
    const byte = Buffer.alloc(1)
    const fd = openSync(file, 'r+')
    readSync(fd, byte, 0, 1, at)
    byte[0] = (byte[0] ?? 0) ^ (1 << Math.floor(random() * 8))
    writeSync(fd, byte, 0, 1, at)
    closeSync(fd)
    flipped.add(run)
    return `flipped a bit in ${file}`
  },
})
