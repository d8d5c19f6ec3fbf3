import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { AssayError, messageOf, systemCode } from '../../util/errors.ts'
import type { Environment } from './provider-access.ts'

/**
 * The environment, with what the `.env` files of these folders add to it: the first folder that sets a variable counts,
 * and what the environment itself sets counts before all of them.
 */
export function environmentFor(folders: readonly string[], env: Environment): Environment {
  const files = [...new Set(folders)].map(folder => readEnv(join(folder, '.env')))
  const set = Object.entries(env).filter(([, value]) => value !== undefined)
  return Object.assign({}, ...files.reverse(), Object.fromEntries(set))
}

function readEnv(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(systemCode(error) ?? '')) return {}
    throw new AssayError('config', `${file}: can't be read: ${messageOf(error)}`, { cause: error })
  }
}
