import { parse } from 'yaml'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { isJsonObject, type Json } from '../../../util/json.ts'
import type { Places } from '../cases/read-cases.ts'
import { isFile, readData } from '../read-files.ts'
import { type Assertion, assertion, isCode, isSet, type OneAssert, typeOf } from './assert-schema.ts'
import type { JudgeSpec, RubricPrompt } from './judge-schema.ts'
import { rubricPrompt } from './judge-schema.ts'

/** Asserts with everything that they name by `file://` read in, so that an experiment is whole without its files. */
export const readAsserts = (all: readonly Assertion[], places: Places): readonly Assertion[] =>
  all.map(one =>
    isSet(one) ? { ...one, assert: one.assert.map(inner => readAssert(inner, places)) } : readAssert(one, places),
  )

function readAssert(written: OneAssert, places: Places): OneAssert {
  const judge = written.judge === undefined ? {} : { judge: readJudge(written.judge, places) }
  const prompt =
    written.rubricPrompt === undefined ? {} : { rubricPrompt: readRubricPrompt(written.rubricPrompt, places) }
  const read = { ...written, ...judge, ...prompt }
  if (isCode(written) || written.value === undefined) return read
  const value = readValue(written, places)
  if (value === written.value) return read
  const parsed = assertion.safeParse({ ...read, value })
  if (parsed.success && !isSet(parsed.data)) return parsed.data
  throw new AssayError('config', `${written.type}: ${parsed.error?.issues[0]?.message ?? 'not valid'}`)
}

function readValue(written: OneAssert, places: Places): Json {
  const value = written.value ?? null
  const read = Array.isArray(value) ? value.map(item => fileValue(item, places)) : fileValue(value, places)
  const isSchema = /^(is|contains)-json$/.test(typeOf(written).type)
  return isSchema && typeof read === 'string' ? schemaIn(read) : read
}

const fileValue = (value: Json, places: Places): Json =>
  typeof value === 'string' && isFile(value) ? readData(value, places) : value

/** A schema as text, in JSON or YAML. */
function schemaIn(text: string): Json {
  try {
    const value: Json = parse(text)
    if (isJsonObject(value)) return value
    throw new Error(`got ${JSON.stringify(value)}`)
  } catch (error) {
    throw new AssayError('config', `is-json takes a JSON Schema as value: ${messageOf(error)}`)
  }
}

/** A judge whose prompt is in a file. */
export function readJudge(judge: JudgeSpec, places: Places): JudgeSpec {
  if (typeof judge === 'string' || Array.isArray(judge) || judge.prompt === undefined) return judge
  return { ...judge, prompt: readRubricPrompt(judge.prompt, places) }
}

export function readRubricPrompt(written: RubricPrompt, places: Places): RubricPrompt {
  if (typeof written !== 'string' || !isFile(written)) return written
  const read = rubricPrompt.safeParse(readData(written, places))
  if (read.success) return read.data
  throw new AssayError('config', `${written}: ${read.error.issues[0]?.message ?? 'not a prompt'}`)
}
