import { meanOf } from '../describe/moments.ts'
import { unusable } from '../describe/usable.ts'
import { type Estimate, isAvailable, requireThat } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { wilsonInterval } from '../intervals/proportion.ts'

export interface SimulatedPower {
  readonly power: number
  /** For the simulation's own error, not the pilot's. */
  readonly interval: Interval
}

export interface Simulation {
  readonly trials: number
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** The share of simulated experiments that a test calls significant. */
export function simulatedPower(
  experiment: (random: () => number) => boolean,
  { trials, random }: Simulation,
): SimulatedPower {
  requireThat(trials >= 1, 'at least one trial')
  let found = 0
  for (let trial = 0; trial < trials; trial++) if (experiment(random)) found++
  const interval = wilsonInterval({ successes: found, n: trials })
  return { power: found / trials, interval: isAvailable(interval) ? interval : { level: 0.95, low: 0, high: 1 } }
}

/**
 * Pairs drawn from the pilot's differences, shifted to have the given effect: the pilot's own distribution, no normal
 * model.
 */
export function powerFromPilotPairs(
  pilot: readonly number[],
  { effect, n }: { readonly effect: number; readonly n: number },
  isSignificant: (differences: readonly number[]) => boolean,
  simulation: Simulation,
): Estimate<SimulatedPower> {
  const reason = unusable(pilot, 2)
  if (reason !== undefined) return reason
  const moved = recentred(pilot, effect)
  return simulatedPower(random => isSignificant(resampled(moved, n, random)), simulation)
}

/** The same for two groups: the second keeps the pilot's mean and the first is shifted by the effect. */
export function powerFromPilotGroups(
  pilotA: readonly number[],
  pilotB: readonly number[],
  { effect, nA, nB }: { readonly effect: number; readonly nA: number; readonly nB: number },
  isSignificant: (a: readonly number[], b: readonly number[]) => boolean,
  simulation: Simulation,
): Estimate<SimulatedPower> {
  const reason = unusable(pilotA, 2) ?? unusable(pilotB, 2)
  if (reason !== undefined) return reason
  const moved = recentred(pilotA, meanOf(pilotB) + effect)
  return simulatedPower(
    random => isSignificant(resampled(moved, nA, random), resampled(pilotB, nB, random)),
    simulation,
  )
}

function recentred(values: readonly number[], centre: number): number[] {
  const mean = meanOf(values)
  return values.map(value => value - mean + centre)
}

function resampled(values: readonly number[], n: number, random: () => number): number[] {
  return Array.from({ length: n }, () => values[Math.floor(random() * values.length)] ?? Number.NaN)
}
