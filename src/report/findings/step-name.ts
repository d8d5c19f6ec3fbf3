import type { ExperimentFacts } from '../dataset/dataset.ts'

/** What the steps of a series are, in a word: singular, and plural. */
export interface StepName {
  readonly one: string
  readonly many: string
}

const steps: StepName = { one: 'step', many: 'steps' }
const turns: StepName = { one: 'turn', many: 'turns' }
const calls: StepName = { one: 'call', many: 'calls' }

/** A scenario reports its metrics turn by turn, and its cost call by call. */
export function stepNameOf(experiments: readonly Pick<ExperimentFacts, 'definition'>[], metric: string): StepName {
  const isScenario =
    experiments.length > 0 && experiments.every(({ definition }) => definition?.target.kind === 'scenario')
  if (!isScenario) return steps
  return metric === 'cost_usd' ? calls : turns
}

/** Steps that are counted have no tick at 2.5. */
export const stepAxis = (name: StepName): { readonly stepLabel?: string; readonly isCount?: boolean } =>
  name.one === steps.one ? {} : { stepLabel: name.one, isCount: true }
