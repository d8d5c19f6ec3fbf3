import type { Experiment } from '../define/experiment.ts'
import { canonicalJson } from '../util/canonical-json.ts'
import { sha256 } from '../util/hash.ts'
import { isJsonObject, type Json, type JsonObject } from '../util/json.ts'

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
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => changesIn(`${path}[${index}]`, item, after[index]))
  const input = path.startsWith(inputPrefix) ? `input ${path.slice(inputPrefix.length)}` : null
  if (before === undefined) return [input === null ? `${path} added: ${brief(after)}` : `${input} added`]
  if (after === undefined) return [input === null ? `${path} removed (was ${brief(before)})` : `${input} removed`]
  return [input === null ? `${path}: ${brief(before)} → ${brief(after)}` : `${input} changed`]
}

const inputPrefix = 'inputs.'
const fieldPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)
const keysOf = (before: JsonObject, after: JsonObject): readonly string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
]

function brief(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : canonicalJson(value ?? null)
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}
