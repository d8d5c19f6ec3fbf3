import { execFileSync } from 'node:child_process'
import { availableParallelism, hostname, totalmem } from 'node:os'
import type { Needs } from '../define/experiment.ts'
import { counted, listed } from '../util/words.ts'

/** What a machine offers. */
export interface Machine {
  readonly host: string
  readonly cpus: number
  readonly memory_mb: number
  readonly gpus: number
  readonly labels: readonly string[]
}

/** The share of a machine that a run has while it is executed. */
export interface Share {
  /** The GPUs that are its own, as CUDA names them. */
  readonly gpus: readonly string[]
  giveBack(): void
}

/** A machine, and what runs use of it. */
export class Room {
  readonly machine: Machine
  #freeGpus: readonly string[]
  #cpus = 0
  #memoryMb = 0

  /** `devices`: the names of its GPUs. */
  constructor(machine: Machine, devices: readonly string[] = Array.from({ length: machine.gpus }, (_, at) => `${at}`)) {
    this.machine = machine
    this.#freeGpus = devices
  }

  /** How many more runs with these needs there is room for. */
  more(needs: Needs | undefined): number {
    const { machine } = this
    const free = { cpus: machine.cpus - this.#cpus, memory_mb: machine.memory_mb - this.#memoryMb }
    return mostAtOnce({ ...machine, ...free, gpus: this.#freeGpus.length }, needs)
  }

  take({ cpu, memory_mb, gpu }: Needs = nothing): Share {
    const gpus = this.#freeGpus.slice(0, gpu)
    this.#freeGpus = this.#freeGpus.slice(gpu)
    this.#use(cpu, memory_mb)
    return {
      gpus,
      giveBack: () => {
        this.#freeGpus = [...this.#freeGpus, ...gpus]
        this.#use(-cpu, -memory_mb)
      },
    }
  }

  #use(cpus: number, memoryMb: number): void {
    this.#cpus += cpus
    this.#memoryMb += memoryMb
  }
}

const nothing: Needs = { cpu: 0, memory_mb: 0, gpu: 0, labels: [] }

/** This machine, with the labels that its user gave it. */
export function thisMachine(labels: readonly string[]): Room {
  const devices = gpuDevices()
  const machine = {
    host: hostname(),
    cpus: availableParallelism(),
    memory_mb: Math.round(totalmem() / 2 ** 20),
    gpus: devices.length,
    labels: [...labels],
  }
  return new Room(machine, devices)
}

/** Those that this process may use; otherwise as NVIDIA's own tool lists them. */
function gpuDevices(): readonly string[] {
  const { CUDA_VISIBLE_DEVICES: visible } = process.env
  if (visible !== undefined)
    return visible
      .split(',')
      .map(device => device.trim())
      .filter(device => device !== '' && device !== '-1')
  try {
    const said = execFileSync('nvidia-smi', ['-L'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    })
    return [...said.matchAll(/^GPU (\d+):/gm)].map(([, device = '']) => device)
  } catch {
    return []
  }
}

/** How many runs with these needs a machine can execute at once; without needs, any number. */
export function mostAtOnce({ cpus, memory_mb, gpus, labels }: Machine, needs: Needs | undefined): number {
  if (needs === undefined) return Number.POSITIVE_INFINITY
  if (needs.labels.some(label => !labels.includes(label))) return 0
  const times = (offered: number, needed: number) =>
    needed === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(offered / needed + 1e-9))
  return Math.min(times(cpus, needs.cpu), times(memory_mb, needs.memory_mb), times(gpus, needs.gpu))
}

/** What a machine lacks for even one run with these needs; null: nothing. */
export function lackOf(machine: Machine, needs: Needs | undefined): string | null {
  if (needs === undefined || mostAtOnce(machine, needs) > 0) return null
  const { cpus, memory_mb, gpus, labels } = machine
  const missing = needs.labels.filter(label => !labels.includes(label))
  const has = [
    ...(cpus < needs.cpu ? [counted(cpus, 'CPU')] : []),
    ...(memory_mb < needs.memory_mb ? [memoryText(memory_mb)] : []),
    ...(gpus < needs.gpu ? [gpus === 0 ? 'no GPU' : counted(gpus, 'GPU')] : []),
    ...missing.map(label => `no label ${label}`),
  ]
  return `each run needs ${needsText(needs)}, and this machine has ${listed(has)}`
}

/** For people: `1 GPU, 4 GB of memory and the label docker`. */
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
