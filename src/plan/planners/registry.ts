import * as z from 'zod'
import { type Experiment, searchMethods } from '../../define/experiment.ts'
import { ownParts } from '../../define/own-modules.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson, type Json } from '../../util/json.ts'
import { type PlanPart, planPart } from '../plan-part.ts'
import type { Planner, PlannerMethod, PlannerOptions, PlannerTools, Selection } from '../planner.ts'
import { blocksOf } from '../runs/blocks.ts'
import { planOf, runMaker } from '../runs/plan.ts'
import { spaceOf } from '../search/space/space.ts'
import { untilTarget } from '../search/until-target.ts'
import { selecting } from '../select/selecting.ts'
import { countsVariants, inTrials, trialSize } from '../trial.ts'
import { bayes } from './bayes.ts'
import { grid } from './grid.ts'
import { random } from './random.ts'
import { sobol } from './sobol.ts'
import { tpe } from './tpe.ts'

/** A new method is a file, and a line here. */
const methods: Readonly<Record<(typeof searchMethods)[number], PlannerMethod>> = { grid, random, sobol, bayes, tpe }

/** The planner that an experiment asks for, proposing only what is selected. */
export function plannerFor(experiment: Experiment, options: PlannerOptions): Planner {
  return countsVariants(experiment) ? trialPlanner(experiment, options) : runPlanner(experiment, options)
}

/** `max_runs` and `--first` count variants, so that both are the method's business, and neither cuts a trial in two. */
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

/** How large the whole plan of an experiment is, where its variants can be listed. */
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

function methodOf(name: string, experiment: Experiment): PlannerMethod {
  const builtIn = searchMethods.find(method => method === name)
  if (builtIn !== undefined) return methods[builtIn]
  const own = ownParts('planners', experiment.planners, { folder: experiment.folder, cwd: process.cwd() })
  const found = own.find(part => part.name === name)
  if (found === undefined) throw new AssayError('config', `there is no planner "${name}"`)
  const { make } = ownMethod.parse(found.exported)
  return {
    method: name,
    make: (part, options, tools) => checked(make.call(found.exported, part, options, tools), name),
  }
}

const ownMethod = z.object({ make: z.custom<PlannerMethod['make']>() })

const functions = ['start', 'tell', 'ask', 'count', 'certain'] as const

/** A planner of the user's own is looked at once, before anything relies on it. */
function checked(planner: Planner, name: string): Planner {
  const missing = functions.filter(one => typeof planner?.[one] !== 'function')
  if (missing.length === 0 && typeof planner.learns === 'boolean') return withPlainState(planner)
  const wrong = missing.length === 0 ? 'its "learns" is neither true nor false' : `it has no ${missing.join(', ')}`
  throw new AssayError('config', `make() of the planner "${name}" must give a planner: ${wrong}`)
}

/**
 * The same planner, with a copy of its state each time, as the journal would give it: one that changes its state, or keeps
 * in it what JSON has not, would else propose other runs after a restart.
 */
function withPlainState(planner: Planner): Planner {
  const plain = (state: Json): Json => JSON.parse(JSON.stringify(state))
  return {
    learns: planner.learns,
    start: known => plain(planner.start(known)),
    tell: (state, news) => planner.tell(plain(state), news),
    ask(state, wanted) {
      const answer = planner.ask(plain(state), wanted)
      return typeof answer === 'string' ? answer : { ...answer, state: plain(answer.state) }
    },
    count: () => planner.count(),
    certain: () => planner.certain(),
    ...(planner.most && { most: () => planner.most?.() ?? null }),
    ...(planner.ending && { ending: state => planner.ending?.(plain(state)) ?? null }),
    ...(planner.keeps && { keeps: run => planner.keeps?.(run) === true }),
  }
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
      // A proposal has no place in a list: it is numbered as it comes.
      return runMaker(part)(space.variantAt(point), blocks.at(at), replicate, { variant: 0, run: replicate })
    },
  }
}

/** A search that is told nothing of a part of its proposals would wait for them, or propose them for ever. */
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
