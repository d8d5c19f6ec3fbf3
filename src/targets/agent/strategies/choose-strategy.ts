import * as z from 'zod'
import { ownForm } from '../../../define/own-modules.ts'
import { resolvePath } from '../../../define/read-files.ts'
import { AssayError } from '../../../util/errors.ts'
import { readRegular } from '../../../util/files.ts'
import { sha256 } from '../../../util/hash.ts'
import type { JsonObject } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { checkedStrategy } from './checked-strategy.ts'
import {
  builtInStrategy,
  erased,
  isBuiltIn,
  type StrategyChoice,
  settingNames,
  strategyNames,
  strategySettings,
} from './registry.ts'
import type { Strategy } from './strategy.ts'

// Types of a strategy.
export type { History, Next, Strategy, SummaryRequest, TurnPlace } from './strategy.ts'

/** A user's own strategy, as a module exports it. */
export interface OwnStrategy<S = unknown> {
  readonly name: string
  /** `params`: all parameters of the run. Throws if it can't use them. */
  make(params: JsonObject): Strategy<S>
}

/** The strategy that a run's parameters name, with its settings; or their problems, by the parameter's name. */
export function chooseStrategy(
  params: JsonObject,
  places: { readonly folder: string; readonly cwd: string },
): StrategyChoice {
  const name = params.strategy ?? 'raw'
  if (typeof name !== 'string') return wrong('strategy', 'expected the name of a strategy')
  if (isModule(name)) return ownStrategy(name, params, places)
  if (!isBuiltIn(name)) {
    const hint = didYouMean(name, strategyNames) ?? `or the path of a module: ./my-strategy.ts`
    return wrong('strategy', `there is no strategy "${name}"; known: ${strategyNames.join(', ')} (${hint})`)
  }
  return builtInStrategy(name, params)
}

/** Parameters that belong to other strategies: they have no effect, so that variants would only seem to differ. */
export function idleSettings(params: JsonObject): readonly string[] {
  const name = params.strategy ?? 'raw'
  if (typeof name !== 'string' || !isBuiltIn(name)) return []
  const used: readonly string[] = strategySettings[name]
  return settingNames.filter(setting => setting in params && !used.includes(setting))
}

/** `./mine.ts` names a module; a name alone is one of assay's. */
export const isModule = (name: string): boolean => /\.[cm]?[jt]s$/.test(name)

/** Of the file's content; null: there is no such file. */
export function moduleDigest(path: string, places: { readonly folder: string; readonly cwd: string }): string | null {
  const text = readRegular(resolvePath(path, places))
  return text === null ? null : sha256(text).slice(0, 16)
}

const isOwn = z.custom<OwnStrategy>()
const isStrategy = z.custom<Strategy>(
  value =>
    typeof value === 'object' &&
    value !== null &&
    ['start', 'next'].every(key => typeof Reflect.get(value, key) === 'function'),
)

function ownStrategy(path: string, params: JsonObject, places: Parameters<typeof chooseStrategy>[1]): StrategyChoice {
  try {
    const [part] = ownForm({ what: 'a context strategy', name: 'name', functions: ['make'] }, path, places)
    const made = isStrategy.safeParse(isOwn.parse(part?.exported).make(params))
    if (!made.success)
      return wrong('strategy', `make() of ${path} returned no strategy: expected { name, start, next }`)
    const { name } = made.data
    const called = typeof name === 'string' && name !== '' ? name : (part?.name ?? path)
    return { strategy: erased(checkedStrategy(made.data, called, path)), settings: {} }
  } catch (error) {
    if (error instanceof AssayError) return wrong('strategy', error.message)
    return wrong('strategy', `${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const wrong = (name: string, message: string): StrategyChoice => ({ problems: [{ name, message }] })
