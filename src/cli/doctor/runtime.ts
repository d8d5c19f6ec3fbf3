import { availableParallelism, totalmem } from 'node:os'
import { messageOf } from '../../util/errors.ts'
import { version } from '../../util/version.ts'
import { bytes } from '../views/number.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** What assay itself runs on. */
export async function checkRuntime(): Promise<readonly Finding[]> {
  return [ok('assay', version), node(), await sqlite(), cores()]
}

// bin/assay.mjs refuses versions that are too old; this is for users who start assay in another way.
function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNewEnough = major > 22 || (major === 22 && minor >= 18)
  if (!isNewEnough) return problem('node', process.versions.node, 'assay needs Node 22.18 or newer; 24 is best.')
  return ok('node', `${process.versions.node} (${process.platform} ${process.arch})`)
}

/** A real database in memory, not only a module that can be found. */
async function sqlite(): Promise<Finding> {
  try {
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(':memory:')
    const row = database.prepare('select sqlite_version() as version').get()
    database.close()
    return ok('sqlite', String(row?.version))
  } catch (error) {
    return problem('sqlite', messageOf(error), 'The journal needs SQLite, which is part of Node 22.18 and newer.')
  }
}

function cores(): Finding {
  const count = availableParallelism()
  const detail = `${count} usable, ${bytes(totalmem())} of memory`
  return count > 1 ? ok('cores', detail) : warning('cores', detail, 'Runs that need a whole core will take turns.')
}
