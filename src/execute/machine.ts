import { execFileSync } from 'node:child_process'
import { availableParallelism, hostname, totalmem } from 'node:os'
import type { Needs } from '../define/experiment.ts'
import { counted, listed } from '../util/words.ts'
import { noBoard, nothingUsed, openBoard, type Use, type UseBoard } from './use-board.ts'

/** The resources of a machine. */
export interface Machine {
  readonly host: string
  readonly cpus: number
  readonly memory_mb: number
  readonly gpus: number
  readonly labels: readonly string[]
}

/** A run's share of the machine while it is executed. */
export interface Share {
  /** The GPUs reserved for it, by their CUDA names. */
  readonly gpus: readonly string[]
  giveBack(): void
}

/** How long a process waits after finding that others use the resources it wanted. */
export const othersMs = 300

/** A machine and what runs use of it: runs of this process, and of the other processes here that publish their use. */
export class Room {
  readonly machine: Machine
  readonly #devices: readonly string[]
  readonly #board: UseBoard
  #used: Use = nothingUsed
  #isOthersUntil = Number.NEGATIVE_INFINITY

  /** `devices`: the names of its GPUs. */
  constructor(
    machine: Machine,
    devices: readonly string[] = Array.from({ length: machine.gpus }, (_, at) => `${at}`),
    board: UseBoard = noBoard,
  ) {
    this.machine = machine
    this.#devices = devices
    this.#board = board
  }

  /** How many more runs with these needs fit, as far as this process knows. */
  more(needs: Needs | undefined): number {
    if (needs !== undefined && performance.now() < this.#isOthersUntil) return 0
    return this.#beside(this.#used, needs)
  }

  /** null: they don't fit now. */
  take(needs: Needs | undefined): Share | null {
    if (needs === undefined) return { gpus: [], giveBack: () => undefined }
    if (this.more(needs) === 0) return null
    const before = this.#board.others()
    const all = before.reduce(sum, this.#used)
    const gpus = this.#freeIn(all).slice(0, needs.gpu)
    const use: Use = { cpus: needs.cpu, memory_mb: needs.memory_mb, gpus }
    const fits = (others: readonly Use[]) =>
      this.#beside(others.reduce(sum, this.#used), needs) > 0 &&
      !others.some(other => other.gpus.some(gpu => gpus.includes(gpu)))
    // Each process announces its choice first and checks afterwards, so two never take the same.
    const isMine = fits(before) && this.#say(sum(this.#used, use)) && fits(this.#board.others())
    if (!isMine) {
      this.#say(this.#used)
      this.#isOthersUntil = performance.now() + othersMs * (0.5 + Math.random())
      return null
    }
    this.#used = sum(this.#used, use)
    return {
      gpus,
      giveBack: () => {
        this.#used = less(this.#used, use)
        this.#say(this.#used)
      },
    }
  }

  #say(used: Use): true {
    this.#board.say(used)
    return true
  }

  #freeIn({ gpus }: Use): readonly string[] {
    return this.#devices.filter(device => !gpus.includes(device))
  }

  #beside(used: Use, needs: Needs | undefined): number {
    const { cpus, memory_mb, ...machine } = this.machine
    const free = { cpus: cpus - used.cpus, memory_mb: memory_mb - used.memory_mb, gpus: this.#freeIn(used).length }
    return mostAtOnce({ ...machine, ...free }, needs)
  }
}

const sum = (a: Use, b: Use): Use => ({
  cpus: a.cpus + b.cpus,
  memory_mb: a.memory_mb + b.memory_mb,
  gpus: [...a.gpus, ...b.gpus],
})

const less = (a: Use, b: Use): Use => ({
  cpus: a.cpus - b.cpus,
  memory_mb: a.memory_mb - b.memory_mb,
  gpus: a.gpus.filter(gpu => !b.gpus.includes(gpu)),
})

/** This machine, with the labels its user gave it. */
export function thisMachine(labels: readonly string[]): Room {
  const devices = gpuDevices()
  const machine = {
    host: hostname(),
    cpus: availableParallelism(),
    memory_mb: Math.round(totalmem() / 2 ** 20),
    gpus: devices.length,
    labels: [...labels],
  }
  return new Room(machine, devices, openBoard())
}

/** The GPUs that this process may use; otherwise as NVIDIA's own tool lists them. */
function gpuDevices(): readonly string[] {
  const { CUDA_VISIBLE_DEVICES: visible } = process.env
  if (visible !== undefined)
    return visible
      .split(',')
      .map(device => device.trim())
      .filter(device => device !== '' && device !== '-1')
  try {
    const output = execFileSync('nvidia-smi', ['-L'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    })
    return [...output.matchAll(/^GPU (\d+):/gm)].map(([, device = '']) => device)
  } catch {
    return []
  }
}

/** How many runs with these needs a machine can execute at a time; without needs, any number. */
export function mostAtOnce({ cpus, memory_mb, gpus, labels }: Machine, needs: Needs | undefined): number {
  if (needs === undefined) return Number.POSITIVE_INFINITY
  if (needs.labels.some(label => !labels.includes(label))) return 0
  const times = (offered: number, needed: number) =>
    needed === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(offered / needed + 1e-9))
  return Math.min(times(cpus, needs.cpu), times(memory_mb, needs.memory_mb), times(gpus, needs.gpu))
}

/** What a machine lacks for even one run with these needs; null: nothing. */
export function lackOf(machine: Machine, needs: Needs | undefined, who = 'each run needs'): string | null {
  if (needs === undefined || mostAtOnce(machine, needs) > 0) return null
  const { cpus, memory_mb, gpus, labels } = machine
  const missing = needs.labels.filter(label => !labels.includes(label))
  const has = [
    ...(cpus < needs.cpu ? [counted(cpus, 'CPU')] : []),
    ...(memory_mb < needs.memory_mb ? [memoryText(memory_mb)] : []),
    ...(gpus < needs.gpu ? [gpus === 0 ? 'no GPU' : counted(gpus, 'GPU')] : []),
    ...missing.map(label => `no label ${label}`),
  ]
  return `${who} ${needsText(needs)}, and this machine has ${listed(has)}`
}

/** In words: `1 GPU, 4 GB of memory and the label docker`. */
export function needsText({ cpu, memory_mb, gpu, labels }: Needs): string {
  return listed([
    ...(cpu > 0 ? [counted(cpu, 'CPU')] : []),
    ...(memory_mb > 0 ? [memoryText(memory_mb)] : []),
    ...(gpu > 0 ? [counted(gpu, 'GPU')] : []),
    ...labels.map(label => `the label ${label}`),
  ])
}

const memoryText = (mb: number): string =>
  mb < 1024 ? `${mb} MB of memory` : `${Math.round((mb / 1024) * 10) / 10} GB of memory`
