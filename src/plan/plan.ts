import type { Experiment, Needs, NeedsRule } from '../define/experiment.ts'
import type { Run } from '../define/run.ts'
import type { Problem } from '../define/target.ts'
import { AssayError, messageOf } from '../util/errors.ts'
import { canonicalJson } from '../util/json.ts'
import { partProblems, problemAt } from './check-parts.ts'
import { compileExpression } from './expression/compile.ts'
import { countsVariants, inTrials, trialSize } from './identity.ts'
import { withIdleNotes } from './idle-parts.ts'
import { type PlanPart, planPart } from './plan-part.ts'
import { type Planner, type PlannerOptions, type PlannerTools, plannedRuns, type Selection } from './planner.ts'
import { grid } from './planners/grid.ts'
import { methodOf } from './planners/registry.ts'
import { blocksOf } from './runs/blocks.ts'
import { planOf, runMaker } from './runs/plan.ts'
import { checkPlaceholders, checkTemplateNames } from './runs/template-names.ts'
import { checkSpace } from './search/space/check-space.ts'
import { spaceOf } from './search/space/space.ts'
import { untilTarget } from './search/until-target.ts'
import { fieldsOf, scopeOf } from './select/filter.ts'
import { selecting } from './select/selecting.ts'
import { rulesOf } from './variants/rules.ts'

/** The runs of an experiment that are known before any is executed, one by one: a million need no memory. */
export const planRuns = (experiment: Experiment, options: PlannerOptions): Iterable<Run> =>
  plannedRuns(plannerFor(experiment, options))

/** The planner of an experiment, proposing only what is selected. */
export function plannerFor(experiment: Experiment, options: PlannerOptions): Planner {
  return countsVariants(experiment) ? trialPlanner(experiment, options) : runPlanner(experiment, options)
}

/** `max_runs` and `--first` count variants, so the method handles both, and neither cuts a trial in two. */
function trialPlanner(experiment: Experiment, { selection, ...options }: PlannerOptions): Planner {
  const { first } = selection
  const { max_runs } = experiment.search ?? { max_runs: null }
  const most = first === null ? max_runs : Math.min(first, max_runs ?? first)
  const search = experiment.search && { ...experiment.search, max_runs: most }
  return inTrials(runPlanner({ ...experiment, search }, { ...options, selection: { ...selection, first: null } }))
}

function runPlanner(experiment: Experiment, options: PlannerOptions): Planner {
  const part = planPart(experiment)
  const { search } = part
  const method = methodOf(search?.method ?? 'grid', experiment)
  const { selection } = options
  if (method !== grid) refuseParts(selection, method.method)
  const most = method === grid && !countsVariants(part) ? (search?.max_runs ?? null) : null
  const first = most === null ? selection.first : Math.min(most, selection.first ?? most)
  const planner = method.make(part, options, toolsFor(part, options))
  return untilTarget(selecting(planner, { ...selection, first }, part), search, trialSize(part))
}

/** The size of an experiment's whole plan, if its variants can be listed. */
export function planSize(experiment: Experiment, { order, seed }: PlannerOptions): PlanSize {
  const { count, variants, cells } = planOf(experiment, order, seed)
  return { runs: count, variants, cells }
}

interface PlanSize {
  readonly runs: number
  readonly variants: number
  /** Combinations of a variant and a block. */
  readonly cells: number
}

function toolsFor(part: PlanPart, { order, seed }: PlannerOptions): PlannerTools {
  return {
    listed: () => planOf(part, order, seed),
    runOf({ params, ablation = null, block = {}, replicate = 1 }) {
      const space = spaceOf(part)
      const point = space.pointOf({ params: { ...part.params, ...params }, ablation })
      const blocks = blocksOf(part)
      const wanted = canonicalJson(block)
      const at = Array.from({ length: blocks.count }, (_, index) => index).find(
        index => blocks.at(index).json === wanted || (blocks.count === 1 && wanted === '{}'),
      )
      if (point === null || at === undefined) return null
      // A proposal has no position in a list: it is numbered as it comes.
      return runMaker(part)(space.variantAt(point), blocks.at(at), replicate, { variant: 0, run: replicate })
    },
  }
}

