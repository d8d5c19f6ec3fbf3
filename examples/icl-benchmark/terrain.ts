import { normalFrom, randomFor } from './random.ts'

export const paths = 5
export const attempts = 10
/** A hint about each path, the path taken last, whether it led through, and a constant. */
export const observed = 2 * paths + 2

/**
 * A place with several paths, one of which leads through; which one is hidden and differs from terrain to terrain. The
 * agent passes the same terrain ten times, so what it has learned *within* a terrain is worth something: in-context learning.
 */
export interface Terrain {
  readonly open: number
  readonly good: number
  readonly hints: readonly number[]
  /** Decide, attempt by attempt, whether the chosen path leads through. */
  readonly slips: readonly number[]
  readonly slip: number
}

const levels = [
  { open: 2, slip: 0.05, hint: 1.5 },
  { open: 4, slip: 0.15, hint: 0.8 },
  { open: 5, slip: 0.2, hint: 0.6 },
] as const

export type Curriculum = 'terrain_1' | 'terrain_2' | 'terrain_3'

/** Harder terrains are unlocked one by one; a fifth of the episodes uses any unlocked one. */
export function terrainFor(curriculum: Curriculum, seed: number, progress: number, episode: number): Terrain {
  const random = randomFor(seed, 'terrain', episode)
  const choose = randomFor(seed, 'curriculum', episode)
  const stages = Number(curriculum.slice('terrain_'.length))
  const unlocked = Math.min(stages, 1 + Math.floor(progress * stages))
  const chosen = choose() < 0.2 ? Math.floor(choose() * unlocked) : unlocked - 1
  const { open, slip, hint } = levels[chosen] ?? levels[0]
  const good = Math.floor(random() * open)
  return {
    open,
    good,
    slip,
    hints: Array.from({ length: paths }, (_, path) => normalFrom(random) + (path === good ? hint : 0)),
    slips: Array.from({ length: attempts }, random),
  }
}

export function rewardFor(terrain: Terrain, path: number, attempt: number): number {
  if (path >= terrain.open) return 0
  const slipped = (terrain.slips[attempt] ?? 1) < terrain.slip
  return (path === terrain.good) !== slipped ? 1 : 0
}

export function observe(
  terrain: Terrain,
  last: { readonly path: number; readonly reward: number } | null,
): Float32Array {
  const seen = new Float32Array(observed)
  seen.set(terrain.hints)
  if (last !== null) {
    seen[paths + last.path] = 1
    seen[2 * paths] = last.reward === 1 ? 1 : -1
  }
  seen[observed - 1] = 1
  return seen
}
