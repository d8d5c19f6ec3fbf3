import type { Experiment } from '../define/experiment.ts'
import { levelsIn, levelsOfName } from '../define/levels.ts'
import type { Problem } from '../define/target.ts'
import { canonicalJson, type Json, type JsonObject } from '../util/json.ts'
import { suggest } from '../util/suggest.ts'
import { listed } from '../util/words.ts'
import { compileExpression, type Expression } from './expression/compile.ts'
import { variantNames } from './variants/rules.ts'

/**
 * Parts that are valid and yet have no effect, so something else was probably meant; for experiments that can be
 * planned.
 */
export function idleParts(experiment: Experiment): readonly Problem[] {
  return [
    ...misplacedKeys(experiment),
    ...idleExclusions(experiment),
    ...idleConditions(experiment),
    ...idleAblations(experiment),
  ]
}

/** The experiment with a note on each of these: shown before it runs. */
export function withIdleNotes(experiment: Experiment, noteAt = lineOf): Experiment {
  const notes = idleParts(experiment).map(noteAt)
  return notes.length === 0 ? experiment : { ...experiment, notes: [...(experiment.notes ?? []), ...notes] }
}

const lineOf = ({ path, message }: Problem): string => `${path.join('.')}: ${message}`

/** In TOML everything after `[factors]` is a factor; in YAML everything indented like one. */
function* misplacedKeys({ factors }: Experiment): Generator<Problem> {
  for (const { name } of factors)
    if (keysOfExperiments.has(name))
      yield {
        path: ['factors', name],
        message: `is a factor here; "${name}" is also a key of the experiment, which belongs outside of factors`,
      }
}

const keysOfExperiments = new Set([
  ...['target', 'zip', 'include', 'exclude', 'ablations', 'constraints', 'seeds', 'blocks', 'replicates', 'search'],
  ...['limits', 'metrics', 'analysis', 'inputs', 'outputs', 'hooks', 'naming', 'out_root', 'directory'],
])

function* idleExclusions(experiment: Experiment): Generator<Problem> {
  for (const [index, entry] of experiment.exclude.entries())
    for (const [name, given] of Object.entries(entry)) {
      const levels = possibleLevels(name, experiment)
      if (levels === null) continue
      const known = new Set(levels.map(canonicalJson))
      if (levelsIn(given, levels).some(level => known.has(canonicalJson(level)))) continue
      const message = `removes nothing: "${name}" is never ${canonicalJson(given)}, only ${levelsText(levels)}`
      yield { path: ['exclude', index, name], message }
    }
}

function* idleConditions(experiment: Experiment): Generator<Problem> {
  const { factors, zip } = experiment
  const located = [
    ...factors.map(factor => ({ ...factor, path: ['factors', factor.name, 'when'] })),
    ...zip.flatMap((group, at) => group.map(factor => ({ ...factor, path: ['zip', at, factor.name, 'when'] }))),
  ]
  for (const { name, when, path } of located) {
    if (when === null) continue
    const expression = compileExpression(when, variantNames(experiment))
    const reads = [...expression.names].map(read => ({ read, levels: possibleLevels(read, experiment) }))
    const known = reads.flatMap(({ read, levels }) => (levels === null ? [] : [{ read, levels }]))
    if (known.length < reads.length || canHold(expression, known)) continue
    const because = known.map(({ read, levels }) => `"${read}" is ${levelsText(levels)}`).join(', ')
    yield { path, message: `is never true, so no variant has "${name}"${because && `: ${because}`}` }
  }
}

interface Read {
  readonly read: string
  readonly levels: readonly Json[]
}

/** With more combinations than this, the answer would take too long. */
const most = 10_000

/** Whether some combination of levels satisfies it, including levels that never occur together. */
function canHold({ test }: Expression, reads: readonly Read[]): boolean {
  if (reads.reduce((product, { levels }) => product * levels.length, 1) > most) return true
  const tryFrom = (at: number, scope: JsonObject): boolean => {
    const next = reads[at]
    if (next === undefined) return test(scope) === true
    return next.levels.some(level => tryFrom(at + 1, { ...scope, [next.read]: level }))
  }
  try {
    return tryFrom(0, {})
  } catch {
    // Levels that can't be compared need not occur together.
    return true
  }
}

function* idleAblations(experiment: Experiment): Generator<Problem> {
  const others = { ...experiment, ablations: [] }
  const known = variantNames(others)
  const target = JSON.stringify(experiment.target)
  const [baseline, ...doubles] = experiment.ablations.filter(
    ({ flags, set }) => flags.length + Object.keys(set).length === 0,
  )
  for (const { name } of doubles)
    yield {
      path: ['ablations', experiment.ablations.findIndex(one => one.name === name)],
      message: `changes nothing, as "${baseline?.name}" does: it has neither flags nor set`,
    }
  for (const [index, { flags, set }] of experiment.ablations.entries()) {
    for (const name of Object.keys(set).filter(one => !known.has(one) && !target.includes(`{${one}}`))) {
      const near = suggest(name, known)
      if (near === null) continue
      const message = `nothing else has a parameter "${name}"; did you mean "${near}"?`
      yield { path: ['ablations', index, 'set', name], message }
    }
    const sets = Object.entries(set)
    const isEqual = sets.every(([name, value]) => {
      const levels = possibleLevels(name, others)
      return levels?.every(level => canonicalJson(level) === canonicalJson(value)) ?? false
    })
    if (flags.length > 0 || sets.length === 0 || !isEqual) continue
    const same = sets.map(([name, value]) => `"${name}" is ${canonicalJson(value)}`).join(' and ')
    yield { path: ['ablations', index, 'set'], message: `changes nothing: ${same} in every variant` }
  }
}

/** The levels that a name may have in a variant, with null if it may be absent; null if there are infinitely many. */
function possibleLevels(name: string, experiment: Experiment): readonly Json[] | null {
  const { factors, zip, params, ablations } = experiment
  if (name === 'ablation') return ablations.length === 0 ? [null] : ablations.map(ablation => ablation.name)
  const factor = [...factors, ...zip.flat()].find(one => one.name === name)
  if (factor?.domain !== undefined && factor.levels.length === 0) return null
  const isEverywhere = factor === undefined ? params[name] !== undefined : factor.when === null
  const levels = [...levelsOfName(name, experiment), ...(isEverywhere ? [] : [null])]
  return [...new Map(levels.map(level => [canonicalJson(level), level])).values()]
}

const shown = 6

/** `1, 2 or "x"`; if there are many, the first ones. */
function levelsText(levels: readonly Json[]): string {
  const texts = levels.filter(level => level !== null).map(level => canonicalJson(level))
  return texts.length === 0 ? 'absent' : listed(texts, shown, 'or')
}
