import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Experiment } from '../../../define/experiment.ts'
import { limitChanges, nothingToSet } from '../../../define/limits.ts'
import { ownTargets } from '../../../define/own-modules.ts'
import { type BoundTarget, bindTarget } from '../../../define/target.ts'
import { setLimits } from '../../../engine/run-experiment.ts'
import { targets } from '../../../targets/registry.ts'
import type { JsonObject } from '../../../util/json.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeJson } from '../../io.ts'
import type { Options } from '../../options.ts'

export async function setCommand(words: readonly string[], options: Options, io: Io): Promise<number> {
  const isPlaceNamed = words[0] !== undefined && (!words[0].includes('=') || existsSync(resolve(io.cwd, words[0])))
  const texts = isPlaceNamed ? words.slice(1) : words
  if (texts.length === 0) throw nothingToSet()
  const dir = experimentDirArgument(isPlaceNamed ? words.slice(0, 1) : [], options, io)
  const limits = changeLimits(dir, texts)
  if (options.json) writeJson(io.stdout, { kind: 'set', dir, limits })
  else io.stdout.write(`set ${texts.join(' ')}: takes effect now, and in later calls that don't override it\n`)
  return 0
}

/** Puts these limits over the current ones; returns all that were ever set. */
export function changeLimits(dir: string, texts: readonly string[]): JsonObject {
  const changes = limitChanges(texts)
  return withJournal(dir, journal => setLimits(journal, { changes, bound: boundOf, now: Date.now() }))
}

/** Whether a budget is enforceable depends on the target. */
function boundOf(experiment: Experiment): BoundTarget['bound'] {
  const { kind } = experiment.target
  const target = [...targets, ...ownTargets(experiment, process.cwd())].find(one => one.kind === kind)
  return target === undefined ? () => 'unknown' as const : bindTarget(target, experiment).bound
}
