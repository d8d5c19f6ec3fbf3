import type { Experiment } from '../../define/experiment.ts'
import type { ModelSetting, ModelSettings } from '../../define/models/model-settings.ts'
import { sha256 } from '../../util/hash.ts'
import { canonicalJson, isJsonObject, type Json } from '../../util/json.ts'
import { type Preset, presets, providerNamed } from './known-names.ts'

/** A setting that may name several providers. */
export type FullSetting = Omit<ModelSetting, 'provider' | 'like'> & {
  readonly provider?: string | readonly string[] | undefined
}

/** All settings of a name: from the presets, from the user, and from the model given by `like`. */
export function settingOf(name: string, settings: ModelSettings, seen: readonly string[] = []): FullSetting | null {
  const own = Object.hasOwn(settings, name) ? settings[name] : undefined
  const preset: Preset | undefined = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (own === undefined && preset === undefined) return null
  const like = own?.like !== undefined && !seen.includes(own.like) ? own.like : undefined
  const base = like === undefined ? null : { model: like, ...settingOf(like, settings, [...seen, name]) }
  const { like: _, ...written } = own ?? {}
  return { ...base, ...preset, ...given(written) }
}

/** The settings that affect answers: the part of a model that belongs to the identity of a run. Prices don't. */
export function behaviourOf(name: string, settings: ModelSettings): Behaviour {
  const {
    address: _address,
    key: _key,
    stream: _stream,
    timeout_ms: _timeout,
    price: _price,
    latency: _latency,
    plans,
    ...behaviour
  } = settingOf(name, settings) ?? {}
  return plans === undefined ? behaviour : { ...behaviour, plans: digestOfPlans(plans) }
}

/** Long plans are named by a digest, which is computed once and not for each call. */
type Behaviour = Omit<FullSetting, NotBehaviour | 'plans'> & { readonly plans?: string | undefined }

const planDigests = new WeakMap<object, string>()

function digestOfPlans(plans: NonNullable<FullSetting['plans']>): string {
  const known = planDigests.get(plans) ?? digestOf(plans)
  planDigests.set(plans, known)
  return known
}

/** Digests of the user's model settings, as far as they change answers; assay's own knowledge is no reason to ask again. */
export const behaviourDigests = (settings: ModelSettings): { readonly [model: string]: string } =>
  Object.fromEntries(Object.keys(settings).map(name => [name, digestOf(behaviourOf(name, settings))]))

// Plain data all through; undefined is absent.
const digestOf = (data: object): string => sha256(canonicalJson(JSON.parse(JSON.stringify(data)))).slice(0, 16)

/** Whether a text names a model, as far as this can be determined locally: by settings, preset or provider. */
export const isModelName = (name: string, settings: ModelSettings): boolean =>
  settingOf(name, settings) !== null || (/^[^/]+\/./.test(name) && providerNamed(name.split('/')[0] ?? '') !== null)

type NotBehaviour = 'address' | 'key' | 'stream' | 'timeout_ms' | 'price' | 'latency'

/** Open settings override nothing. */
const given = <T extends object>(written: T): Partial<T> =>
  // Object.entries forgets which keys there are.
  Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined)) as Partial<T>

/** The models that an experiment names, in order of appearance: every key that is known to contain a model. */
export function modelsIn({ models, target, params, factors, zip, include, ablations }: NamingParts): readonly string[] {
  const named = [...factors, ...zip.flat()].filter(({ name }) => isModelKey(name)).flatMap(({ levels }) => levels)
  const written = [target, params, ...include, ...ablations.map(({ set }) => set)].flatMap(part => modelsUnder(part))
  const all = [...textsIn(named), ...written, ...Object.keys(models ?? {})]
  return [...new Set(all)].filter(name => name !== 'same')
}

type NamingParts = Pick<Experiment, 'models' | 'target' | 'params' | 'factors' | 'zip' | 'include' | 'ablations'>

/** `model`, `models`, `summarizer_model`, `summarizer-model`, `judge`. */
const isModelKey = (key: string): boolean => /(^|[_.-])(models?|judge)$/i.test(key)

function modelsUnder(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(modelsUnder)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => (isModelKey(key) ? textsIn(item) : modelsUnder(item)))
}

/** Placeholders such as `{model}` are filled in elsewhere. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return /[{}]/.test(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isJsonObject(value) ? modelsUnder(value) : []
}
