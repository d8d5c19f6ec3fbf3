import type { JsonObject } from '../util/json.ts'

/** One variant in one block and replicate: what is executed, reused, retried or resumed. Plain data. */
export interface Run {
  /** Hash of parameters, ablation, block and replicate: the run's identity. */
  readonly key: string
  /** Directory and label; assigned once. */
  readonly name: string
  /** The parameters that apply, constants and an ablation's settings included. */
  readonly params: JsonObject
  readonly ablation: string | null
  /** The ablation's command-line flags. */
  readonly flags: readonly string[]
  readonly block: JsonObject
  readonly replicate: number
  readonly seed: number
  /** Of its variant and of itself within that, where the name has numbers. */
  readonly numbers?: RunNumbers | undefined
}

/** Counted from 1; 0: none yet. */
export interface RunNumbers {
  readonly variant: number
  readonly run: number
  /** Among all runs in listed order, where the name has it. */
  readonly place?: number
}
