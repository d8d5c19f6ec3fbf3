import type { Experiment } from '../../define/experiment.ts'

/** A word for the steps of a series: singular, and plural. */
export interface StepName {
  readonly one: string
  readonly many: string
}

const steps: StepName = { one: 'step', many: 'steps' }
const turns: StepName = { one: 'turn', many: 'turns' }
const calls: StepName = { one: 'call', many: 'calls' }

/** What an experiment runs; null: it is a table. */
export interface Defined {
  readonly definition: Pick<Experiment, 'target'> | null
}

export const isOfScenario = ({ definition }: Defined): boolean => definition?.target.kind === 'scenario'

/** A scenario reports its metrics per turn, and its cost per call. */
export function stepNameOf(experiments: readonly Defined[], metric: string): StepName {
  if (experiments.length === 0 || !experiments.every(isOfScenario)) return steps
  return metric === 'cost_usd' ? calls : turns
}

/** Counted steps have no tick at 2.5. */
export const stepAxis = (name: StepName): { readonly stepLabel?: string; readonly isCount?: boolean } =>
  name.one === steps.one ? {} : { stepLabel: name.one, isCount: true }
