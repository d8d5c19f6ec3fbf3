import { type Evidence, type Observation, partialText } from '../../define/observation.ts'
import { largestOf, smallestOf } from '../../util/collections.ts'
import { counted, plural, shortCommit, unitWord } from '../../util/words.ts'
import { levelsIn } from '../arms.ts'
import { unitBlock } from '../units/crossing.ts'

/** Other causes of differences between runs, besides chance. */
export function warningsFor(evidence: Evidence, runs: readonly Observation[], metric: string): readonly string[] {
  const partial = partialText(evidence)
  return [
    ...(partial === null ? [] : [partial]),
    ...severalBlocks(evidence, runs),
    ...codeVersions(runs),
    ...unequalLengths(runs, metric),
  ]
}

function severalBlocks({ blocks }: Evidence, runs: readonly Observation[]): readonly string[] {
  const varying = blocks.filter(block => levelsIn(runs, block).length > 1)
  const outer = unitBlock(runs, varying)
  // With a single block, each level is a repetition, unless it has several runs.
  if (outer === undefined || (varying.length === 1 && levelsIn(runs, outer).length === runs.length)) return []
  const units = levelsIn(runs, outer).length
  const alike =
    units === runs.length
      ? ''
      : `, and ${runs.length} runs of ${counted(units, unitWord(outer))} are not ${runs.length} independent ones: mean and CV are known less well than these intervals say`
  return [
    `the runs differ in ${varying.join(' and ')}: what differs between ${plural(unitWord(outer))} counts as variation between runs${alike} (--filter looks at one alone)`,
  ]
}

function codeVersions(runs: readonly Observation[]): readonly string[] {
  const versions = [...new Set(runs.flatMap(({ code }) => (code === null ? [] : [shortCommit(code)])))]
  return versions.length < 2 ? [] : [`the runs were made with different versions of the code: ${versions.join(', ')}`]
}

/** A share of the points of a shorter run covers another part of training. */
function unequalLengths(runs: readonly Observation[], metric: string): readonly string[] {
  const ends = runs.flatMap(run => run.series.find(series => series.metric === metric)?.steps.at(-1) ?? [])
  const shortest = smallestOf(ends)
  const longest = largestOf(ends)
  return ends.length === 0 || shortest === longest
    ? []
    : [`the runs are not equally long: they end at steps ${shortest} to ${longest}, so their windows differ`]
}
