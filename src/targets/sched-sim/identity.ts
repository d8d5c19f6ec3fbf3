import type { Experiment } from '../../define/experiment.ts'
import { resolvePath } from '../../define/read-files.ts'
import { sha256 } from '../../util/hash.ts'
import { canonicalJson, type JsonObject } from '../../util/json.ts'
import { givenValues } from './given-values.ts'
import { loadModel } from './model/load-model.ts'
import type { SchedSimSpec } from './spec.ts'

/** A model by its content, including fitted distributions: a changed file or data set makes earlier results stale. */
export function modelDigests({ model }: SchedSimSpec, experiment: Experiment): JsonObject {
  const named = modelFiles(model, experiment)
  return Object.fromEntries(named.map(file => [file, digestOf(file, experiment.folder)]))
}

/** Every model file that a run may use, as it is written. */
export function modelFiles(model: string | undefined, experiment: Experiment): readonly string[] {
  const given = givenValues(experiment).flatMap(({ name, value }) => (name === 'model' ? [value] : []))
  return [...new Set([model, ...given])].filter(file => typeof file === 'string')
}

function digestOf(file: string, folder: string): string {
  const loaded = loadModel(resolvePath(file, { folder, cwd: process.cwd() }), process.cwd())
  return `sha256:${sha256(canonicalJson(JSON.parse(JSON.stringify(loaded)))).slice(0, 12)}`
}
