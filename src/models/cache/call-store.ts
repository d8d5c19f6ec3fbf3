import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf, systemCode } from '../../util/errors.ts'
import type { Redact } from '../keys/redact.ts'
import type { ModelAnswer, ModelCall } from '../model-call.ts'
import type { ModelFault } from '../model-error.ts'

/** A call and what came of it, as it is kept: for programs, and for people who open the file. */
export interface KeptCall {
  readonly call: ModelCall
  readonly answer: ModelAnswer | null
  /** A fault that would come again, such as a refusal. */
  readonly error: { readonly fault: ModelFault; readonly message: string; readonly provider: string } | null
}

/** Where answers are kept. Several processes may use one at the same time. */
export interface CallStore {
  /** null: it is not there. */
  read(key: string): Promise<KeptCall | null>
  write(key: string, kept: KeptCall): Promise<void>
}

/**
 * A file for each call, so that any number of processes and machines can share a folder, and a recording can be put
 * under version control. A file appears whole or not at all.
 */
export function fileStore(folder: string, redact: Redact = text => text): CallStore {
  const fileOf = (key: string): string => join(folder, key.slice(0, 2), `${key.slice(2)}.json`)
  return {
    async read(key) {
      const text = await readIfThere(fileOf(key))
      return text === null ? null : parse(text, fileOf(key))
    },
    async write(key, kept) {
      const file = fileOf(key)
      const unfinished = `${file}.${process.pid}.${++written}.tmp`
      const text = redact(`${JSON.stringify(kept, null, 1)}\n`)
      await mkdir(dirname(file), { recursive: true })
      try {
        await writeFile(unfinished, text)
        await rename(unfinished, file)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
  }
}

let written = 0

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Written by ourselves and never half; whoever edits one is told where it went wrong. */
function parse(text: string, file: string): KeptCall {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${file}: is not a kept call: ${messageOf(error)}`)
  }
}
