import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Journal } from '../../record/journal/journal.ts'
import { repairHint, saveRemoved } from '../../record/repair/rebuild.ts'
import { AssayError } from '../../util/errors.ts'
import { presentWorkers } from '../status/experiment-status.ts'

interface Watching {
  readonly journal: Journal
  readonly workerId: number
  readonly warn: (message: string) => void
  /** Starts no more runs. */
  readonly drain: (reason: string) => void
}

/**
 * Notices when journal.db was deleted or replaced while this process has it open: then its writes go to a file without
 * a name. If no other process has it open, it is written again and work continues. Otherwise running runs finish, and
 * this process saves its data for `assay repair`.
 */
export class JournalWatch {
  readonly #watching: Watching
  #isLost = false

  constructor(watching: Watching) {
    this.#watching = watching
  }

  look(): void {
    const { journal, warn, drain } = this.#watching
    if (this.#isLost) return
    const place = journal.place()
    if (place === 'in_place') return
    if (place === 'removed' && existsSync(dirname(journal.file)) && !this.#hasCompany()) {
      journal.putBack()
      warn(`${journal.file} was deleted while assay was working: it was rewritten completely from the open file`)
      return
    }
    this.#isLost = true
    const reason = `${journal.file} was ${place} while assay was working`
    warn(`${reason}: no new runs start, running ones finish`)
    drain(reason)
  }

  /** Once everything has ended: saves a journal that is no longer found under its name, and reports it. */
  refuseIfLost(): void {
    if (!this.#isLost) return
    const { journal } = this.#watching
    const dir = dirname(journal.file)
    if (!existsSync(dir))
      throw new AssayError('cannot_write', `the directory of the experiment is gone: ${dir}`, {
        hint: 'It was moved or deleted during the run. If it was moved, run the same command with its new path.',
      })
    const saved = saveRemoved(journal, dir)
    throw new AssayError('cannot_write', `${journal.file} was removed or replaced while assay was working`, {
      hint: `What this process recorded is in ${saved}. ${repairHint(dir)}`,
      facts: { saved },
    })
  }

  #hasCompany(): boolean {
    const { journal, workerId } = this.#watching
    return presentWorkers(journal).some(worker => worker.id !== workerId)
  }
}
