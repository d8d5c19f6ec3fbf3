import type { Share } from './tally.ts'

/** By how much coverage and type-I error may miss their level and still count as right (Bradley 1978, Br. J. Math. Stat. Psychol. 31:144): half of alpha. */
const half = 0.5

export type Mark = 'fine' | 'too bold' | 'too cautious'

/** Outside the tolerance by more than two standard errors: more than the simulation's own chance. */
export function coverageMark({ share, error }: Share, alpha: number): Mark {
  if (share + 2 * error < 1 - alpha * (1 + half)) return 'too bold'
  return share - 2 * error > 1 - alpha * (1 - half) ? 'too cautious' : 'fine'
}

/** Claiming too rarely is no mistake: it shows in the power. */
export function typeIMark({ share, error }: Share, alpha: number): Mark {
  return share - 2 * error > alpha * (1 + half) ? 'too bold' : 'fine'
}
