import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import type { PlanPart } from '../plan-part.ts'
import type { Planner, Proposal } from '../planner.ts'
import { pointKey } from './space/point.ts'
import type { Point, Space } from './space/space.ts'
import { variantRunsOf } from './variant-runs.ts'

/** Points in a fixed order; some may be forbidden or repeated. */
export interface Sequence {
  /** null: a constraint forbids it. */
  at(index: number): Point | null
  /** How many there are; Infinity if there is no end. */
  readonly length: number
  why(index: number): string
}

/**
 * A planner that follows a sequence of points, whatever the results: each point once, in all its blocks and replicates.
 * Runs executed before this plan was made count.
 */
export function sequencePlanner(experiment: PlanPart, space: Space, sequence: Sequence): Planner {
  const runs = variantRunsOf(experiment)
  const variants = Math.min(space.listed?.count ?? Number.POSITIVE_INFINITY, runs.mostVariants)
  const count = variants === Number.POSITIVE_INFINITY ? null : variants * runs.count
  const met = meetings(sequence)

  return {
    learns: false,
    start: (known = []) => {
      const points = known.flatMap(run => (runs.indexOf(run) < 0 ? [] : [space.pointOf(run)])).filter(isPoint)
      return save({ known: unique(points), made: 0, run: runs.count, next: 0, open: null, why: '' })
    },
    tell: state => state,
    ask(state, wanted) {
      let now = load(state)
      const proposals: Proposal[] = []
      const earlier = new Set(now.known.map(pointKey))
      while (proposals.length < wanted) {
        if (now.run >= runs.count) {
          const further = now.made < variants ? nextVariant(now, earlier) : null
          if (further === null) break
          now = further
        }
        const { open, run, why } = now
        if (open === null) break
        proposals.push({ run: runs.at(space.variantAt(open), run), why })
        now = { ...now, run: run + 1 }
      }
      return proposals.length === 0 && wanted > 0 ? 'done' : { state: save(now), runs: proposals }
    },
    count: () => count,
    certain: () => count ?? mostForeseen,
    keeps: run => runs.indexOf(run) >= 0 && space.pointOf(run) !== null,
  }

  function nextVariant(now: Progress, earlier: ReadonlySet<string>): Progress | null {
    const { known, made } = now
    const before = known[made]
    if (before !== undefined) return { ...now, made: made + 1, run: 0, open: before, why: 'it was begun before' }
    const keys = met(now.next)
    const end = Math.min(sequence.length, now.next + patience)
    for (let index = now.next; index < end; index++) {
      const point = sequence.at(index)
      if (point === null || keys.has(pointKey(point)) || earlier.has(pointKey(point))) continue
      return { ...now, made: made + 1, run: 0, next: index + 1, open: point, why: sequence.why(index) }
    }
    return null
  }
}

/** How far an endless search is listed. */
const mostForeseen = 10_000

/** After this many consecutive forbidden or known points, there are hardly any others. */
const patience = 100_000

interface Progress {
  /** The points that existed when this plan was made; they come first. */
  readonly known: readonly Point[]
  /** Variants begun so far. */
  readonly made: number
  /** How many runs of the current variant were proposed. */
  readonly run: number
  readonly open: Point | null
  readonly why: string
  /** The next index of the sequence. */
  readonly next: number
}

/** The points before an index. They follow from the sequence, so they are recomputed instead of stored. */
function meetings(sequence: Sequence): (end: number) => ReadonlySet<string> {
  let keys = new Set<string>()
  let walked = 0
  return end => {
    if (end < walked) {
      keys = new Set()
      walked = 0
    }
    for (; walked < end; walked++) {
      const point = sequence.at(walked)
      if (point !== null) keys.add(pointKey(point))
    }
    return keys
  }
}

const unique = (points: readonly Point[]): readonly Point[] => [
  ...new Map(points.map(point => [pointKey(point), point])).values(),
]

const isPoint = (point: Point | null): point is Point => point !== null

const save = (progress: Progress): Json => ({ ...progress })

function load(state: Json): Progress {
  if (isJsonObject(state) && Array.isArray(state.known) && typeof state.next === 'number')
    return state as unknown as Progress
  throw new AssayError('internal', `the planner was given a state that is not its own: ${JSON.stringify(state)}`)
}
