import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { systemCode } from '../../util/errors.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import { callFile, sharedFolder } from './call-store.ts'

/** Everything in a folder of cached answers. */
export interface CallInventory {
  readonly calls: readonly StoredCall[]
  /** Parts of conversations that calls share, by id. */
  readonly shared: ReadonlyMap<string, SharedPart>
  /** Files that a process is writing, or that were left when it was killed. */
  readonly unfinished: readonly StoredFile[]
  readonly bytes: number
}

export interface StoredFile {
  readonly file: string
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly written_at: number
}

export interface StoredCall extends StoredFile {
  readonly key: string
  /** As the experiment names it; null where the file can't be read. */
  readonly model: string | null
  /** As the provider names it. */
  readonly model_id: string | null
  readonly links: readonly string[]
}

export interface SharedPart extends StoredFile {
  readonly id: string
  readonly earlier: string | null
}

/** Looks at every file. Other processes may add and delete some meanwhile. */
export async function takeInventory(folder: string): Promise<CallInventory> {
  const found = await filesIn(folder, (key, text) => ({ key, ...factsOf(text) }))
  const parts = await filesIn(sharedFolder(folder), (id, text) => ({ id, earlier: earlierIn(text) }))
  const shared = new Map(parts.whole.map(part => [part.id, part]))
  const unfinished = [...found.unfinished, ...parts.unfinished]
  const bytes = [...found.whole, ...parts.whole, ...unfinished].reduce((sum, file) => sum + file.bytes, 0)
  return { calls: found.whole, shared, unfinished, bytes }
}

interface FoundFiles<T> {
  readonly whole: readonly (StoredFile & T)[]
  readonly unfinished: readonly StoredFile[]
}

/** Files as `callFile` names them, with what `about` says of their texts; the texts themselves may not fit into memory. */
async function filesIn<T>(folder: string, about: (id: string, text: string) => T): Promise<FoundFiles<T>> {
  const whole: (StoredFile & T)[] = []
  const unfinished: StoredFile[] = []
  const look = async (start: string, name: string): Promise<void> => {
    const [, rest, isUnfinished] = /^([0-9a-f]{62})\.json(\.\d+\.\d+\.tmp)?$/.exec(name) ?? []
    const file = join(folder, start, name)
    const facts = rest === undefined ? null : await ifThere(stat(file))
    if (!facts?.isFile()) return
    const stored = { file, bytes: facts.size, written_at: facts.mtimeMs }
    if (isUnfinished !== undefined) return void unfinished.push(stored)
    const text = await ifThere(readFile(file, 'utf8'))
    if (text !== null) whole.push({ ...stored, ...about(`${start}${rest}`, text) })
  }
  const starts = ((await ifThere(readdir(folder))) ?? []).filter(name => /^[0-9a-f]{2}$/.test(name)).sort()
  for (const start of starts) {
    const names = (await ifThere(readdir(join(folder, start)))) ?? []
    await Promise.all(names.map(name => look(start, name)))
  }
  return { whole, unfinished }
}

async function ifThere<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null
    throw error
  }
}

/** Of no other form: it becomes the name of a file. */
const link = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .optional()
const linkSchema = z.lazy(() => z.object({ earlier: link }))
const factsSchema = z.lazy(() =>
  linkSchema.unwrap().extend({
    call: z.object({ model: z.string() }),
    answer: z.object({ model_id: z.string() }).nullable(),
    tools: link,
  }),
)

const earlierIn = (text: string): string | null => read(text, linkSchema)?.earlier ?? null

function factsOf(text: string): Pick<StoredCall, 'model' | 'model_id' | 'links'> {
  const facts = read(text, factsSchema)
  if (facts === null) return { model: null, model_id: null, links: [] }
  const { call, answer, earlier, tools } = facts
  return { model: call.model, model_id: answer?.model_id ?? null, links: [earlier ?? [], tools ?? []].flat() }
}

