import { constants } from 'node:os'
import { SmallMap } from '../../util/collections.ts'
import type { Libc } from './libc.ts'
import type { Exit } from './starter.ts'

/** Calls back whenever a child may have ended. */
export type Listen = (look: () => void) => void

/**
 * Learns of the end of processes that this one started without Node. Only the registered ones are checked: Node has
 * children of its own.
 */
export class Reaper {
  readonly #waitForOne: Libc['waitForOne']
  readonly #status = new Int32Array(1)
  /** A struct rusage, which has 18 longs; glibc's and musl's are not longer than 32. */
  readonly #usage = new BigInt64Array(32)
  readonly #waiting = new SmallMap<number, (exit: Exit) => void>()
  /** Listening for a signal alone would not keep this process alive. */
  readonly #alive = setInterval(() => undefined, 0x7fffffff).unref()

  constructor({ waitForOne }: Libc, listen: Listen) {
    this.#waitForOne = waitForOne
    listen(() => this.#look())
  }

  exitOf(pid: number): Promise<Exit> {
    this.#alive.ref()
    return new Promise(resolve => this.#waiting.set(pid, resolve))
  }

  /** Its end is not waited for any more. */
  forget(pid: number): void {
    this.#waiting.delete(pid)
    if (this.#waiting.size === 0) this.#alive.unref()
  }

  /** Simultaneous signals are reported as one: so all processes are checked. */
  #look(): void {
    for (const [pid, resolve] of this.#waiting.entries()) {
      const found = this.#waitForOne(pid, this.#status, dontBlock, this.#usage)
      if (found === 0) continue
      this.#waiting.delete(pid)
      resolve(
        found === pid ? { ...exitOfStatus(this.#status[0] ?? 0), cpu_s: secondsIn(this.#usage) } : { kind: 'lost' },
      )
    }
    if (this.#waiting.size === 0) this.#alive.unref()
  }
}

const dontBlock = 1

/** As wait(2) packs it: the signal in the lowest seven bits, else the exit code in the next byte. */
function exitOfStatus(status: number) {
  const signal = status & 0x7f
  return signal === 0
    ? ({ kind: 'exited', code: (status >> 8) & 0xff } as const)
    : ({ kind: 'signalled', signal: signalNames.get(signal) ?? `SIG${signal}` } as const)
}

/** A struct rusage begins with the time in the program, then that in the kernel for it: seconds and microseconds. */
function secondsIn(usage: BigInt64Array): number {
  const [seconds = 0n, micros = 0n, kernelSeconds = 0n, kernelMicros = 0n] = usage
  return Number(seconds + kernelSeconds) + Number(micros + kernelMicros) / 1e6
}

// Some numbers have two names; the first is the well-known one.
const signalNames = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)
