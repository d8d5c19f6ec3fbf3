import * as z from 'zod'
import { type Experiment, searchMethods } from '../../define/experiment.ts'
import { ownParts } from '../../define/own-modules.ts'
import { AssayError } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import type { Planner, PlannerMethod } from '../planner.ts'
import { bayes } from './bayes.ts'
import { grid } from './grid.ts'
import { random } from './random.ts'
import { sobol } from './sobol.ts'
import { tpe } from './tpe.ts'

/** A new method is a file, and a line here. */
const methods: Readonly<Record<(typeof searchMethods)[number], PlannerMethod>> = { grid, random, sobol, bayes, tpe }

/** By name: one of the above, or one that the experiment brings. */
export function methodOf(name: string, experiment: Experiment): PlannerMethod {
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

const ownMethod = z.lazy(() => z.object({ make: z.custom<PlannerMethod['make']>() }))

const functions = ['start', 'tell', 'ask', 'count', 'certain'] as const

/** A user's own planner is checked once, before anything relies on it. */
function checked(planner: Planner, name: string): Planner {
  const missing = functions.filter(one => typeof planner?.[one] !== 'function')
  if (missing.length === 0 && typeof planner.learns === 'boolean') return withPlainState(planner)
  const wrong = missing.length === 0 ? 'its "learns" is neither true nor false' : `it has no ${missing.join(', ')}`
  throw new AssayError('config', `make() of the planner "${name}" must give a planner: ${wrong}`)
}

/**
 * The same planner, given a copy of its state each time, as if read from the journal: a planner that mutates its state,
 * or keeps things in it that JSON can't express, would otherwise propose other runs after a restart.
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
