import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf, systemCode } from '../../util/errors.ts'
import { sha256 } from '../../util/hash.ts'
import { isJsonObject, type JsonObject } from '../../util/json.ts'
import { type Redact, redactedJson } from '../keys/redact.ts'
import type { Message, ModelAnswer, ModelCall } from '../model-call.ts'
import type { ContextFacts, ModelFault } from '../model-error.ts'

/** A call with its result, as stored: for programs, and for people who open the file. */
export interface KeptCall extends KeptResult {
  readonly call: ModelCall
}

export interface KeptResult {
  readonly answer: ModelAnswer | null
  /** A fault that would come again, such as a refusal. */
  readonly error: KeptError | null
  /** The bytes that another program received: a replay gives it the same ones. */
  readonly wire?: KeptWire | undefined
}

/** A response as the requesting program got it. */
export interface KeptWire {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface KeptError {
  readonly fault: ModelFault
  readonly message: string
  readonly provider: string
  /** For a prompt that was too long. */
  readonly context?: ContextFacts | undefined
  /** The caller gave it up when its time was over: so it ends again. */
  readonly is_out_of_time?: true | undefined
}

/** Stores answers. Several processes may use one at the same time. */
export interface CallStore {
  /** null: it is not there. */
  read(key: string): Promise<KeptResult | null>
  write(key: string, kept: KeptCall): Promise<void>
}

export const callFile = (folder: string, key: string): string => join(folder, key.slice(0, 2), `${key.slice(2)}.json`)

/** Where the parts of calls are that several of them share. */
export const sharedFolder = (folder: string): string => join(folder, 'shared')

/** Longer messages and tools are shared: no file of a call contains more, however long the conversation is. */
const sharedFrom = 4096

/**
 * A file for each call, so that any number of processes and machines can share a folder, and a recording can be put
 * under version control. A file appears completely or not at all.
 * An agent's calls repeat its conversation from the beginning. Stored completely, they would grow with the square of
 * its turns; so the conversation is cut, from its beginning, into files of a few kilobytes named by their content, each
 * of which names the previous one (`earlier`). A call's file contains the messages after the last cut.
 */
export function fileStore(folder: string, redact: Redact = text => text): CallStore {
  /** What this store has written, by the hash of its input. */
  const shared = new Map<string, string>()

  const share = async (content: object, earlier: string | null): Promise<string> => {
    const given = sha256(JSON.stringify([content, earlier]))
    const known = shared.get(given)
    if (known !== undefined) return known
    // Links are added last: a key that looks like a part of one must not break it.
    const text = fileText({ ...redactedObject(content, redact), ...(earlier !== null && { earlier }) })
    const id = sha256(text)
    await writeWholeFile(callFile(sharedFolder(folder), id), text)
    shared.set(given, id)
    return id
  }

  const withoutShared = async (call: ModelCall) => {
    const { closed, open } = cut(call.messages)
    let earlier: string | null = null
    for (const messages of closed) earlier = await share({ messages }, earlier)
    const { tools: given, ...rest } = call
    const isShared = given !== undefined && JSON.stringify(given).length >= sharedFrom
    const tools = isShared ? await share({ tools: given }, null) : null
    return {
      call: { ...(isShared ? rest : call), messages: open },
      links: { ...(earlier !== null && { earlier }), ...(tools !== null && { tools }) },
    }
  }

  return {
    async read(key) {
      const file = callFile(folder, key)
      const text = await readIfThere(file)
      return text === null ? null : parse(text, file)
    },
    async write(key, { call, answer, error, wire }) {
      const { call: short, links } = await withoutShared(call)
      const kept = {
        ...redactedObject({ call: short, answer, error, wire }, redact),
        ...(answer !== null && { answer: { ...redactedObject(answer, redact), ...measuredIn(answer) } }),
      }
      const text = fileText({ ...kept, ...links })
      await writeWholeFile(callFile(folder, key), text)
    },
  }
}

/** The cuts do not depend on later messages, so a longer conversation is cut at the same places. */
function cut(messages: readonly Message[]): {
  readonly closed: readonly (readonly Message[])[]
  readonly open: readonly Message[]
} {
  const closed: (readonly Message[])[] = []
  let open: Message[] = []
  let length = 0
  for (const message of messages) {
    open.push(message)
    length += JSON.stringify(message).length
    if (length < sharedFrom) continue
    closed.push(open)
    open = []
    length = 0
  }
  return { closed, open }
}

const fileText = (content: object): string => `${JSON.stringify(content, null, 1)}\n`

function redactedObject(data: object, redact: Redact): JsonObject {
  const clean = redactedJson(data, redact)
  return isJsonObject(clean) ? clean : {}
}

/** Numbers measured by assay contain no key, and must stay numbers. */
const measuredIn = ({ usage, cost_usd, saved_usd, latency_ms, tries }: ModelAnswer) => ({
  usage,
  cost_usd,
  saved_usd,
  latency_ms,
  tries,
})

async function writeWholeFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.${++written}.tmp`
  try {
    await writeInFolder(unfinished, text)
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

let written = 0

/** Most folders exist already, and checking takes as long as writing. */
async function writeInFolder(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Written by ourselves and never half; an error in an edited file names its place. */
function parse(text: string, file: string): KeptResult {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${file}: is not a cached call: ${messageOf(error)}`)
  }
}
