import { join } from 'node:path'
import { knownMetrics, type RunRecord } from '../../define/observation.ts'
import { readRegular } from '../../util/files.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import type { UnmetAssert } from '../dataset/dataset.ts'

/** Characters of reasons in the whole file, and of one. */
const mostOfAll = 1_000_000
const mostOfOne = 600

const answerFile = 'out/answer.json'
const answerText = 'out/answer.txt'

/** Characters of answers in the whole file, and of one; if room is short, only of those that did not pass. */
const mostAnswers = 500_000
const longestAnswer = 1500
const shortestAnswer = 100

/** For each run that did not pass, the asserts that its answer did not satisfy. */
export function unmetOf(
  runs: readonly Pick<RunRecord, 'outcome' | 'metrics'>[],
  folders: readonly (string | null)[],
): readonly (readonly UnmetAssert[])[] {
  let room = mostOfAll
  return runs.map((run, at) => {
    const folder = folders[at] ?? null
    if (folder === null || room <= 0 || !isUnmet(run)) return []
    const unmet = unmetIn(readRegular(join(folder, answerFile)))
    room -= unmet.reduce((sum, { reason }) => sum + reason.length, 0)
    return unmet
  })
}

/** The answer to each run's prompt, its beginning and end. */
export function answersOf(
  runs: readonly Pick<RunRecord, 'outcome' | 'metrics'>[],
  folders: readonly (string | null)[],
): readonly (string | null)[] {
  const isJudged = ({ metrics }: Pick<RunRecord, 'metrics'>) => metrics[knownMetrics.passed] !== undefined
  const judged = runs.filter(isJudged).length
  const isAll = judged * shortestAnswer <= mostAnswers
  const shown = isAll ? judged : runs.filter(isUnmet).length
  const most = Math.max(shortestAnswer, Math.min(longestAnswer, Math.floor(mostAnswers / Math.max(1, shown))))
  let room = mostAnswers
  return runs.map((run, at) => {
    const folder = folders[at] ?? null
    if (folder === null || room <= 0 || !isJudged(run) || !(isAll || isUnmet(run))) return null
    const text = readRegular(join(folder, answerText))?.trim() ?? null
    if (text === null) return null
    const kept = text.length <= most ? text : `${text.slice(0, most - 41)}\n…\n${text.slice(-38)}`
    room -= kept.length
    return kept
  })
}

const isUnmet = ({ outcome, metrics }: Pick<RunRecord, 'outcome' | 'metrics'>): boolean =>
  outcome?.kind === 'completed' && (metrics[knownMetrics.passed] ?? 1) < 1

function unmetIn(text: string | null): readonly UnmetAssert[] {
  if (text === null) return []
  try {
    const facts: Json = JSON.parse(text)
    return isJsonObject(facts) ? unmetAmong(facts.asserts) : []
  } catch {
    // A truncated file says nothing; that the run did not pass is known anyway.
    return []
  }
}

/** For a set, those in it. */
function unmetAmong(asserts: Json | undefined): readonly UnmetAssert[] {
  if (!Array.isArray(asserts)) return []
  return asserts.flatMap(one => {
    if (!isJsonObject(one) || one.passed !== false || one.weight === 0) return []
    const inner = unmetAmong(one.asserts)
    if (inner.length > 0) return inner
    const reason = typeof one.reason === 'string' ? one.reason : ''
    return [
      { type: String(one.type), reason: reason.length <= mostOfOne ? reason : `${reason.slice(0, mostOfOne - 1)}…` },
    ]
  })
}
