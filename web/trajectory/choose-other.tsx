import { useContext, useId, useMemo } from 'preact/hooks'
import { taskOf } from '../../src/analyze/scores/rollout.ts'
import { PageContext } from '../app/context.ts'
import { type KnownRun, runsOf } from '../runs/run-index.ts'

/** A longer list is not chosen from; the table of runs takes two ticks. */
const mostOthers = 200

/** Another run of the same task, to be laid beside this one. */
export function ChooseOther({ known }: { readonly known: KnownRun }) {
  const page = useContext(PageContext)
  const id = useId()
  const others = useMemo(
    () => (page === null ? [] : othersOf(known, [...runsOf(page.dataset).values()], page.loaded.moreTurns !== null)),
    [page?.dataset, known.id],
  )
  if (page === null || others.length === 0) return null
  return (
    <p class="choose-other">
      <label for={id}>Side by side with another run of this task</label>{' '}
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

/** Those of the same block first. A report has some trajectories, a dashboard asks for them. */
function othersOf(known: KnownRun, all: readonly KnownRun[], canAsk: boolean): readonly KnownRun[] {
  const task = taskOf(known.run)
  const block = JSON.stringify(known.run.block)
  const others = all.filter(
    ({ id, run, folder }) => id !== known.id && (canAsk || folder.trajectory !== null) && taskOf(run) === task,
  )
  const isNear = ({ run }: KnownRun): boolean => JSON.stringify(run.block) === block
  return [...others.filter(isNear), ...others.filter(other => !isNear(other))]
}
