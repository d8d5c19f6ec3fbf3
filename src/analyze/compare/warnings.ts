import type { Evidence } from '../../plan/evidence.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import { type Arm, levelsIn } from '../arms.ts'
import type { Reading } from '../reading.ts'
import type { Samples } from '../samples.ts'

interface Compared {
  readonly evidence: Evidence
  readonly control: Arm
  readonly candidate: Arm
  readonly reading: Reading
  readonly samples: Samples
}

/** What a careful reader would ask about. */
export function warningsFor(compared: Compared): readonly string[] {
  return [
    ...otherDifferences(compared),
    ...codeDifferences(compared),
    ...capacityDifferences(compared),
    ...averagedOver(compared),
    ...droppedRuns(compared),
    ...goalUnknown(compared),
  ]
}

/** The arms differ in something besides what is compared: the difference may come from that. */
function otherDifferences({ evidence, control, candidate }: Compared): readonly string[] {
  const compared = new Set([...Object.keys(control.levels), ...Object.keys(candidate.levels)])
  const names = new Set([...evidence.runs.flatMap(run => Object.keys(run.params)), ...evidence.factors])
  return [...names]
    .filter(name => !compared.has(name) && name !== 'experiment')
    .flatMap(name => {
      const ours = texts(control, name)
      const theirs = texts(candidate, name)
      return canonicalJson(ours) === canonicalJson(theirs)
        ? []
        : [
            `the arms also differ in ${name}: ${control.label} has ${short(ours)}, ${candidate.label} has ${short(theirs)}`,
          ]
    })
}

function codeDifferences({ control, candidate }: Compared): readonly string[] {
  const versions = (arm: Arm) => [...new Set(arm.runs.map(run => run.code))].toSorted()
  const all = [...new Set([...versions(control), ...versions(candidate)])].filter(code => code !== null)
  const isSame = canonicalJson(versions(control)) === canonicalJson(versions(candidate))
  const warnings = isSame ? [] : [`the arms were run with different versions of the code: ${short(all)}`]
  if (all.some(code => code.endsWith('+'))) warnings.push('some runs were made with changes that were not committed')
  return warnings
}

const capacityMetrics = ['parameters', 'params', 'n_parameters', 'num_parameters', 'flops', 'FLOPs']

/** More capacity may be all that made the difference. */
function capacityDifferences({ control, candidate }: Compared): readonly string[] {
  return capacityMetrics.flatMap(metric => {
    const mean = (arm: Arm) => {
      const values = arm.runs.flatMap(run => run.metrics[metric] ?? [])
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
    }
    const ours = mean(control)
    const theirs = mean(candidate)
    if (ours === null || theirs === null || Math.abs(theirs - ours) <= 0.01 * Math.abs(ours)) return []
    const percent = Math.round((theirs / ours - 1) * 100)
    return [
      `the arms differ in capacity: ${candidate.label} has ${percent > 0 ? '+' : ''}${percent} % ${metric} (${theirs} against ${ours})`,
    ]
  })
}

function averagedOver({ evidence, control, samples }: Compared): readonly string[] {
  const others = (samples.pairedBy ?? []).filter(
    name => evidence.factors.includes(name) && levelsIn(control.runs, name).length > 1,
  )
  return others.length === 0
    ? []
    : [`the difference is averaged over ${others.join(', ')}: --filter looks at one level alone`]
}

function droppedRuns({ samples, control, candidate }: Compared): readonly string[] {
  const { dropped } = samples
  const arms = [
    { label: control.label, runs: dropped.control },
    { label: candidate.label, runs: dropped.candidate },
  ]
  const missing = arms.flatMap(({ label, runs }) => {
    if (runs.length === 0) return []
    const reasons = Object.entries(Object.groupBy(runs, run => run.reason)).map(
      ([reason, of]) => `${of?.length} ${reason}`,
    )
    return [`${runs.length} of ${label}'s runs have no value: ${reasons.join(', ')}`]
  })
  if (dropped.unmatched.length === 0) return missing
  return [...missing, `${dropped.unmatched.length} without a partner: ${short(dropped.unmatched)}`]
}

const goalUnknown = ({ reading }: Compared): readonly string[] =>
  reading.isGoalKnown
    ? []
    : [`nobody said whether more ${reading.metric} is better: it is taken to be (--goal minimize says otherwise)`]

const texts = (arm: Arm, name: string): readonly string[] =>
  levelsIn(arm.runs, name)
    .map(level => (typeof level === 'string' ? level : canonicalJson(level)))
    .toSorted()

const short = (all: readonly string[]): string =>
  all.length <= 4 ? all.join(', ') : `${all.slice(0, 4).join(', ')} and ${all.length - 4} more`
