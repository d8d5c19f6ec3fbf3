import type { Experiment, PythonValues } from '../../../define/experiment.ts'
import { byCodePoint, pythonFloat, pythonJson, pythonObject } from '../../../define/spelling/spelling.ts'
import { canonicalJson, type Json, type JsonObject } from '../../../util/json.ts'

/** A parameter as a program gets it, its value as compact JSON in Python's spelling. */
export interface Argument {
  readonly name: string
  readonly json: string
}

/** The parameters of a run by name, those that lie in others put there: `optimizer.lr` into `optimizer`. */
export function argumentsOf(params: JsonObject, { python }: Pick<Experiment, 'python'>): readonly Argument[] {
  const tree: Tree = new Map()
  for (const [name, value] of Object.entries(params))
    put(tree, python?.nested[name] ?? [name], pythonSpelling(name, value, python))
  return [...tree]
    .map(([name, branch]) => ({ name, json: jsonOf(branch) }))
    .sort((one, other) => byCodePoint(one.name, other.name))
}

/** A parameter's value as compact JSON, in which 50.0 is not 50. */
export function pythonSpelling(name: string, value: Json, python: PythonValues | undefined): string {
  const written = python?.spelling[name]?.[canonicalJson(value)]
  if (written !== undefined) return written
  return typeof value === 'number' && python?.floats.includes(name) ? pythonFloat(value) : pythonJson(value)
}

type Tree = Map<string, string | Tree>

function put(tree: Tree, [name = '', ...rest]: readonly string[], json: string): void {
  const inner = tree.get(name)
  if (rest.length === 0 || typeof inner === 'string') {
    tree.set([name, ...rest].join('.'), json)
    return
  }
  const branch = inner ?? new Map()
  tree.set(name, branch)
  put(branch, rest, json)
}

const jsonOf = (branch: string | Tree): string =>
  typeof branch === 'string' ? branch : pythonObject([...branch].map(([name, inner]) => [name, jsonOf(inner)] as const))
