import { closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRegular } from '../../../util/files.ts'
import { isJsonObject, type Json } from '../../../util/json.ts'
import { type TestResult, Unscored } from './score.ts'

/**
 * The rewards that the tests wrote to /logs/verifier: reward.json (an object of numbers) and reward.txt (one number,
 * called `reward`), either or both. Programs under test can write to this folder: only regular files are read.
 */
export function readRewards(folder: string): Readonly<Record<string, number>> {
  const json = textOf(folder, 'reward.json')
  const text = textOf(folder, 'reward.txt')
  if (json === null && text === null)
    throw new Unscored('reward_file_not_found', 'the tests wrote neither reward.txt nor reward.json to /logs/verifier')
  const rewards = { ...(text !== null && { reward: numberIn(text) }), ...(json !== null && numbersIn(json)) }
  if (Object.keys(rewards).length === 0)
    throw new Unscored('reward_file_empty', 'reward.json of the tests has no number in it')
  return rewards
}

function textOf(folder: string, name: string): string | null {
  const found = readSmall(folder, name)
  if (found === null) return null
  if ('problem' in found) throw new Unscored('reward_file_unreadable', `${name} of the tests ${found.problem}`)
  if (found.text.trim() === '') throw new Unscored('reward_file_empty', `${name} of the tests is empty`)
  return found.text
}

/** null: there is none. */
function readSmall(folder: string, name: string): { readonly text: string } | { readonly problem: string } | null {
  const opened = openRegular(join(folder, name), folder)
  if (opened === 'missing') return null
  if ('problem' in opened) return opened
  try {
    if (opened.size > mostBytes) return { problem: `has ${opened.size} bytes, and at most ${mostBytes} are read` }
    return { text: readFileSync(opened.descriptor, 'utf8') }
  } finally {
    closeSync(opened.descriptor)
  }
}

const mostBytes = 5_000_000

/** For files that may be missing or contain anything: a score does not depend on them. */
function jsonIn(folder: string, name: string): Json | undefined {
  const found = readSmall(folder, name)
  return found !== null && 'text' in found ? parsed(found.text) : undefined
}

function numberIn(text: string): number {
  const value = Number(text.trim())
  if (!Number.isFinite(value))
    throw new Unscored('reward_not_a_number', `reward.txt should hold one number, and holds ${brief(text)}`)
  return value
}

function numbersIn(text: string): Readonly<Record<string, number>> {
  const value = parsed(text)
  if (!isJsonObject(value))
    throw new Unscored('reward_not_a_number', `reward.json should hold an object of numbers, and holds ${brief(text)}`)
  const numbers = numbersOf(value)
  if (!Object.values(numbers).every(Number.isFinite))
    throw new Unscored('reward_not_a_number', `reward.json has a number that is not finite: ${brief(text)}`)
  return numbers
}

/** Booleans are not numbers, as in Harbor. */
const numbersOf = (value: { readonly [name: string]: Json }): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const brief = (text: string): string => JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 79)}…`)

/** Results test by test, where the tests wrote them: https://ctrf.io. */
export function readCtrf(folder: string): readonly TestResult[] {
  const value = jsonIn(folder, 'ctrf.json')
  const results = isJsonObject(value) ? value.results : undefined
  const tests = isJsonObject(results) ? results.tests : undefined
  if (!Array.isArray(tests)) return []
  return tests.filter(isJsonObject).flatMap(({ name, status, message, trace }): readonly TestResult[] => {
    if (typeof name !== 'string' || typeof status !== 'string') return []
    const output = [message, trace].filter(part => typeof part === 'string').join('\n')
    const isPassed = status === 'passed' || status === 'skipped'
    return [{ name, passed: isPassed, rubric: null, output: output === '' ? null : output }]
  })
}

/**
 * Further numbers measured by a task's own script, in metrics.json: flat, or under `custom_metrics` next to
 * `standard_metrics`. Anything that is not a number is left out.
 */
export function readOwnMetrics(folder: string): {
  readonly standard: Readonly<Record<string, number>>
  readonly custom: Readonly<Record<string, number>>
} {
  const value = jsonIn(folder, 'metrics.json')
  if (!isJsonObject(value)) return { standard: {}, custom: {} }
  const { standard_metrics: standard, custom_metrics: custom } = value
  if (!isJsonObject(standard) && !isJsonObject(custom)) return { standard: {}, custom: numbersOf(value) }
  return {
    standard: isJsonObject(standard) ? numbersOf(standard) : {},
    custom: isJsonObject(custom) ? numbersOf(custom) : {},
  }
}
