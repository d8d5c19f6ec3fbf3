import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import {
  type CallInventory,
  isOf,
  type Pruning,
  planPruning,
  prune,
  readKeptCall,
  type StoredCall,
  takeInventory,
} from '../../../models/cache/call-inventory.ts'
import { asExperimentDirectory, callCacheIn } from '../../../record/places.ts'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { chooseExperiment } from '../../experiment/choose-experiment.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import { pruneBoxes } from '../../keep/prune-boxes.ts'
import type { Options } from '../../options.ts'
import { bytes, shortDuration } from '../../views/number.ts'
import { styler } from '../../views/style.ts'
import { tableLines } from '../../views/table.ts'

/** `assay cache [list|prune|show] [place]` */
export async function cacheCommand([what, place]: readonly string[], options: Options, io: Io): Promise<number> {
  if (what === 'show') return showCall(place, options, io)
  if (options.boxes) {
    if (what !== 'prune') throw new AssayError('usage', 'to delete what boxes left, write `assay cache prune --boxes`')
    return pruneBoxes(place, options, io, question => isAgreed(question, options, io))
  }
  const dir = callFolder(place, options, io)
  const inventory = await takeInventory(dir)
  if (what === 'prune') return pruneCalls(dir, inventory, options, io)
  for (const name of ['olderThan', 'maxSize'] as const)
    if (options[name] !== undefined) throw new AssayError('usage', 'to delete answers, write `assay cache prune`')
  const calls = inventory.calls.filter(call => isOf(call, options.model))
  if (options.json) writeJson(io.stdout, { kind: 'cache', dir, bytes: inventory.bytes, ...summaryOf(calls) })
  else writeLines(io.stdout, listLines(dir, inventory, calls, io))
  return 0
}

/** A folder of cached answers, the one next to experiments, or the one of the experiment that is meant. */
function callFolder(place: string | undefined, options: Options, io: Io): string {
  if (place === undefined && options.outRoot !== undefined) return callCacheIn(resolve(io.cwd, options.outRoot))
  const path = place === undefined ? undefined : resolve(io.cwd, place)
  if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    if (existsSync(callCacheIn(path))) return callCacheIn(path)
    if (asExperimentDirectory(path) !== undefined) return callCacheIn(dirname(path))
    if (holdsCalls(path)) return path
  }
  try {
    // Here `--model` selects answers; elsewhere it means a sweep of that model.
    const { experiment } = chooseExperiment(place === undefined ? [] : [place], { ...options, model: undefined }, io)
    return callCacheIn(resolve(experiment.folder, experiment.out_root))
  } catch (error) {
    const isNothingNamed = place === undefined && options.config === undefined
    if (!(isNothingNamed && error instanceof AssayError && error.facts.candidates !== undefined)) throw error
    return callCacheIn(resolve(io.cwd, 'results'))
  }
}

const holdsCalls = (folder: string): boolean =>
  /[/\\]\.cache[/\\]calls$/.test(folder) || readdirSync(folder).some(name => /^[0-9a-f]{2}$/.test(name))

interface Totals {
  readonly answers: number
  readonly oldest: string | null
  readonly newest: string | null
}

/** The size given for a model is that of its answers alone: models may share conversations. */
function summaryOf(calls: readonly StoredCall[]): Totals & { readonly models: readonly object[] } {
  const models = modelsIn(calls).map(model => {
    const own = calls.filter(call => call.model === model)
    return { model, bytes: bytesOf(own), ...totalsOf(own) }
  })
  return { ...totalsOf(calls), models }
}

function totalsOf(calls: readonly StoredCall[]): Totals {
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { written_at } of calls) {
    oldest = Math.min(oldest, written_at)
    newest = Math.max(newest, written_at)
  }
  const written = (at: number): string | null => (Number.isFinite(at) ? new Date(at).toISOString() : null)
  return { answers: calls.length, oldest: written(oldest), newest: written(newest) }
}

const modelsIn = (calls: readonly StoredCall[]): readonly (string | null)[] =>
  [...new Set(calls.map(({ model }) => model))].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))

const bytesOf = (calls: readonly StoredCall[]): number => calls.reduce((sum, call) => sum + call.bytes, 0)

