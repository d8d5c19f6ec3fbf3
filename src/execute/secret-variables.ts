import type { Experiment } from '../define/experiment.ts'
import { AssayError } from '../util/errors.ts'
import { isJsonObject, type Json } from '../util/json.ts'

/**
 * Names of variables whose values are keys or passwords. Not every name with TOKEN in it: TOKENIZERS_PARALLELISM is no
 * secret.
 */
const secretVariable = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i

/** Stands for a value that each machine takes from its own environment. No text written by hand begins with it. */
const mark = '\u0001variable/'

/** The experiment without the keys and passwords of its programs, for a server that others can read. */
export function withoutSecrets(experiment: Experiment): Experiment {
  const target: Experiment['target'] = JSON.parse(JSON.stringify(experiment.target, hiding))
  return { ...experiment, target }
}

function hiding(key: string, value: Json): Json {
  if (key !== 'env' || !isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isSecret(name, one) ? mark + name : one]))
}

/** A value assembled when a run starts, such as `${envvar:API_KEY}`, reveals nothing. */
const isSecret = (name: string, value: Json): boolean =>
  secretVariable.test(name) && typeof value === 'string' && value !== '' && !value.includes('{')

/** The same experiment with the values from this machine's environment. */
export function withOwnSecrets(experiment: Experiment): Experiment {
  const target: Experiment['target'] = JSON.parse(JSON.stringify(experiment.target), (_, value: Json) =>
    typeof value === 'string' && value.startsWith(mark) ? valueHere(value.slice(mark.length)) : value,
  )
  return { ...experiment, target }
}

function valueHere(name: string): string {
  const value = process.env[name]
  if (value !== undefined) return value
  const message = `${name} in the experiment looks like a secret and is not sent: set it in the environment of this worker`
  throw new AssayError('usage', message)
}
