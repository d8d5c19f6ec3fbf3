import type { EarlyStop } from '../../define/experiment.ts'
import type { Stopper } from '../stopper.ts'
import { asha } from './asha.ts'
import { hyperband } from './hyperband.ts'
import type { Goal } from './loss.ts'
import { median } from './median.ts'
import { paired } from './paired.ts'

export function stopperFor(rule: EarlyStop, goal: Goal): Stopper {
  switch (rule.type) {
    case 'hyperband':
      return hyperband(rule, goal)
    case 'asha':
      return asha(rule, goal)
    case 'median':
      return median(rule, goal)
    case 'paired':
      return paired(rule, goal)
  }
}
