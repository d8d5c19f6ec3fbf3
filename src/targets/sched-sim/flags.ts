import { AssayError } from '../../util/errors.ts'
import type { Json, JsonObject } from '../../util/json.ts'

/** `--disable_hedging --workflows 50` as parameters; an ablation's addition to a command line. */
export function paramsOfFlags(flags: readonly string[]): JsonObject {
  const params: { [name: string]: Json } = {}
  for (let at = 0; at < flags.length; at++) {
    const [, name = '', written] = /^--([\w-]+)(?:=(.*))?$/.exec(flags[at] ?? '') ?? []
    if (name === '') throw new AssayError('config', `expected a flag such as --disable_hedging, got "${flags[at]}"`)
    const next = flags[at + 1]
    const value = written ?? (next === undefined || next.startsWith('--') ? undefined : next)
    if (written === undefined && value !== undefined) at++
    params[name.replaceAll('-', '_')] = value === undefined ? true : parsedValue(value)
  }
  return params
}

function parsedValue(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? text : number
}

/** The same parameters as words of a command line. */
export function flagsOfParams(params: JsonObject): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    if (value === false || value === null) return []
    return value === true ? [`--${name}`] : [`--${name}`, String(value)]
  })
}
