import { agreement } from './estimates/agreement.ts'
import { bayes } from './estimates/bayes.ts'
import { bootstrap } from './estimates/bootstrap.ts'
import { clustered } from './estimates/clustered.ts'
import { curve } from './estimates/curve.ts'
import { desc } from './estimates/desc.ts'
import { dist } from './estimates/dist.ts'
import { effect } from './estimates/effect.ts'
import { intervals } from './estimates/intervals.ts'
import { metric } from './estimates/metric.ts'
import { rliable } from './estimates/rliable.ts'
import { variance } from './estimates/variance.ts'
import type { Evaluate } from './evaluate.ts'
import { adjust } from './tests/adjust.ts'
import { assumptions } from './tests/assumptions.ts'
import { means } from './tests/means.ts'
import { permutation } from './tests/permutation.ts'
import { power } from './tests/power.ts'
import { proportions } from './tests/proportions.ts'
import { ranks } from './tests/ranks.ts'

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
