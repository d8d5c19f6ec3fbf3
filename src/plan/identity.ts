import { dialectNamed } from '../define/dialects/registry.ts'
import type { Experiment, Naming } from '../define/experiment.ts'
import type { Run } from '../define/run.ts'
import { sha256, sha256OfJson } from '../util/hash.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../util/json.ts'
import { joinSlugs, shortened, slugOf } from '../util/words.ts'
import { type PlanPart, planPart } from './plan-part.ts'
import type { Planner, PlannerOptions } from './planner.ts'

/** Identifies the plan: two definitions with the same hash have the same runs, in the same order. */
export function planHash(experiment: Experiment, options: PlannerOptions): string {
  const { name, dialect, seed, ...part } = planPart(experiment)
  // The name only belongs to the plan if a template makes runs' names of it. A seed that is also the planner's counts
  // once.
  const own = {
    ...(part.naming.kind === 'template' && { name }),
    ...(changesPlan(dialect) && part.naming.kind !== dialect && { dialect }),
    ...(seed !== options.seed && { seed }),
  }
  return sha256OfJson({ ...part, ...own, options })
}

/** Only a dialect with its own rules for names, order or spelling makes other runs from the same definition. */
function changesPlan(dialect: string): boolean {
  const { nameOf, order, spell, blocksAreParams } = dialectNamed(dialect)
  return [nameOf, order, spell, blocksAreParams].some(rule => rule !== undefined)
}

/** What a finished run depended on besides its key: if it changes, the run is stale. */
export interface Fingerprint {
  readonly hash: string
  /** What was hashed, kept so that a change can be explained. */
  readonly parts: JsonObject
}

/** `inputDigests`: the digest of each input's content, by the declared path. */
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

/** The part between the words that both lists begin with and those that both end with: `target.command[4..5] added: …`. */
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

const longestShown = 60

function brief(value: Json | undefined): string {
  const text = textOf(value)
  return text.length <= longestShown ? text : `${text.slice(0, longestShown - 3)}…`
}

/**
 * Long texts with the same beginning are shown from shortly before they differ: shortened at the end, they would look
 * the same.
 */
function fromTo(before: Json, after: Json): string {
  const [one, other] = [textOf(before), textOf(after)]
  if (one.length <= longestShown && other.length <= longestShown) return `${one} → ${other}`
  let alike = 0
  while (alike < one.length && one[alike] === other[alike]) alike++
  const from = Math.max(0, alike - 20)
  const shown = (text: string) => `${from > 0 ? '…' : ''}${brief(text.slice(from))}`
  return `${shown(one)} → ${shown(other)}`
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : canonicalJson(value ?? null))

/** A run's identity as canonical JSON, put together from parts that are already canonical. */
export function keyOf(parts: {
  readonly ablation: string | null
  readonly flags: readonly string[]
  readonly paramsJson: string
  readonly blockJson: string
  readonly replicate: number
  /** The contents that levels refer to; empty if their names say it all. */
  readonly contents: string
}): string {
  const { ablation, flags, paramsJson, blockJson, replicate, contents } = parts
  const name = ablation === null ? 'null' : JSON.stringify(ablation)
  const list = flags.length === 0 ? '[]' : JSON.stringify(flags)
  const text = `{"ablation":${name},"block":${blockJson},"flags":${list},"params":${paramsJson},"replicate":${replicate}${contents === '' ? '' : `,"contents":${contents}`}}`
  return sha256(text).slice(0, 32)
}

/** Directory and label: what varies, readable, and enough of the key to be unique. */
export function slugName(variantSlug: string, blockSlug: string, replicate: number | null, key: string): string {
  const rest = shortened(joinSlugs(blockSlug, replicate === null ? '' : `replicate-${replicate}`), longestName / 2)
  const slug = joinSlugs(shortened(variantSlug, longestName - rest.length), rest)
  return `${slug === '' ? 'run' : slug}__${key.slice(0, 12)}`
}

/** A length that people and file systems accept: many allow 255 bytes for a name, and tools append to it. */
const longestName = 80

