import { dialectNamed } from '../define/dialects/registry.ts'
import type { Experiment } from '../define/experiment.ts'
import { sha256, sha256OfJson } from '../util/hash.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../util/json.ts'
import { planPart } from './plan-part.ts'
import type { PlannerOptions } from './planner.ts'

/** Which plan this is: two definitions with the same hash have the same runs, in the same order. */
export function planHash(experiment: Experiment, options: PlannerOptions): string {
  const { name, dialect, seed, ...part } = planPart(experiment)
  // The name is in the plan only where a template makes runs' names of it. A seed that is also the planner's counts once.
  const own = {
    ...(part.naming.kind === 'template' && { name }),
    ...(changesPlan(dialect) && part.naming.kind !== dialect && { dialect }),
    ...(seed !== options.seed && { seed }),
  }
  return sha256OfJson({ ...part, ...own, options })
}

/** Only a dialect with rules of its own for names, order or spelling makes other runs of the same definition. */
function changesPlan(dialect: string): boolean {
  const { nameOf, order, spell, blocksAreParams } = dialectNamed(dialect)
  return [nameOf, order, spell, blocksAreParams].some(rule => rule !== undefined)
}

/** What a finished run depended on besides its key: if it changed, the run is stale. */
export interface Fingerprint {
  readonly hash: string
  /** What was hashed, kept so that a change can be explained. */
  readonly parts: JsonObject
}

/** `inputDigests`: by path as declared, the digest of the content. */
export function fingerprintOf(
  experiment: Pick<Experiment, 'target'>,
  targetIdentity: JsonObject,
  inputDigests: { readonly [path: string]: string },
): Fingerprint {
  const parts = { kind: experiment.target.kind, target: targetIdentity, inputs: inputDigests }
  return { hash: sha256(canonicalJson(parts)).slice(0, 32), parts }
}

/** One line on what changed: `target.command[3]: 3 → 4; input data/train.csv changed`. */
export function explainChange(before: JsonObject, after: JsonObject): string {
  const changes = changesIn('', before, after)
  const shown = changes.slice(0, 3).join('; ')
  return changes.length > 3 ? `${shown}; and ${changes.length - 3} more` : shown || 'nothing changed'
}

function changesIn(path: string, before: Json | undefined, after: Json | undefined): readonly string[] {
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return []
  if (isJsonObject(before) && isJsonObject(after))
    return keysOf(before, after).flatMap(key => changesIn(fieldPath(path, key), before[key], after[key]))
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length
      ? before.flatMap((item, index) => changesIn(`${path}[${index}]`, item, after[index]))
      : [changeOfLength(path, before, after)]
  const input = path.startsWith(inputPrefix) ? `input ${path.slice(inputPrefix.length)}` : null
  if (before === undefined) return [input === null ? `${path} added: ${brief(after)}` : `${input} added`]
  if (after === undefined) return [input === null ? `${path} removed (was ${brief(before)})` : `${input} removed`]
  return [input === null ? `${path}: ${fromTo(before, after)}` : `${input} changed`]
}

/** What is between the words that both lists begin with and those that both end with: `target.command[4..5] added: …`. */
function changeOfLength(path: string, before: readonly Json[], after: readonly Json[]): string {
  const shorter = Math.min(before.length, after.length)
  const isSame = (one: Json | undefined, other: Json | undefined) =>
    canonicalJson(one ?? null) === canonicalJson(other ?? null)
  let start = 0
  while (start < shorter && isSame(before[start], after[start])) start++
  let end = 0
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end++
  const old = before.slice(start, before.length - end)
  const words = after.slice(start, after.length - end)
  const last = start + Math.max(old.length, words.length) - 1
  const place = `${path}[${last === start ? start : `${start}..${last}`}]`
  if (old.length === 0) return `${place} added: ${brief(onlyOr(words))}`
  if (words.length === 0) return `${place} removed (was ${brief(onlyOr(old))})`
  return `${place}: ${fromTo(onlyOr(old), onlyOr(words))}`
}

const onlyOr = (items: readonly Json[]): Json => (items.length === 1 ? (items[0] ?? null) : [...items])

const inputPrefix = 'inputs.'
const fieldPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)
const keysOf = (before: JsonObject, after: JsonObject): readonly string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
]

const longest = 60

function brief(value: Json | undefined): string {
  const text = textOf(value)
  return text.length <= longest ? text : `${text.slice(0, longest - 3)}…`
}

/** Long texts that begin alike are shown from shortly before where they differ: cut at the end, they would read the same. */
function fromTo(before: Json, after: Json): string {
  const [one, other] = [textOf(before), textOf(after)]
  if (one.length <= longest && other.length <= longest) return `${one} → ${other}`
  let alike = 0
  while (alike < one.length && one[alike] === other[alike]) alike++
  const from = Math.max(0, alike - 20)
  const shown = (text: string) => `${from > 0 ? '…' : ''}${brief(text.slice(from))}`
  return `${shown(one)} → ${shown(other)}`
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : canonicalJson(value ?? null))
