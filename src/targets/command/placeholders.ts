import type { Experiment, Naming } from '../../define/experiment.ts'
import { levelsOfName } from '../../define/levels.ts'
import type { Run } from '../../define/run.ts'
import { spell } from '../../define/spelling/spelling.ts'
import type { RunPlace } from '../../define/target.ts'
import { canonicalJson, isJsonObject, type Json } from '../../util/json.ts'

/** The value of a placeholder in a run; null if the parameter is absent from this variant. */
export function placeholderValue(name: string, run: Run, place: RunPlace, naming: Naming): string | null {
  const parameter = lookUp(run.params, name)
  if (parameter !== undefined) return spell(naming, name, parameter)
  // Replicates of one block have different seeds: the run's own seed counts, not the block's.
  if (name === 'seed' && Number.isInteger(run.block.seed)) return String(run.seed)
  const level = lookUp(run.block, name)
  if (level !== undefined) return spell(naming, name, level)
  return builtIns[name]?.(run, place) ?? null
}

const builtIns: { readonly [name: string]: (run: Run, place: RunPlace) => string } = {
  seed: run => String(run.seed),
  replicate: run => String(run.replicate),
  ablation: run => run.ablation ?? '',
  run_id: run => run.name,
  run_dir: (_, place) => place.run_dir,
  out_dir: (_, place) => place.out_dir,
  params_json: run => canonicalJson(run.params),
}

/** The whole name first, so that a parameter called `a.b` is found too. */
function lookUp(values: Json, name: string): Json | undefined {
  if (!isJsonObject(values)) return undefined
  if (Object.hasOwn(values, name)) return values[name]
  const dot = name.indexOf('.')
  if (dot < 0) return undefined
  const head = name.slice(0, dot)
  return Object.hasOwn(values, head) ? lookUp(values[head] ?? null, name.slice(dot + 1)) : undefined
}

/** Every name that a placeholder of this experiment may have, with all that is in objects. */
export function knownPlaceholders(experiment: Experiment): ReadonlySet<string> {
  const known = new Set([...Object.keys(builtIns), 'flags'])
  const addLevel = (name: string, level: Json): void => {
    known.add(name)
    if (isJsonObject(level)) for (const [key, inner] of Object.entries(level)) addLevel(`${name}.${key}`, inner)
  }
  const { params, factors, zip, include, ablations, blocks } = experiment
  const settings = [params, ...include, ...ablations.map(({ set }) => set)]
  const names = [...settings.flatMap(Object.keys), ...[...factors, ...zip.flat()].map(({ name }) => name)]
  for (const name of new Set(names)) {
    known.add(name)
    for (const level of levelsOfName(name, experiment)) addLevel(name, level)
  }
  for (const { name, levels } of blocks) {
    known.add(name)
    for (const level of levels) addLevel(name, level)
  }
  return known
}