type Named = Pick<Run, 'params' | 'block' | 'ablation' | 'replicate' | 'seed' | 'numbers'>

/**
 * The name that `naming: "{name}.{architecture}.seed{seed}"` gives a run; a parameter that does not apply is `none`.
 * `{@series}`, the name of the experiment's directory, is known once that is chosen: see {@link withSeries}.
 */
export function templateName(template: string, run: Named, { name }: Pick<PlanPart, 'name'>): string {
  const own: { readonly [name: string]: Json } = {
    name,
    seed: run.seed,
    replicate: run.replicate,
    ablation: run.ablation ?? 'none',
    ...run.block,
    ...run.params,
  }
  return template.replaceAll(placeholder, (_, key: string) => numberIn(key, run) ?? slugOf(own[key] ?? 'none'))
}

/**
 * `{variant:3}` is the number of the variant, `{run:3}` that of the run within it, with at least so many digits;
 * `{index:1}` is the place of the run among all of them, counted from 0.
 */
function numberIn(key: string, { numbers }: Named): string | null {
  const [, what, width] = numberKey.exec(key) ?? []
  if (width === undefined) return null
  const number = what === 'index' ? (numbers?.place ?? 1) - 1 : what === 'variant' ? numbers?.variant : numbers?.run
  return String(number ?? 0).padStart(Number(width), '0')
}

const numberKey = /^(variant|run|index):([1-9])$/

export const isNumber = (key: string): boolean => numberKey.test(key)

/** Whether names depend on the position in the plan: then the journal assigns them. */
export const isNumbered = (template: string): boolean => placeholdersOf(template).some(isNumber)

/** Whether names contain the position of a run among all of them. */
export const hasIndex = (template: string): boolean => placeholdersOf(template).some(key => /^index:/.test(key))

/** The words that a template may contain besides parameters and blocks. */
export const templateWords = ['name', 'seed', 'replicate', 'ablation'] as const

/** No parameter can have this name. */
export const seriesWord = '@series'

/** An experiment whose runs are named after its directory, once it has one. */
export function withSeries<T extends { readonly naming: Naming }>(experiment: T, series: string): T {
  const { naming } = experiment
  if (!('template' in naming) || !naming.template.includes(`{${seriesWord}}`)) return experiment
  const template = naming.template.replaceAll(`{${seriesWord}}`, slugOf(series))
  return { ...experiment, naming: { ...naming, template } }
}

export const placeholdersOf = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map(([, key = '']) => key)

const placeholder = /\{([^{}]*)\}/g

/** Whether a search counts variants, each over all its blocks and replicates, instead of runs. */
export const countsVariants = ({ search }: Pick<Experiment, 'search'>): boolean => search?.counts === 'variants'

/** The runs of one trial: a variant in all its blocks and replicates. */
export const trialSize = ({ blocks, replicates }: Pick<Experiment, 'blocks' | 'replicates'>): number =>
  blocks.reduce((product, { levels }) => product * levels.length, replicates)

/** Names a run's trial: its variant, without block and replicate. The same for a run and its record. */
export function trialOf({
  params,
  ablation,
  flags,
  block,
}: Pick<Run, 'params' | 'ablation' | 'flags' | 'block'>): string {
  // A record has the ablation among its parameters and no blocks there; in some dialects a run has it the other way
  // round.
  const own = Object.entries(params).filter(
    ([name, value]) => !(name in block) && !(name === 'ablation' && value === ablation),
  )
  return sha256(canonicalJson({ params: Object.fromEntries(own), ablation, flags: [...flags] })).slice(0, 16)
}

/** Any planner, with proposals that say which trial they belong to. */
export const inTrials = (inner: Planner): Planner => ({
  ...inner,
  ask(state, wanted) {
    const answer = inner.ask(state, wanted)
    if (typeof answer === 'string') return answer
    return { ...answer, runs: answer.runs.map(proposal => ({ ...proposal, trial: trialOf(proposal.run) })) }
  },
})