/** A search that never hears about a part of its proposals would wait for them, or propose them for ever. */
function refuseParts({ filters, shard }: Selection, method: string): void {
  if (filters.length === 0 && shard === null) return
  throw new AssayError(
    'usage',
    `${filters.length > 0 ? '--filter' : '--shard'} can't be used with a ${method} search`,
    {
      hint: 'Narrow the space with `constraints`, or share the work with `assay worker`.',
    },
  )
}

/** Everything that makes it impossible to plan an experiment, with the place in the configuration. */
export function checkPlan(experiment: Experiment): readonly Problem[] {
  const problems: Problem[] = [...partProblems(experiment)]
  rulesOf(experiment, error => problems.push(problemOf(error)))
  problems.push(...needsProblems(experiment))
  if (problems.length > 0) return problems
  try {
    // Finds problems that only show when the variants are enumerated: none is left, or values can't be compared.
    if (experiment.search !== undefined && experiment.search.method !== 'grid') return checkSearchSpace(experiment)
    const plan = planOf(experiment, 'listed', 0)
    checkTemplateNames(experiment, plan)
    return []
  } catch (error) {
    return [problemOf(error)]
  }
}

/**
 * The check before an experiment is run: throws what makes planning impossible, or returns the experiment with a note
 * on each part without effect.
 */
export function checkedPlan(
  experiment: Experiment,
  noteAt?: (part: Problem) => string,
): { readonly problems: readonly Problem[]; readonly experiment: Experiment } {
  const problems = checkPlan(experiment)
  return { problems, experiment: problems.length > 0 ? experiment : withIdleNotes(experiment, noteAt) }
}

/** For a search, names by a template can't all be checked, but unknown names in it can. */
function checkSearchSpace(experiment: Experiment): readonly Problem[] {
  const { naming } = experiment
  if ('template' in naming) checkPlaceholders(experiment, naming.template)
  checkSpace(experiment)
  return []
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof AssayError) || error.code !== 'config') throw error
  const path = Array.isArray(error.facts.path) ? error.facts.path.filter(isStep) : []
  return problemAt(path, error.message, error.hint)
}

const isStep = (step: unknown): step is string | number => typeof step === 'string' || typeof step === 'number'

/** What a run needs of its machine; undefined: any machine will do. */
export type NeedsOf = (run: Run) => Needs | undefined

/** By the first rule that applies to a run. */
export function needsFor(experiment: Experiment): NeedsOf {
  const rules = needsRulesOf(experiment)
  const [only] = rules
  if (only === undefined) return () => undefined
  const fields = fieldsOf(planPart(experiment))
  const tests = rules.map(({ when, ...needed }) => ({
    needed,
    applies: when === null ? () => true : compileExpression(when, fields).test,
  }))
  return run => tests.find(({ applies }) => applies(scopeOf(run)) === true)?.needed
}

/** All needs that runs may have, each once; undefined among them: some may need nothing. */
export function differentNeeds(experiment: Experiment): readonly (Needs | undefined)[] {
  const rules = needsRulesOf(experiment)
  const [end = rules.length] = rules.flatMap(({ when }, at) => (when === null ? [at + 1] : []))
  const all = rules.slice(0, end).map(({ when: _, ...needed }) => needed)
  const isComplete = rules.some(({ when }) => when === null)
  const byText = new Map([...all, ...(isComplete ? [] : [undefined])].map(needed => [JSON.stringify(needed), needed]))
  return [...byText.values()]
}

function needsProblems(experiment: Experiment): readonly Problem[] {
  const fields = fieldsOf(planPart(experiment))
  return needsRulesOf(experiment).flatMap(({ when }, at) => {
    try {
      if (when !== null) compileExpression(when, fields)
      return []
    } catch (error) {
      const hint = error instanceof AssayError ? error.hint : undefined
      return [{ path: ['needs', at, 'when'], message: messageOf(error), ...(hint != null && { hint }) }]
    }
  })
}

function needsRulesOf({ needs }: Experiment): readonly NeedsRule[] {
  if (needs === undefined) return []
  return 'cpu' in needs ? [{ ...needs, when: null }] : needs
}
