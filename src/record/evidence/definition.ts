import { isAbsolute } from 'node:path'
import type { Experiment, TargetSpec } from '../../define/experiment.ts'
import { sha256 } from '../../util/hash.ts'
import { canonicalJson, type JsonObject } from '../../util/json.ts'

/** An experiment in a form that two people can compare: without its name, its location and the spelling of names. */
export function comparableDefinition(experiment: Experiment): JsonObject {
  const {
    name: _name,
    file: _file,
    folder: _folder,
    out_root: _root,
    directory: _directory,
    kept: _kept,
    naming,
    ...named
  } = experiment
  const { python: _python, notes: _notes, target, ...rest } = named
  return {
    ...(rest as unknown as JsonObject),
    target: withoutPlace(target),
    naming: 'spelling' in naming ? { kind: naming.kind } : naming,
  }
}

/** An absolute working directory only says where the files happen to be. */
function withoutPlace({ cwd, ...target }: TargetSpec): JsonObject {
  return typeof cwd !== 'string' || isAbsolute(cwd) ? target : { ...target, cwd }
}

/** The same for the same definition, on any machine, in any folder and with any limits. */
export function definitionDigest(experiment: Experiment): string {
  const { limits: _limits, order: _order, description: _description, ...rest } = comparableDefinition(experiment)
  return sha256(canonicalJson(rest))
}
