import { type Evidence, type Observation, observed } from '../../define/observation.ts'
import type { Trajectory } from '../../models/trajectory/trajectory.ts'
import type { JsonObject } from '../../util/json.ts'
import { compareEvidence } from '../compare/compare.ts'
import type { Comparison } from '../compare/comparison.ts'
import { type CacheRule, cacheRuleOf, everyPrefix } from './cache-rule.ts'
import { calibrationOf, scaled } from './calibrate-sizes.ts'
import type { SizeOf } from './prompt-sizes.ts'
import { type Repriced, type Repricing, repriceTurns } from './reprice-turns.ts'

/** One way to price the recorded work: a strategy with a model. */
export interface RepriceArm extends Omit<Repricing, 'sizeOf' | 'overhead'> {
  readonly label: string
  /** The parameters that distinguish it from the others. */
  readonly params: JsonObject
}

/** Which tokens count as cached input: none, any shared beginning, or those that the provider caches, if known. */
export function cacheRuleFor(wanted: 'auto' | 'none' | 'prefix', provider: string): CacheRule {
  if (wanted === 'prefix') return everyPrefix
  return (wanted === 'auto' ? cacheRuleOf(provider) : null) ?? { kind: 'none' }
}

/** The model whose tokenizer counts. */
export interface CountingModel {
  readonly name: string
  readonly sizeOf: SizeOf
}

/** One trajectory under one arm. */
export interface RepriceRow {
  readonly instance: string
  readonly arm: string
  /** null: the model's price is unknown. */
  readonly cost_usd: number | null
  readonly summary_cost_usd: number | null
  readonly turns: number
  readonly summaries: number
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
  readonly longest_prompt: number
  readonly overflows_at: number | null
}

export interface ArmAnswer {
  readonly arm: string
  readonly params: JsonObject
  readonly instances: number
  readonly overflows: number
  readonly mean_turns: number
  readonly mean_cost_usd: number | null
  readonly ci: { readonly level: number; readonly low: number | null; readonly high: number | null } | null
  readonly mean_summary_cost_usd: number | null
  readonly mean_input_tokens: number
  readonly cached_share: number | null
  readonly longest_prompt: number
  /** Against the baseline, on the same instances; null: it is the baseline, or costs are unknown. */
  readonly comparison: Comparison | null
  /** From this turn on its total is lower than the baseline's; null: never, or it is the baseline. */
  readonly pays_from_turn: number | null
  /** Mean cost up to each turn over all instances; an instance that has ended keeps its cost. */
  readonly curve: readonly CurvePoint[]
}

export interface CurvePoint {
  readonly turn: number
  /** How many reached this turn. */
  readonly instances: number
  readonly mean_usd: number
}

/** Prices trajectories one after the other, keeping only sums and one row for each arm. */
export class RepriceStudy {
  readonly #arms: readonly RepriceArm[]
  readonly #rows: RepriceRow[] = []
  readonly #curves: readonly Sums[]
  /** Sums of the difference from the baseline, up to the turn that both have reached. */
  readonly #differences: readonly Sums[]
  #added = 0
  #calibrated = 0

  /** The first arm is the baseline. */
  constructor(arms: readonly RepriceArm[]) {
    this.#arms = arms
    this.#curves = arms.map(() => new Sums())
    this.#differences = arms.map(() => new Sums())
  }

  get rows(): readonly RepriceRow[] {
    return this.#rows
  }

  /** How many trajectories contain their provider's counts. */
  get calibrated(): number {
    return this.#calibrated
  }

  /** The same instance may come several times, from several rollouts: each counts. */
  add(trajectory: Trajectory, model: CountingModel): void {
    const { isCalibrated, ...sizing } = sizingOf(trajectory, model)
    this.#added++
    if (isCalibrated) this.#calibrated++
    let baseline: readonly number[] | null = null
    for (const [at, arm] of this.#arms.entries()) {
      const repriced = repriceTurns(trajectory, { ...arm, ...sizing })
      this.#rows.push(rowOf(trajectory.task ?? trajectory.id, arm.label, repriced))
      const costs = cumulative(repriced)
      baseline ??= costs ?? []
      if (costs === null) continue
      this.#curves[at]?.add(costs)
      const first = baseline
      this.#differences[at]?.add(costs.slice(0, first.length).map((cost, turn) => cost - (first[turn] ?? 0)))
    }
  }

