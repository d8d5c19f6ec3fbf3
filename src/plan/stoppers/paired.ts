import type { EarlyStop } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import { signEvidence } from '../../stats/index.ts'
import { canonicalJson } from '../../util/json.ts'
import { type Goal, lossesOf, type SeriesSoFar, type Stopper } from '../stopper.ts'

type Paired = Extract<EarlyStop, { type: 'paired' }>

/**
 * Steps are instances (tasks, questions, games), and the value at a step is its score. A run is compared with each
 * complete run of its block on the instances that both have. It is stopped when it was worse on so many of them that a
 * run as good as all of those would be stopped at most with probability `alpha`, however often it is checked. For the
 * comparison with the best of k complete runs, whose scores are partly luck, the evidence must be k times as strong.
 * By signs: on how many instances a run is worse, not by how much. For yes/no scores that is all the information.
 */
export function paired({ alpha }: Paired, goal: Goal): Stopper {
  return (running, all) => {
    const complete = all.filter(({ isComplete }) => isComplete).map(series => curveOf(series, goal))
    return running.flatMap(series => {
      const own = curveOf(series, goal)
      const rivals = complete.filter(({ block }) => block === own.block)
      const needed = rivals.length / alpha
      const against = strongest(own, rivals)
      if (against === null || against.evidence < needed) return []
      const { rival, worse, better, evidence } = against
      const facts = `worse than ${rival.run.name} on ${worse} instances and better on ${better}`
      const odds = `evidence ${Number(evidence.toPrecision(3))}, ${Math.ceil(needed)} are needed`
      return [{ run: series.run.name, reason: `paired: ${facts} (${odds})` }]
    })
  }
}

interface Curve {
  readonly run: Run
  /** Runs of one block have the same instances. */
  readonly block: string
  readonly losses: ReadonlyMap<number, number>
}

function curveOf(series: SeriesSoFar, goal: Goal): Curve {
  const losses = lossesOf(series, goal)
  return {
    run: series.run,
    block: canonicalJson(series.run.block),
    losses: new Map(series.steps.map((step, index) => [step, losses[index] ?? Number.NaN])),
  }
}

interface Against {
  readonly rival: Curve
  readonly worse: number
  readonly better: number
  readonly evidence: number
}

function strongest(own: Curve, rivals: readonly Curve[]): Against | null {
  return rivals
    .map((rival): Against => {
      let worse = 0
      let better = 0
      for (const [step, loss] of own.losses) {
        const other = rival.losses.get(step)
        if (other === undefined) continue
        if (loss > other) worse++
        if (loss < other) better++
      }
      return { rival, worse, better, evidence: signEvidence(worse, better) }
    })
    .reduce<Against | null>((one, other) => (one === null || other.evidence > one.evidence ? other : one), null)
}