function read<T>(text: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Which answers to delete: those that match all of these. */
export interface PruneChoice {
  readonly older_than_ms?: number | undefined
  /** Deletes the oldest, until no more than this is left. */
  readonly max_bytes?: number | undefined
  readonly model?: string | undefined
}

export interface Pruning {
  readonly calls: readonly StoredCall[]
  /** Files needed only by these, and files that no answer needs. */
  readonly others: readonly StoredFile[]
  readonly bytes: number
}

/** A process may be about to write the answer that needs a so far unneeded file. */
const graceMs = 3_600_000

export function planPruning(inventory: CallInventory, choice: PruneChoice, now: number): Pruning {
  const { older_than_ms = 0, max_bytes, model } = choice
  const isOld = ({ written_at }: StoredFile): boolean => now - written_at >= graceMs
  const others: StoredFile[] = inventory.unfinished.filter(isOld)
  let left = others.reduce((bytes, file) => bytes - file.bytes, inventory.bytes)

  const uses = usesOf(inventory)
  const release = (head: string): void => {
    for (let id: string | null = head; id !== null; ) {
      const part = inventory.shared.get(id)
      const count = (uses.get(id) ?? 0) - 1
      uses.set(id, count)
      if (part === undefined || count > 0 || !isOld(part)) return
      others.push(part)
      left -= part.bytes
      id = part.earlier
    }
  }
  for (const { id } of inventory.shared.values()) if (uses.get(id) === undefined) release(id)

  const calls: StoredCall[] = []
  const oldestFirst = [...inventory.calls].sort((a, b) => a.written_at - b.written_at || (a.key < b.key ? -1 : 1))
  for (const call of oldestFirst) {
    if (max_bytes !== undefined && left <= max_bytes) break
    if (now - call.written_at < older_than_ms || !isOf(call, model)) continue
    calls.push(call)
    left -= call.bytes
    call.links.forEach(release)
  }
  return { calls, others, bytes: inventory.bytes - left }
}

/** How many calls and later parts need each part. */
function usesOf({ calls, shared }: CallInventory): Map<string, number> {
  const uses = new Map<string, number>()
  const add = (id: string): void => void uses.set(id, (uses.get(id) ?? 0) + 1)
  for (const { links } of calls) links.forEach(add)
  for (const { earlier } of shared.values()) if (earlier !== null) add(earlier)
  return uses
}

export const isOf = ({ model, model_id }: StoredCall, name: string | undefined): boolean =>
  name === undefined || model === name || model_id === name

/** A disk is slow one file at a time, and has no use for thousands. */
const atOnce = 64

/**
 * Deletes what was planned, unless it was rewritten since. Folders stay: another process may be about to write into
 * one. A process that needs a deleted answer asks its model again.
 */
export async function prune({ calls, others }: Pruning): Promise<void> {
  const files = [...calls, ...others]
  const removed = async ({ file, written_at }: StoredFile): Promise<void> => {
    const now = await ifThere(stat(file))
    if (now?.mtimeMs === written_at) await rm(file, { force: true })
  }
  for (let from = 0; from < files.length; from += atOnce)
    await Promise.all(files.slice(from, from + atOnce).map(removed))
}

const json = z.json()
const keptSchema = z.lazy(() =>
  z.object({
    call: z.looseObject({ messages: z.array(json) }),
    answer: json,
    error: json,
    earlier: link,
    tools: link,
  }),
)
const partSchema = z.lazy(() =>
  z.object({
    messages: z.array(json).optional(),
    tools: json.optional(),
    earlier: link,
  }),
)

/** A cached call with all its messages, and which parts of it are missing; null if there is none. */
export async function readKeptCall(
  folder: string,
  key: string,
): Promise<{ readonly kept: JsonObject; readonly problems: readonly string[] } | null> {
  const written = read((await ifThere(readFile(callFile(folder, key), 'utf8'))) ?? '', keptSchema)
  if (written === null) return null
  const problems: string[] = []
  const partOf = async (id: string): Promise<z.output<typeof partSchema> | null> => {
    const file = callFile(sharedFolder(folder), id)
    const part = read((await ifThere(readFile(file, 'utf8'))) ?? '', partSchema)
    if (part === null) problems.push(`${file}: is missing or can't be read, and with it a part of the call`)
    return part
  }
  const pieces: (readonly Json[])[] = [written.call.messages]
  const seen = new Set<string>()
  for (let id = written.earlier; id !== undefined && !seen.has(id); ) {
    seen.add(id)
    const part = await partOf(id)
    pieces.push(part?.messages ?? [])
    id = part?.earlier
  }
  const tools = written.tools === undefined ? undefined : (await partOf(written.tools))?.tools
  const call = { ...written.call, messages: pieces.reverse().flat(), ...(tools !== undefined && { tools }) }
  return { kept: JSON.parse(JSON.stringify({ call, answer: written.answer, error: written.error })), problems }
}
