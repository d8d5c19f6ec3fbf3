import { useContext, useMemo } from 'preact/hooks'
import { PageContext } from '../app/context.ts'
import { type KnownRun, runsOf } from '../runs/run-index.ts'
import { turnsText } from '../trajectory/prompt-words.ts'
import { branchesOf, branchingOf, trunkOf } from './branches.ts'

/** More are in the table of runs. */
const mostBranches = 20

/** The run that this one continues, and the runs that continue it, each with a link to show both side by side. */
export function BranchLinks({ known }: { readonly known: KnownRun }) {
  const page = useContext(PageContext)
  const { trunk, branches } = useMemo(() => {
    const all = page === null ? [] : [...runsOf(page.dataset).values()]
    return { trunk: trunkOf(known, all), branches: branchesOf(known, all) }
  }, [page?.dataset, known.id, known.folder.story])
  const branching = branchingOf(known)
  const beside = (a: KnownRun, b: KnownRun): void => page?.go({ run: null, pair: { kind: 'runs', a: a.id, b: b.id } })
  return (
    <>
      {branching !== null && (
        <p class="branch">
          A branch of {branching.run}: {turnsText(1, branching.turn)} {branching.turn === 1 ? 'is' : 'are'} that run’s,
          {(branching.changed ?? []).length > 0 &&
            ` the state after it was changed (${branching.changed?.join(', ')}),`}{' '}
          and from turn {branching.turn + 1} on it goes its own way.{' '}
          {trunk === null ? (
            'That run is not in this report.'
          ) : (
            <button type="button" class="quiet" onClick={() => beside(trunk, known)}>
              Side by side with its trunk
            </button>
          )}
        </p>
      )}
      {branches.length > 0 && (
        <div class="branch">
          <p>Branches of this run:</p>
          <ul>
            {branches.slice(0, mostBranches).map(branch => (
              <li key={branch.id}>
                <button type="button" class="link" onClick={() => beside(known, branch)}>
                  {branch.run.name}
                </button>{' '}
                from turn {(branchingOf(branch)?.turn ?? 0) + 1} on
              </li>
            ))}
          </ul>
          {branches.length > mostBranches && <p class="note">and {branches.length - mostBranches} more.</p>}
        </div>
      )}
    </>
  )
}