  finish(): readonly ArmAnswer[] {
    const comparisons = this.#compared()
    return this.#arms.map((arm, at) => {
      const rows = this.#rows.filter(row => row.arm === arm.label)
      const comparison = comparisons.find(({ candidate }) => candidate === armName(arm)) ?? null
      const own = comparison?.arms.candidate ?? (at === 0 ? comparisons[0]?.arms.control : undefined)
      const input = sumOf(rows, row => row.input_tokens)
      return {
        arm: arm.label,
        params: arm.params,
        instances: rows.length,
        overflows: rows.filter(row => row.overflows_at !== null).length,
        mean_turns: meanOf(rows, row => row.turns) ?? 0,
        mean_cost_usd: meanOf(rows, row => row.cost_usd),
        ci: own?.ci ?? null,
        mean_summary_cost_usd: meanOf(rows, row => row.summary_cost_usd),
        mean_input_tokens: meanOf(rows, row => row.input_tokens) ?? 0,
        cached_share: input === 0 ? null : sumOf(rows, row => row.cached_input_tokens) / input,
        longest_prompt: rows.reduce((most, row) => Math.max(most, row.longest_prompt), 0),
        comparison,
        pays_from_turn: at === 0 ? null : paysFrom(this.#differences[at]?.means() ?? []),
        curve: (this.#curves[at]?.means() ?? []).map(({ mean, n }, turn) => ({
          turn: turn + 1,
          instances: n,
          mean_usd: mean,
        })),
      }
    })
  }

  /** As `assay compare` would compare them: paired by instance. */
  #compared(): readonly Comparison[] {
    const [baseline, ...others] = this.#arms
    const isPriced = this.#rows.every(row => row.cost_usd !== null)
    if (baseline === undefined || others.length === 0 || !isPriced || this.#added < 2) return []
    const { compared } = compareEvidence(evidenceOf(this.#rows, this.#arms), {
      metric: 'cost_usd',
      control: { arm: armName(baseline) },
      candidate: others.map(arm => ({ arm: armName(arm) })),
    })
    return compared.map(({ comparison }) => comparison)
  }
}

/** Sizes as the recording's provider counted them, if it says so; otherwise estimated, including its tools. */
function sizingOf(
  trajectory: Trajectory,
  { name, sizeOf }: CountingModel,
): Pick<Repricing, 'sizeOf' | 'overhead'> & { readonly isCalibrated: boolean } {
  const found = trajectory.agent.model === name ? calibrationOf(trajectory, sizeOf) : null
  if (found !== null) return { sizeOf: scaled(sizeOf, found.scale), overhead: found.overhead, isCalibrated: true }
  const tools = trajectory.agent.tools.map(tool => sizeOf({ role: 'system', content: JSON.stringify(tool) }))
  return { sizeOf, overhead: tools.reduce((sum, size) => sum + size, 0), isCalibrated: false }
}

const armName = ({ label }: Pick<RepriceArm, 'label'>): string => label

function rowOf(instance: string, arm: string, { turns, overflows_at }: Repriced): RepriceRow {
  const costs = turns.map(turn => turn.cost_usd)
  const summaries = turns.map(turn => turn.summary_cost_usd)
  const own = totalOf(costs)
  const written = totalOf(summaries)
  return {
    instance,
    arm,
    cost_usd: own === null || written === null ? null : own + written,
    summary_cost_usd: written,
    turns: turns.length,
    summaries: sumOf(turns, turn => turn.summaries),
    input_tokens: sumOf(turns, ({ usage }) => usage.input_tokens),
    cached_input_tokens: sumOf(turns, ({ usage }) => usage.cached_input_tokens),
    output_tokens: sumOf(turns, ({ usage }) => usage.output_tokens),
    longest_prompt: turns.reduce((most, { usage }) => Math.max(most, usage.input_tokens), 0),
    overflows_at,
  }
}

/** Cost up to each turn; null: the price is unknown. */
function cumulative({ turns }: Repriced): readonly number[] | null {
  let sum = 0
  const costs: number[] = []
  for (const { cost_usd, summary_cost_usd } of turns) {
    if (cost_usd === null || summary_cost_usd === null) return null
    sum += cost_usd + summary_cost_usd
    costs.push(sum)
  }
  return costs
}

/** Means by position over lists of different lengths: a list that has ended keeps its last value. */
class Sums {
  /** The total growth of all lists at each position. */
  readonly #growth: number[] = []
  readonly #counts: number[] = []
  #lists = 0

  add(values: readonly number[]): void {
    this.#lists++
    for (const [at, value] of values.entries()) {
      this.#growth[at] = (this.#growth[at] ?? 0) + value - (values[at - 1] ?? 0)
      this.#counts[at] = (this.#counts[at] ?? 0) + 1
    }
  }

  means(): readonly { readonly mean: number; readonly n: number }[] {
    let sum = 0
    return this.#growth.map((growth, at) => {
      sum += growth
      return { mean: sum / this.#lists, n: this.#counts[at] ?? 0 }
    })
  }
}

/** The first turn after which it stays cheaper; null: it is not cheaper at the end. */
function paysFrom(differences: readonly { readonly mean: number }[]): number | null {
  const last = differences.findLastIndex(({ mean }) => mean >= 0)
  return last === differences.length - 1 ? null : last + 2
}

function evidenceOf(rows: readonly RepriceRow[], arms: readonly RepriceArm[]): Evidence {
  const seen = new Map<string, number>()
  const runs: readonly Observation[] = rows.map(({ instance, arm, cost_usd }) => {
    const key = JSON.stringify([instance, arm])
    const replicate = (seen.get(key) ?? 0) + 1
    seen.set(key, replicate)
    return observed({
      name: `${arm} ${instance} ${replicate}`,
      params: { arm },
      block: { task: instance },
      replicate,
      metrics: cost_usd === null ? {} : { cost_usd },
    })
  })
  return {
    runs,
    metrics: [{ name: 'cost_usd', goal: 'minimize', primary: true }],
    blocks: ['task'],
    factors: ['arm'],
    levels: { arm: arms.map(armName) },
    baseline: null,
    sources: [],
  }
}

const totalOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)

const sumOf = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0)

function meanOf<T>(items: readonly T[], value: (item: T) => number | null): number | null {
  const total = totalOf(items.map(value))
  return total === null || items.length === 0 ? null : total / items.length
}
