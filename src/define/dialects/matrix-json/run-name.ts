import { hash } from 'node:crypto'
import { canonicalJson, type Json, type JsonObject } from '../../../util/json.ts'
import { shortened } from '../../../util/words.ts'
import type { Spelling } from '../../experiment.ts'
import type { Run } from '../../run.ts'
import { pythonJson, pythonObject, pythonText } from '../../spelling/spelling.ts'

type Named = Pick<Run, 'params' | 'ablation' | 'flags' | 'replicate'>

/** The run id of Cascade's sweep runner, so that its results are found: `full__wf5__seed1__baseline__fcdc4023c8cf`. */
export function matrixRunName({ params, ablation, flags, replicate }: Named, spelling: Spelling): string {
  const ablationName = ablation ?? 'baseline'
  const parts = [
    ...(params.policy === undefined ? [] : [sanitised(String(params.policy))]),
    ...(params.workflows === undefined ? [] : [`wf${plain('workflows', params.workflows, spelling)}`]),
    ...(params.seed === undefined ? [] : [`seed${plain('seed', params.seed, spelling)}`]),
    sanitised(ablationName),
    // Cascade has no replicates: the first one gets its name, the others must differ.
    ...(replicate === 1 ? [] : [`replicate${replicate}`]),
  ]
  const identity = pythonObject([
    ['ablation_flags', pythonJson(flags)],
    ['ablation_name', pythonJson(ablationName)],
    ['params', matrixParams(params, spelling)],
  ])
  return `${shortened(parts.join('__'), longestBytes)}__${hash('sha1', identity, 'hex').slice(0, 12)}`
}

/**
 * File systems allow 255 bytes. Cascade could not have made a longer name, so it is shortened; the hash keeps it
 * unique.
 */
const longestBytes = 255 - '__123456789abc'.length

/** The parameters as Cascade spells them, which is how it distinguishes runs. */
export const matrixParams = (params: JsonObject, spelling: Spelling): string =>
  pythonObject(Object.entries(params).map(([name, value]) => [name, spelt(name, value, spelling)]))

/** JSON does not preserve whether 50 was written 50.0; the spelling does, because Cascade's hash depends on it. */
function spelt(name: string, value: Json, spelling: Spelling): string {
  return spelling[name]?.[canonicalJson(value)] ?? pythonJson(value)
}

/** As in Python's `str()`: `50.0`, `True`. Only characters that would start a new folder are replaced. */
const plain = (name: string, value: Json, spelling: Spelling): string =>
  pythonText(spelt(name, value, spelling)).replaceAll('/', '_')

/** Cascade's rule; `\p{L}\p{N}` are the characters of Python's `isalnum`, except for a few rare ones. */
const sanitised = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}\-_.]/gu, '_')
    .replace(/^_+/, '')
    .replace(/_+$/, '')
