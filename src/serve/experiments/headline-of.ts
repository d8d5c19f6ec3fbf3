import { comparisonsOf } from '../../report/findings/comparisons.ts'
import { verdictOf } from '../../report/findings/verdict.ts'
import { defaultView } from '../../report/findings/view.ts'
import type { Headline } from '../wire.ts'
import { liveDataset } from './live-dataset.ts'

/** What the experiment's page will say at its top. */
export function headlineOf(root: string, dir: string): Headline {
  const dataset = liveDataset(root, [dir])
  const view = defaultView(dataset)
  const { headline, verdict } = verdictOf(dataset, view, comparisonsOf(dataset, view))
  return { headline, verdict }
}
