import type { LoadContext } from './dialects/dialect.ts'
import type { Experiment } from './experiment.ts'
import { levelsOfName } from './levels.ts'
import type { Problem } from './target.ts'

/** The experiment with everything that its target reads from files and adds by itself; written settings take precedence. */
export function completed(
  experiment: Experiment,
  { targets, cwd }: Pick<LoadContext, 'targets' | 'cwd'>,
): { readonly whole: Experiment; readonly problems: readonly Problem[] } {
  const { target: spec, factors, zip, params, blocks, metrics } = experiment
  const target = targets.find(({ kind }) => kind === spec.kind)
  if (target?.complete === undefined) return { whole: experiment, problems: [] }
  const added = target.complete(target.schema.parse(spec), {
    factors: [...factors, ...zip.flat()].map(({ name }) => name),
    params,
    blocks,
    metrics,
    models: experiment.models ?? {},
    levelsOf: name => levelsOfName(name, experiment),
    folder: experiment.folder,
    cwd,
  })
  const whole = {
    ...experiment,
    target: added.spec,
    factors: [...added.factors, ...factors],
    blocks: [...added.blocks, ...blocks],
    metrics: [...metrics, ...added.metrics],
    ...(Object.keys(added.contents).length > 0 && { contents: added.contents }),
  }
  return { whole, problems: added.problems }
}
