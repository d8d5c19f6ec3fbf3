import { join } from 'node:path'
import { knownMetrics, type RunRecord } from '../../define/observation.ts'
import { readRegular } from '../../util/files.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import type { UnmetAssert } from '../dataset/dataset.ts'

/** Characters of reasons in the whole file, and of one. */
const mostOfAll = 1_000_000
const mostOfOne = 600

const answerFile = 'out/answer.json'

/** Of each run that did not pass, what its answer was held to and did not meet. */
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

const isUnmet = ({ outcome, metrics }: Pick<RunRecord, 'outcome' | 'metrics'>): boolean =>
  outcome?.kind === 'completed' && (metrics[knownMetrics.passed] ?? 1) < 1

function unmetIn(text: string | null): readonly UnmetAssert[] {
  if (text === null) return []
  try {
    const facts: Json = JSON.parse(text)
    return isJsonObject(facts) ? unmetAmong(facts.asserts) : []
  } catch {
    // A file that was cut off says nothing; that the run did not pass is known all the same.
    return []
  }
}

/** Of a set, those in it. */
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
