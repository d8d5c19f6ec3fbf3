import type { OrReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { agentFindingsOf } from '../findings/agents.ts'
import { comparisonsOf, factorEffectsOf } from '../findings/comparisons.ts'
import { failuresOf } from '../findings/failures.ts'
import { searchFindingsOf } from '../findings/search.ts'
import { taskFindingsOf } from '../findings/task-scores.ts'
import { variantRowsOf } from '../findings/variants.ts'
import { verdictOf } from '../findings/verdict.ts'
import type { View } from '../findings/view.ts'
import { commandsOf } from '../findings/wording/commands.ts'
import { methodsOf } from '../findings/wording/methods.ts'
import { badgesOf, nextStepsOf, totalsOf } from '../findings/wording/page-words.ts'

/** The whole page as one document; missing values are null, with the reason under the same name in `reasons`. */
export function reportJson(dataset: Dataset, view: View): string {
  const compared = comparisonsOf(dataset, view)
  const { verdict, headline, others, warnings, about } = verdictOf(dataset, view, compared)
  const parts = {
    comparisons: compared,
    tasks: taskFindingsOf(dataset, view),
    agents: agentFindingsOf(dataset, view),
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
