import { type Evidence, type Observation, partialText } from '../../define/observation.ts'
import { largestOf, smallestOf } from '../../util/collections.ts'
import { counted, listed, plural, shortCommit, unitWord } from '../../util/words.ts'
import { levelsIn } from '../arms.ts'
import { cellsOfValues, unitBlock } from '../units/crossing.ts'
import type { ClusteredRuns } from './clustered.ts'

/** Other causes of differences between runs, besides chance. */
export function warningsFor(
  evidence: Evidence,
  runs: readonly Observation[],
  metric: string,
  clusters: ClusteredRuns,
): readonly string[] {
  const partial = partialText(evidence)
  return [
    ...(partial === null ? [] : [partial]),
    ...(clusters.unit === 'run' ? severalBlocks(evidence, runs) : averaged(runs, clusters)),
    ...codeVersions(runs),
    ...unequalLengths(runs, metric),
  ]
}

function severalBlocks({ blocks }: Evidence, runs: readonly Observation[]): readonly string[] {
  const varying = blocks.filter(block => levelsIn(runs, block).length > 1)
  const outer = unitBlock(runs, varying)
  // With a single block, each level is a repetition.
  if (outer === undefined || varying.length === 1) return []
  return [
    `the runs differ in ${varying.join(' and ')}: what differs between ${plural(unitWord(outer))} counts as variation between runs (--filter looks at one alone)`,
  ]
}

/** Runs of one unit are similar: each counted for itself, they would make mean and CV look better known than they are. */
function averaged(runs: readonly Observation[], { unit, units, unitOf, inside }: ClusteredRuns): readonly string[] {
  const word = unitWord(unit)
  const recurring = inside.flatMap(({ block, levels }) => {
    const cells = cellsOfValues(
      runs.map(() => 0),
      unitOf,
      levels,
    )
    return cells === null ? [] : [plural(unitWord(block))]
  })
  const others = listed(recurring)
  const shared =
    recurring.length > 0
      ? `. The same ${others} recur in the ${plural(word)} and may shift them alike: the interval and the standard error of the mean allow for other ${others}, the CV applies to these ${others} only`
      : ''
  return [
    `${counted(runs.length, 'run')} of ${counted(units.length, word)} count as ${counted(units.length, word)}, each by the mean of its runs, as in comparisons (--filter looks at one alone, --pair-by none counts every run for itself)${shared}`,
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
