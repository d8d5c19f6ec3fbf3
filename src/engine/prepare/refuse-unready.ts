import type { Limits } from '../../define/limits.ts'
import type { Run } from '../../define/run.ts'
import type { BoundTarget } from '../../define/target.ts'
import { planRuns } from '../../plan/plan.ts'
import { AssayError } from '../../util/errors.ts'
import type { RunRequest } from '../call.ts'

/** Reports once, before the first run, what would fail every run: a missing key, an unknown price. */
export async function refuseUnready(
  {
    experiment,
    target,
    spec,
    errorAt,
    plan,
    mode,
    executor,
  }: BoundTarget & Pick<RunRequest, 'errorAt' | 'plan' | 'executor'> & Partial<Pick<RunRequest, 'mode'>>,
  limits: Limits,
  /** Whether a run is done, by its key: done runs need nothing more. */
  isDone: (key: string) => boolean = () => false,
): Promise<void> {
  if (target.ready === undefined) return
  const runs = leftOf(planRuns(experiment, plan), isDone)
  const problems = await target.ready(spec, { ...experiment, limits }, runs, mode ?? 'run', executor.startsMachines)
  const [first] = problems
  if (first === undefined) return
  if (errorAt !== undefined) throw errorAt(problems)
  throw new AssayError('config', problems.map(({ message }) => message).join('\n'), {
    ...(first.hint !== undefined && { hint: first.hint }),
  })
}

function* leftOf(runs: Iterable<Run>, isDone: (key: string) => boolean): Generator<Run> {
  for (const run of runs) if (!isDone(run.key)) yield run
}
