import type { Experiment, Factor } from '../define/experiment.ts'
import type { Problem } from '../define/target.ts'
import { isAscending } from '../util/json.ts'
import { suggest } from '../util/suggest.ts'
import { cellProblems } from './runs/cells.ts'
import { variantNames } from './variants/rules.ts'

/** Problems of the parts of an experiment that make its plan, each checked by itself. */
export function partProblems(experiment: Experiment): readonly Problem[] {
  return [
    ...factorProblems(experiment),
    ...zipProblems(experiment),
    ...ablationProblems(experiment),
    ...blockProblems(experiment),
    ...entryProblems(experiment),
    ...cellProblems(experiment),
  ]
}

export const problemAt = (path: Problem['path'], message: string, hint?: string): Problem =>
  hint === undefined ? { path, message } : { path, message, hint }

function factorProblems({ factors, zip }: Experiment): readonly Problem[] {
  const located = [
    ...factors.map(factor => ({ ...factor, path: ['factors', factor.name] })),
    ...zip.flatMap((group, index) => group.map(factor => ({ ...factor, path: ['zip', index, factor.name] }))),
  ]
  return located.flatMap(({ name, levels, domain, path }, index) => [
    ...(levels.length === 0 && domain === undefined
      ? [problemAt(path, `the factor ${name} has no levels`, 'List at least one.')]
      : []),
    ...(name === 'ablation'
      ? [problemAt(path, 'a factor cannot be called ablation', 'Use `ablations`, or another name.')]
      : []),
    ...(located.findIndex(other => other.name === name) < index
      ? [problemAt(path, `there are two factors called ${name}`)]
      : []),
  ])
}

function zipProblems({ zip }: Experiment): readonly Problem[] {
  const lengths = (group: readonly Factor[]) => new Set(group.map(({ levels }) => levels.length))
  return zip.flatMap((group, index) =>
    lengths(group).size <= 1
      ? []
      : [
          problemAt(
            ['zip', index],
            `zipped factors need equally many levels, got ${group.map(({ name, levels }) => `${name}: ${levels.length}`).join(', ')}`,
          ),
        ],
  )
}

function ablationProblems({ ablations }: Experiment): readonly Problem[] {
  return ablations.flatMap(({ name }, index) =>
    ablations.findIndex(other => other.name === name) < index
      ? [problemAt(['ablations', index, 'name'], `there are two ablations called ${name}`)]
      : [],
  )
}

function blockProblems({ blocks }: Experiment): readonly Problem[] {
  return blocks.flatMap(({ name, levels }) => [
    ...(levels.length === 0 ? [problemAt(['blocks', name], `the block ${name} has no levels`)] : []),
    ...(!isAscending(levels) && new Set(levels.map(level => JSON.stringify(level))).size < levels.length
      ? [problemAt(['blocks', name], `the block ${name} lists a level twice`, 'For repetitions use `replicates`.')]
      : []),
  ])
}

/** Names in `exclude` that exist nowhere exclude nothing; `include` may bring new parameters, but no empty lists. */
function entryProblems(experiment: Experiment): readonly Problem[] {
  const names = variantNames(experiment)
  const unknown = experiment.exclude.flatMap((entry, index) =>
    Object.keys(entry)
      .filter(name => !names.has(name))
      .map(name => {
        const close = suggest(name, names)
        return problemAt(
          ['exclude', index, name],
          `there is no parameter ${name}`,
          close === null ? undefined : `Did you mean ${close}?`,
        )
      }),
  )
  const empty = experiment.include.flatMap((entry, index) =>
    Object.entries(entry)
      .filter(([, value]) => Array.isArray(value) && value.length === 0)
      .map(([name]) => problemAt(['include', index, name], `the list for ${name} is empty, so nothing is included`)),
  )
  const ablations = experiment.ablations.map(({ name }) => name)
  const unknownAblations = (['include', 'exclude'] as const).flatMap(part =>
    experiment[part].flatMap((entry, index) =>
      [entry.ablation ?? []]
        .flat()
        .filter(name => !ablations.some(known => known === name))
        .map(name =>
          problemAt(
            [part, index, 'ablation'],
            `there is no ablation ${String(name)}`,
            `There are: ${ablations.join(', ') || 'none'}.`,
          ),
        ),
    ),
  )
  return [...unknown, ...empty, ...unknownAblations]
}
