import { adjust } from './adjust.ts'
import { agreement } from './agreement.ts'
import { assumptions } from './assumptions.ts'
import { bayes } from './bayes.ts'
import { bootstrap } from './bootstrap.ts'
import { clustered } from './clustered.ts'
import { curve } from './curve.ts'
import { desc } from './desc.ts'
import { dist } from './dist.ts'
import { effect } from './effect.ts'
import type { Evaluate } from './evaluate.ts'
import { intervals } from './intervals.ts'
import { means } from './means.ts'
import { metric } from './metric.ts'
import { permutation } from './permutation.ts'
import { power } from './power.ts'
import { proportions } from './proportions.ts'
import { ranks } from './ranks.ts'
import { rliable } from './rliable.ts'
import { variance } from './variance.ts'

/** Every function a vector file may name, and how to call ours. */
export const registry: Readonly<Record<string, Evaluate>> = {
  ...dist,
  ...desc,
  ...intervals,
  ...means,
  ...ranks,
  ...permutation,
  ...proportions,
  ...assumptions,
  ...effect,
  ...power,
  ...adjust,
  ...bootstrap,
  ...rliable,
  ...variance,
  ...curve,
  ...clustered,
  ...metric,
  ...agreement,
  ...bayes,
}
