import type { Dataset } from '../dataset/dataset.ts'
import { comparisonsOf } from '../findings/comparisons.ts'
import { factorEffectsOf } from '../findings/effects.ts'
import { failuresOf } from '../findings/failures.ts'
import { searchFindingsOf } from '../findings/search-findings.ts'
import { totalsOf } from '../findings/totals.ts'
import { variantRowsOf } from '../findings/variant-rows.ts'
import { verdictOf } from '../findings/verdict.ts'
import type { View } from '../findings/view.ts'
import { badgesOf } from '../findings/wording/badges.ts'
import { commandsOf } from '../findings/wording/commands.ts'
import { methodsOf } from '../findings/wording/methods.ts'
import { nextStepsOf } from '../findings/wording/next-steps.ts'
import type { OrReason } from '../findings/wording/or-reason.ts'

/** Everything that the page says, as one document; what is not there is null, with why under the same name in `reasons`. */
export function reportJson(dataset: Dataset, view: View): string {
  const compared = comparisonsOf(dataset, view)
  const { verdict, headline, others, warnings, about } = verdictOf(dataset, view, compared)
  const parts = {
    comparisons: compared,
    variants: variantRowsOf(dataset, view),
    effects: factorEffectsOf(dataset, view),
    search: searchFindingsOf(dataset, view),
    failures: failuresOf(dataset, view),
  }
  const names = Object.keys(parts) as (keyof typeof parts)[]
  const document = {
    kind: 'report',
    title: dataset.title,
    assay: dataset.assay,
    view,
    verdict,
    headline,
    others,
    warnings,
    badges: badgesOf(dataset, view),
    next: nextStepsOf(dataset, about),
    totals: totalsOf(dataset),
    ...Object.fromEntries(names.map(name => [name, foundIn(parts[name])])),
    reasons: Object.fromEntries(
      names.flatMap(name => {
        const part = parts[name]
        return 'reason' in part ? [[name, part.reason]] : []
      }),
    ),
    methods: methodsOf(dataset, view, compared),
    commands: commandsOf(dataset, view),
    experiments: dataset.experiments,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

const foundIn = (part: OrReason<unknown>): unknown => ('found' in part ? part.found : null)
