import { moduleFiles } from '../../define/own-modules.ts'
import type { BoundTarget } from '../../define/target.ts'
import { programDigests, writeProgramDigests } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { digestFiles } from '../../record/provenance/provenance.ts'

/**
 * The program's own files are provenance, not identity: editing a comment must not discard results. But a user who
 * edits a program between two calls should know that earlier results are from the earlier program. Returns that
 * warning, or null.
 */
export function noteProgramChange(
  journal: Journal,
  { experiment, target, spec }: BoundTarget,
  reused: number,
): string | null {
  const files = [
    ...(target.programFiles?.(spec, experiment) ?? []),
    // Modules of targets are part of the fingerprint.
    ...moduleFiles(experiment, ['planners', 'stoppers', 'metric_sources'], process.cwd()),
  ]
  const now = digestFiles(files, experiment.folder)
  const before = programDigests(journal)
  writeProgramDigests(journal, now)
  const changed = Object.keys(now).filter(file => before[file] !== undefined && before[file] !== now[file])
  if (changed.length === 0 || reused === 0) return null
  const runs = reused === 1 ? '1 completed run that is reused was' : `${reused} completed runs that are reused were`
  return `${changed.join(', ')} changed since the last call: ${runs} made before. To make that count, list it under inputs; to run everything again, --fresh`
}
