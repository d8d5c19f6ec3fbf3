import type { EpisodeOptions } from './episode.ts'
import { otherKinds } from './other-targets.ts'

/**
 * The episode of a seed. Short ones with few runs find more than long ones: most defects show where something ends or a
 * limit is reached.
 */
export function episodeOptions(seed: number): EpisodeOptions {
  const isMild = seed % 4 === 3
  return {
    ...{ seed, isMild, chaosMs: isMild ? 8_000 : 5_000, pressureMs: 4_000, runs: 12, calls: 40 },
    binds: (['none', 'budget', 'rate', 'none'] as const)[seed % 4] ?? 'none',
    other: otherKinds[seed % otherKinds.length] ?? 'functions',
    strays: seed % 2 === 0,
    repairs: !isMild && seed % 8 < 4,
  }
}
