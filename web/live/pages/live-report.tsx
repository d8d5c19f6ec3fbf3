import { App } from '../../app/app.tsx'
import type { DatasetState } from '../data/use-dataset.ts'
import { DirsContext } from '../run/dirs-context.ts'
import { LiveRunDialog } from '../run/live-run-dialog.tsx'

/** The report's own sections, with the present data. */
export function LiveReport({ dirs, state }: { readonly dirs: readonly string[]; readonly state: DatasetState }) {
  const { loaded, reason } = state
  return (
    <DirsContext.Provider value={dirs}>
      {reason !== null && (
        <p class="problem" role="alert">
          {reason}
        </p>
      )}
      {loaded === null && reason === null && <p class="waiting still">Reading the runs …</p>}
      {loaded !== null && loaded.dataset.evidence.runs.length === 0 && (
        <p class="waiting still">No run has ended yet: the report appears with the first.</p>
      )}
      {loaded !== null && loaded.dataset.evidence.runs.length > 0 && <App loaded={loaded} RunView={LiveRunDialog} />}
    </DirsContext.Provider>
  )
}
