import { levelKey } from '../../analyze/arms.ts'
import { knownMetrics, levelOf, type Observation } from '../../define/observation.ts'
import { canonicalJson } from '../../util/json.ts'
import { levelsText, levelText } from '../../util/words.ts'
import type { Dataset, UnmetAssert } from '../dataset/dataset.ts'
import { armsBy, filtered, type View, varyingFactors } from './view.ts'

/** Which runs passed. */
export interface PassFindings {
  readonly passed: number
  readonly judged: number
  /** The share that must pass, if the experiment requires one. */
  readonly required: number | null
  /** In the order in which levels were written; the others are compared with the first. */
  readonly arms: readonly { readonly arm: string; readonly passed: number; readonly judged: number }[]
  /** Pairs of runs of which one passed: the baseline's and another arm's. */
  readonly flips: readonly Flip[]
  /** Runs that did not pass. */
  readonly failing: readonly {
    readonly run: string
    readonly arm: string
    readonly about: string
    readonly why: string
  }[]
}

export interface Flip {
  readonly about: string
  readonly baseline: string
  readonly candidate: string
  /** Whether the candidate passes where the baseline fails. */
  readonly passes: boolean
  /** Why the one that fails does. */
  readonly why: string
}

/** null: no run reports whether it passed. */
export function passFindingsOf(dataset: Dataset, view: View): PassFindings | null {
  const unmet = new Map(dataset.evidence.runs.map((run, at) => [run, dataset.folders[at]?.unmet ?? []]))
  const evidence = filtered(dataset.evidence, view.filter)
  const judged = evidence.runs.flatMap(run => {
    const value = run.outcome.kind === 'completed' ? run.metrics[knownMetrics.passed] : undefined
    return value === undefined ? [] : [{ run, passes: value >= 1, unmet: unmet.get(run) ?? [] }]
  })
  if (judged.length === 0) return null
  const shown = varyingFactors(evidence).filter(factor => !view.group.includes(factor))
  const arms = view.group.length === 0 ? [] : armsBy(evidence, view.group)
  const armKey = (run: Observation) => canonicalJson(view.group.map(factor => levelOf(run, factor) ?? null))
  const keyed = Map.groupBy(judged, ({ run }) => armKey(run))
  const named = arms.map(levels => ({
    arm: levelsText(levels),
    isBaseline: view.group.every(
      factor => levelKey(levels[factor] ?? null) === levelKey(view.baseline[factor] ?? null),
    ),
    runs: keyed.get(canonicalJson(view.group.map(factor => levels[factor] ?? null))) ?? [],
  }))
  const ordered = named.toSorted((a, b) => Number(b.isBaseline) - Number(a.isBaseline))
  const [baseline, ...others] = ordered
  const nameOf = new Map(named.flatMap(({ arm, runs }) => runs.map(({ run }) => [run, arm] as const)))
  // With several experiments, the others are of interest: the baseline is the earlier state.
  const before = new Set(view.group.includes('experiment') && baseline?.isBaseline ? baseline.runs : [])
  const after = judged.filter(one => !before.has(one))
  const asked = after.length === 0 ? judged : after
  return {
    passed: asked.filter(({ passes }) => passes).length,
    judged: asked.length,
    required: requiredIn(dataset),
    arms: ordered.map(({ arm, runs }) => ({
      arm,
      passed: runs.filter(({ passes }) => passes).length,
      judged: runs.length,
    })),
    flips: baseline?.isBaseline ? others.flatMap(other => flipsBetween(baseline, other, view, shown)) : [],
    failing: asked
      .filter(({ passes }) => !passes)
      .map(one => ({
        run: one.run.name,
        arm: nameOf.get(one.run) ?? '',
        about: aboutOf(one.run, shown),
        why: whyOf(one.unmet),
      })),
  }
}

interface Judged {
  readonly run: Observation
  readonly passes: boolean
  readonly unmet: readonly UnmetAssert[]
}
interface ArmRuns {
  readonly arm: string
  readonly runs: readonly Judged[]
}

const requiredIn = ({ experiments }: Dataset): number | null =>
  experiments.map(({ definition }) => definition?.analysis?.require?.pass ?? null).find(pass => pass !== null) ?? null

/** Runs that are the same in everything but the arm. */
function flipsBetween(baseline: ArmRuns, other: ArmRuns, view: View, shown: readonly string[]): readonly Flip[] {
  const before = new Map(baseline.runs.map(one => [pairKey(one.run, view), one]))
  return other.runs.flatMap(after => {
    const was = before.get(pairKey(after.run, view))
    if (was === undefined || was.passes === after.passes) return []
    const why = whyOf((after.passes ? was : after).unmet)
    return [
      { about: aboutOf(after.run, shown), baseline: baseline.arm, candidate: other.arm, passes: after.passes, why },
    ]
  })
}

const pairKey = ({ source, params, block, replicate }: Observation, { group }: View): string =>
  canonicalJson({
    ...(group.includes('experiment') ? {} : { source }),
    params: Object.fromEntries(Object.entries(params).filter(([name]) => !group.includes(name))),
    block,
    replicate,
  })

/** The subject of a run besides its arm: the case, and other factors and repetitions if there are any. */
function aboutOf({ params, block, replicate }: Observation, shown: readonly string[]): string {
  const others = Object.entries(params).filter(([name]) => shown.includes(name) && !Object.hasOwn(block, name))
  const parts = [
    ...Object.values(block).map(levelText),
    ...others.map(([name, level]) => `${name}=${levelText(level)}`),
    ...(replicate > 1 ? [`repetition ${replicate}`] : []),
  ]
  return parts.join(', ')
}

const whyOf = (unmet: readonly UnmetAssert[]): string =>
  unmet.map(({ type, reason }) => (reason === '' ? type : `${type}: ${reason}`)).join('; ')
