import type { ModelSettings } from '../../define/models/model-settings.ts'
import { sha256 } from '../../util/hash.ts'
import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import type { ModelCall } from '../model-call.ts'
import { behaviourOf } from '../names/settings-of.ts'

export interface KeyParts extends KeyScope {
  readonly call: ModelCall
}

interface KeyScope {
  readonly settings: ModelSettings
  /** Block and replicate of the run, so that replicates stay independent. */
  readonly scope: JsonObject
  readonly is_rehearsal: boolean
}

/**
 * The key of a cached answer: everything that can change it, and nothing about the machine. The route of a model and
 * its price are not included: a recording can be replayed where there are no keys.
 */
export function callKey({ call, ...scope }: KeyParts): string {
  const { purpose: _, ...content } = call
  return contentKey({ model: call.model, content, ...scope })
}

/** The same for a question that is not one of our calls; `model`: by its name in the experiment. */
export function contentKey(parts: KeyScope & { readonly model: string; readonly content: object }): string {
  const { model, content, settings, scope, is_rehearsal } = parts
  const behaviour = behaviourOf(model, settings)
  return sha256(canonicalJson(plain({ version: 1, content, behaviour, scope, is_rehearsal })))
}

/** Through JSON: undefined values become absent. */
const plain = (data: object): Json => JSON.parse(JSON.stringify(data))