function listLines(dir: string, inventory: CallInventory, calls: readonly StoredCall[], io: Io): readonly string[] {
  if (inventory.calls.length === 0) return [`${dir}: no answers are kept`]
  const rows = modelsIn(calls).map(model => {
    const own = calls.filter(call => call.model === model)
    const { oldest, newest } = totalsOf(own)
    return [model ?? '(unreadable)', String(own.length), bytes(bytesOf(own)), age(oldest), age(newest)]
  })
  const shared = [...inventory.shared.values()].reduce((sum, part) => sum + part.bytes, 0)
  return [
    `${dir}: ${answers(inventory.calls.length)}, ${bytes(inventory.bytes)}`,
    ...tableLines(['model', 'answers', 'size', 'oldest', 'newest'], rows, {
      columns: tableWidth(io.stdout),
      head: styler(io.stdout).bold,
    }),
    ...(shared > 0 ? [`conversations that answers share: ${bytes(shared)}`] : []),
  ]
}

const age = (written: string | null): string =>
  written === null ? '' : `${shortDuration(Math.max(0, Date.now() - Date.parse(written)))} ago`

const answers = (count: number): string => `${count} ${count === 1 ? 'answer' : 'answers'}`

async function pruneCalls(dir: string, inventory: CallInventory, options: Options, io: Io): Promise<number> {
  const { olderThan, maxSize, model, dryRun = false } = options
  if (olderThan === undefined && maxSize === undefined && model === undefined)
    throw new AssayError('usage', 'the answers to delete are not specified', {
      hint: 'Give --older-than 30d, --max-size 1GB or --model <name>; --max-size 0 means all. --boxes deletes what the boxes of tasks left instead.',
    })
  refuseUnknown(model, inventory)
  const choice = { older_than_ms: olderThan, max_bytes: maxSize, model }
  const pruning = planPruning(inventory, choice, Date.now())
  const what = `${answers(pruning.calls.length)} of ${inventory.calls.length}, ${bytes(pruning.bytes)}`
  const isNothing = pruning.calls.length + pruning.others.length === 0
  const isToDelete = !dryRun && !isNothing && (await isAgreed(`Delete ${what}, in ${dir}?`, options, io))
  if (isToDelete) await deleted(pruning, dir)
  if (options.json)
    writeJson(io.stdout, {
      kind: 'cache_prune',
      dir,
      dry_run: dryRun,
      answers: pruning.calls.length,
      bytes: pruning.bytes,
      left: {
        answers: inventory.calls.length - pruning.calls.length,
        bytes: inventory.bytes - pruning.bytes,
      },
    })
  else if (isNothing) io.stdout.write(`there is nothing to delete in ${dir}\n`)
  else if (dryRun) io.stdout.write(`would delete ${what}, in ${dir}\n`)
  else io.stdout.write(isToDelete ? `deleted ${what}, in ${dir}\n` : 'nothing was deleted\n')
  return 0
}

async function deleted(pruning: Pruning, dir: string): Promise<void> {
  try {
    await prune(pruning)
  } catch (error) {
    throw new AssayError('cannot_write', `can't delete answers in ${dir}: ${messageOf(error)}`, { cause: error })
  }
}

function refuseUnknown(model: string | undefined, { calls }: CallInventory): void {
  if (model === undefined || calls.some(call => isOf(call, model))) return
  const known = modelsIn(calls).flatMap(name => name ?? [])
  const nearest = didYouMean(model, known)
  const hint = nearest ?? (known.length === 0 ? undefined : `There are answers of ${known.join(', ')}.`)
  throw new AssayError('not_found', `no answer of ${model} is kept`, hint === undefined ? {} : { hint })
}

/** Only asks if a person is at the terminal. */
async function isAgreed(question: string, options: Options, io: Io): Promise<boolean> {
  if (options.yes || options.json || io.stdin.isTTY !== true || !io.stdout.isTTY) return true
  io.stdout.write(`${question} [y/N] `)
  const lines = createInterface({ input: io.stdin })
  for await (const line of lines) {
    // An open terminal listener would keep this process from ending.
    lines.close()
    return /^y(es)?$/i.test(line.trim())
  }
  return false
}

/** A call, given by its file; its prompt may be spread over several files. */
async function showCall(place: string | undefined, options: Options, io: Io): Promise<number> {
  const file = place === undefined ? undefined : resolve(io.cwd, place)
  const key = file === undefined ? '' : basename(dirname(file)) + basename(file, '.json')
  const found =
    file === undefined || !/^[0-9a-f]{64}$/.test(key) ? null : await readKeptCall(dirname(dirname(file)), key)
  if (found === null)
    throw new AssayError('not_found', place === undefined ? 'which call?' : `${place} is not the file of a kept call`, {
      hint: `Give one, such as ${join('results', '.cache', 'calls', '3f', '….json')}.`,
    })
  writeLines(io.stderr, found.problems)
  if (options.json) writeJson(io.stdout, { kind: 'kept_call', ...found.kept })
  else writeJson(io.stdout, found.kept)
  return 0
}
