import { hash } from 'node:crypto'
import type { Naming } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import { pythonJson, pythonObject } from '../../define/spelling/python-json.ts'
import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import { shortened } from './slug.ts'

export type Spelling = Extract<Naming, { kind: 'matrix-json' }>['spelling']

type Named = Pick<Run, 'params' | 'ablation' | 'flags' | 'replicate'>

/** The run id of the original matrix runner, so that its results are found again: `full__wf5__seed1__baseline__fcdc4023c8cf`. */
export function matrixJsonName({ params, ablation, flags, replicate }: Named, spelling: Spelling): string {
  const ablationName = ablation ?? 'baseline'
  const parts = [
    ...(params.policy === undefined ? [] : [sanitised(String(params.policy))]),
    ...(params.workflows === undefined ? [] : [`wf${plain(params.workflows)}`]),
    ...(params.seed === undefined ? [] : [`seed${plain(params.seed)}`]),
    sanitised(ablationName),
    // The original knows no replicates: the first has its name, the others must differ.
    ...(replicate === 1 ? [] : [`replicate${replicate}`]),
  ]
  const identity = pythonObject([
    ['ablation_flags', pythonJson(flags)],
    ['ablation_name', pythonJson(ablationName)],
    ['params', speltParams(params, spelling)],
  ])
  return `${shortened(parts.join('__'), longestBytes)}__${hash('sha1', identity, 'hex').slice(0, 12)}`
}

/** File systems take 255: what the original could not have made is cut, and the hash still tells it apart. */
const longestBytes = 255 - '__123456789abc'.length

/** The parameters as the original spells them: what tells its runs apart. */
export const speltParams = (params: JsonObject, spelling: Spelling): string =>
  pythonObject(Object.entries(params).map(([name, value]) => [name, spelt(name, value, spelling)]))

/** JSON forgets whether 50 was written 50.0; the dialect remembers, because the original's hash depends on it. */
function spelt(name: string, value: Json, spelling: Spelling): string {
  return spelling[name]?.[canonicalJson(value)] ?? pythonJson(value)
}

const plain = (value: Json): string => sanitised(typeof value === 'string' ? value : pythonJson(value))

/** As the original does it; `\p{L}\p{N}` are what Python's `isalnum` takes, but for a few rare signs. */
const sanitised = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}\-_.]/gu, '_')
    .replace(/^_+/, '')
    .replace(/_+$/, '')
