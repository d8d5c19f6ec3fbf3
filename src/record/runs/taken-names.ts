import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import type { Journal } from '../journal/journal.ts'

/** A name is assigned once: refuses a plan in which one would go from the run that has it to another. */
export function refuseTakenNames(journal: Journal, runs: Iterable<Run>): void {
  for (const { name, key } of runs) {
    const taken = journal.get<{ key: string }>('SELECT key FROM runs WHERE name = ? AND key <> ?', name, key)
    if (taken === undefined) continue
    throw new AssayError('usage', `the name ${name} belongs to a run with other parameters in this directory`, {
      hint: 'Give this experiment another name (--exp-name), or add what changed to `naming`.',
      facts: { name },
    })
  }
}
