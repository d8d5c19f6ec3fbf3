import type { Experiment } from '../../define/experiment.ts'
import type { Limits } from '../../define/limits.ts'
import type { Bound } from '../../define/target.ts'
import { providerNamed, providers } from '../../models/names/known-names.ts'
import { suggest } from '../../util/suggest.ts'

/** Rates that limit nothing, whatever the target: nobody has that name, or runs ask no models through assay. */
export function rateNotes(
  { rate }: Pick<Limits, 'rate'>,
  { models = {}, target }: Pick<Experiment, 'models' | 'target'>,
  bound: Bound,
): readonly string[] {
  const known = new Set([...Object.keys(providers), ...Object.values(models).flatMap(({ provider }) => provider ?? [])])
  const named = Object.keys(rate)
  const unknown = named.filter(provider => !known.has(provider))
  const idle = bound === 'per_call' ? [] : named.filter(provider => known.has(provider))
  return [
    ...unknown.map(
      provider => `no provider is called "${provider}", so that its rate limits nothing${meant(provider, known)}`,
    ),
    ...idle.map(
      provider =>
        `the rate of ${provider} limits nothing: runs of a ${target.kind} target do not call models through assay`,
    ),
  ]
}

function meant(provider: string, known: ReadonlySet<string>): string {
  const nearest = providerNamed(provider) ?? suggest(provider, known)
  return nearest === null ? '' : `: did you mean "${nearest}"?`
}
