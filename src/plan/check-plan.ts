import type { Experiment, Factor } from '../define/experiment.ts'
import type { Problem } from '../define/target.ts'
import { AssayError } from '../util/errors.ts'
import { isAscending } from '../util/json.ts'
import { suggest } from '../util/suggest.ts'
import { withIdleNotes } from './idle-parts.ts'
import { cellProblems } from './runs/cells.ts'
import { planOf } from './runs/plan.ts'
import { checkPlaceholders, checkTemplateNames } from './runs/template-names.ts'
import { checkSpace } from './search/space/check-space.ts'
import { rulesOf, variantNames } from './variants/rules.ts'

/** Everything that keeps an experiment from being planned, with the place in the configuration. */
export function checkPlan(experiment: Experiment): readonly Problem[] {
  const structure = [
    ...factorProblems(experiment),
    ...zipProblems(experiment),
    ...ablationProblems(experiment),
    ...blockProblems(experiment),
    ...entryProblems(experiment),
    ...cellProblems(experiment),
  ]
  const problems: Problem[] = [...structure]
  rulesOf(experiment, error => problems.push(problemOf(error)))
  if (problems.length > 0) return problems
  try {
    // Finds what only shows when the variants are gone through: nothing left, or values that cannot be compared.
    if (experiment.search !== undefined && experiment.search.method !== 'grid') return checkSearchSpace(experiment)
    const plan = planOf(experiment, 'listed', 0)
    checkTemplateNames(experiment, plan)
    return []
  } catch (error) {
    return [problemOf(error)]
  }
}

/**
 * The same before an experiment is run: what keeps it from being planned, or the experiment with a note on each part that
 * has no effect.
 */
export function checkedPlan(
  experiment: Experiment,
  noteAt?: (part: Problem) => string,
): { readonly problems: readonly Problem[]; readonly experiment: Experiment } {
  const problems = checkPlan(experiment)
  return { problems, experiment: problems.length > 0 ? experiment : withIdleNotes(experiment, noteAt) }
}

/** Names by a template can't be checked for all of a search, but that they name something can. */
function checkSearchSpace(experiment: Experiment): readonly Problem[] {
  const { naming } = experiment
  if ('template' in naming) checkPlaceholders(experiment, naming.template)
  checkSpace(experiment)
  return []
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof AssayError) || error.code !== 'config') throw error
  const path = Array.isArray(error.facts.path) ? error.facts.path.filter(isStep) : []
  return problem(path, error.message, error.hint)
}

const isStep = (step: unknown): step is string | number => typeof step === 'string' || typeof step === 'number'

const problem = (path: Problem['path'], message: string, hint?: string): Problem =>
  hint === undefined ? { path, message } : { path, message, hint }

function factorProblems({ factors, zip }: Experiment): readonly Problem[] {
  const located = [
    ...factors.map(factor => ({ ...factor, path: ['factors', factor.name] })),
    ...zip.flatMap((group, index) => group.map(factor => ({ ...factor, path: ['zip', index, factor.name] }))),
  ]
  return located.flatMap(({ name, levels, domain, path }, index) => [
    ...(levels.length === 0 && domain === undefined
      ? [problem(path, `the factor ${name} has no levels`, 'List at least one.')]
      : []),
    ...(name === 'ablation'
      ? [problem(path, 'a factor cannot be called ablation', 'Use `ablations`, or another name.')]
      : []),
    ...(located.findIndex(other => other.name === name) < index
      ? [problem(path, `there are two factors called ${name}`)]
      : []),
  ])
}

function zipProblems({ zip }: Experiment): readonly Problem[] {
  const lengths = (group: readonly Factor[]) => new Set(group.map(({ levels }) => levels.length))
  return zip.flatMap((group, index) =>
    lengths(group).size <= 1
      ? []
      : [
          problem(
            ['zip', index],
            `zipped factors need equally many levels, got ${group.map(({ name, levels }) => `${name}: ${levels.length}`).join(', ')}`,
          ),
        ],
  )
}

function ablationProblems({ ablations }: Experiment): readonly Problem[] {
  return ablations.flatMap(({ name }, index) =>
    ablations.findIndex(other => other.name === name) < index
      ? [problem(['ablations', index, 'name'], `there are two ablations called ${name}`)]
      : [],
  )
}

function blockProblems({ blocks }: Experiment): readonly Problem[] {
  return blocks.flatMap(({ name, levels }) => [
    ...(levels.length === 0 ? [problem(['blocks', name], `the block ${name} has no levels`)] : []),
    ...(!isAscending(levels) && new Set(levels.map(level => JSON.stringify(level))).size < levels.length
      ? [problem(['blocks', name], `the block ${name} lists a level twice`, 'For repetitions use `replicates`.')]
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
        return problem(
          ['exclude', index, name],
          `there is no parameter ${name}`,
          close === null ? undefined : `Did you mean ${close}?`,
        )
      }),
  )
  const empty = experiment.include.flatMap((entry, index) =>
    Object.entries(entry)
      .filter(([, value]) => Array.isArray(value) && value.length === 0)
      .map(([name]) => problem(['include', index, name], `the list for ${name} is empty, so nothing is included`)),
  )
  const ablations = experiment.ablations.map(({ name }) => name)
  const unknownAblations = (['include', 'exclude'] as const).flatMap(part =>
    experiment[part].flatMap((entry, index) =>
      [entry.ablation ?? []]
        .flat()
        .filter(name => !ablations.some(known => known === name))
        .map(name =>
          problem(
            [part, index, 'ablation'],
            `there is no ablation ${String(name)}`,
            `There are: ${ablations.join(', ') || 'none'}.`,
          ),
        ),
    ),
  )
  return [...unknown, ...empty, ...unknownAblations]
}
