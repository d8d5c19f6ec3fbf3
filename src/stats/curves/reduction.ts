import { requireThat } from '../estimate.ts'
import type { StepAxis } from './area.ts'

/** How a series becomes one number. */
export type Reduction =
  /** `normalized: false`: the area itself, not divided by its length. */
  | { readonly kind: 'auc'; readonly axis: StepAxis; readonly normalized?: boolean }
  | { readonly kind: 'slope' }
  | { readonly kind: 'last' }
  | { readonly kind: 'mean' }
  | { readonly kind: 'best' }
  | { readonly kind: 'eval-last'; readonly points: number }
  | { readonly kind: 'time-to'; readonly threshold: number }

export type Goal = 'maximize' | 'minimize'

/** Reads `auc`, `auc:log-step`, `slope`, `last`, `mean`, `best`, `eval-last:5`, `time-to:0.9`. */
export function parseReduction(text: string): Reduction {
  const [kind = '', argument] = text.split(':', 2)
  switch (kind) {
    case 'auc': {
      const axis = argument ?? 'step'
      requireThat(axis === 'step' || axis === 'log-step', `auc:step or auc:log-step, got ${text}`)
      return { kind, axis }
    }
    case 'slope':
    case 'last':
    case 'mean':
    case 'best':
      requireThat(argument === undefined, `${kind} without an argument, got ${text}`)
      return { kind }
    case 'eval-last': {
      const points = Number(argument)
      requireThat(Number.isInteger(points) && points > 0, `eval-last:5 with a whole number of points, got ${text}`)
      return { kind, points }
    }
    case 'time-to': {
      const threshold = Number(argument || Number.NaN)
      requireThat(Number.isFinite(threshold), `time-to:0.9 with the value to reach, got ${text}`)
      return { kind, threshold }
    }
    default:
      requireThat(false, `auc, slope, last, mean, best, eval-last:points or time-to:value, got ${text}`)
  }
}
