import { useContext, useId, useMemo } from 'preact/hooks'
import type { RunRecord } from '../../src/define/observation.ts'
import type { RunFolder } from '../../src/report/dataset/dataset.ts'
import { PageContext } from '../app/context.ts'
import { type KnownRun, runsOf } from '../runs/run-index.ts'

/** A longer list is hard to use; in the table of runs two can be ticked. */
const mostOthers = 200

interface ChooseOtherProps {
  readonly known: KnownRun
  /** The common property in a word: `task`. */
  readonly common: string
  /** Its value for a run. */
  readonly commonOf: (run: RunRecord) => string
  /** Whether a report has data of a run to compare with this one; a dashboard requests it. */
  readonly has: (folder: RunFolder) => boolean
}

/** Chooses another run of the same task or scenario to compare with this one. */
export function ChooseOther({ known, common, commonOf, has }: ChooseOtherProps) {
  const page = useContext(PageContext)
  const id = useId()
  const others = useMemo(() => {
    if (page === null) return []
    const canAsk = page.loaded.wholeRun !== null
    const own = commonOf(known.run)
    const all = [...runsOf(page.dataset).values()].filter(
      other => other.id !== known.id && (canAsk || has(other.folder)) && commonOf(other.run) === own,
    )
    return nearestFirst(known, all)
  }, [page?.dataset, known.id])
  if (page === null || others.length === 0) return null
  return (
    <p class="choose-other">
      <label for={id}>Side by side with another run of this {common}</label>{' '}
      <select
        id={id}
        value=""
        onChange={({ currentTarget }) =>
          currentTarget.value !== '' &&
          page.go({ run: null, pair: { kind: 'runs', a: known.id, b: currentTarget.value } })
        }
      >
        <option value="">choose …</option>
        {others.slice(0, mostOthers).map(other => (
          <option key={other.id} value={other.id}>
            {other.run.name}
          </option>
        ))}
      </select>
    </p>
  )
}

/** Runs of the same block first, and of these the same replicate: a comparison pairs these. */
function nearestFirst(known: KnownRun, others: readonly KnownRun[]): readonly KnownRun[] {
  const block = JSON.stringify(known.run.block)
  const distance = ({ run }: KnownRun): number =>
    (JSON.stringify(run.block) === block ? 0 : 2) + (run.replicate === known.run.replicate ? 0 : 1)
  return others.toSorted((a, b) => distance(a) - distance(b))
}
