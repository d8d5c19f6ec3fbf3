import { agreement } from './agreement.ts'
import { bayes } from './bayes.ts'
import { bootstrap } from './bootstrap.ts'
import { clustered } from './clustered.ts'
import { curve } from './curve.ts'
import { desc } from './desc.ts'
import { dist } from './dist.ts'
import type { Evaluate } from './evaluate.ts'
import { metric } from './metric.ts'
import { rliable } from './rliable.ts'
import { variance } from './variance.ts'

/** Every function a vector file may name, and how to call ours. */
export const registry: Readonly<Record<string, Evaluate>> = {
  ...dist,
  ...desc,
  ...bootstrap,
  ...rliable,
  ...variance,
  ...curve,
  ...clustered,
  ...metric,
  ...agreement,
  ...bayes,
}
