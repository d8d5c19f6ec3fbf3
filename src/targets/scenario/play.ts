import { join } from 'node:path'
import { dialectNamed } from '../../define/dialects/registry.ts'
import { knownMetrics } from '../../define/observation.ts'
import { type Outcome, stopReasonOf } from '../../define/outcome.ts'
import { LimitReached } from '../../define/permits.ts'
import type { Run } from '../../define/run.ts'
import type { RunContext } from '../../define/target.ts'
import { ModelError, outcomeOfModelError } from '../../models/model-error.ts'
import { messageOf } from '../../util/errors.ts'
import { openRunModels, type RunModels } from '../run-models.ts'
import { writeExecution } from './files/execution-file.ts'
import type { Standing } from './files/state-file.ts'
import { holds, readableNames } from './metrics/expression.ts'
import { asNumber, knownAfter } from './metrics/read-metrics.ts'
import type { Scenario } from './scenario.ts'
import { modelsOf, type PlayedScenario, scenarioOfRun } from './scenario-of-run.ts'
import type { ScenarioSpec } from './spec.ts'
import { addTurn, beginFolder, endFolder, readFolder } from './state/run-folder.ts'
import type { PlayedTurns, TurnRecord } from './state/state.ts'
import { schemaTakers } from './takes-schema.ts'
import { playTurn, valuesAfter } from './turn/play-turn.ts'

/** Plays a scenario to its end, continuing after the last complete turn of an earlier attempt. */
export async function playScenario(spec: ScenarioSpec, run: Run, context: RunContext): Promise<Outcome> {
  const about = scenarioOfRun(spec, run)
  const { run_dir } = context.makeDirectory()
  const started_at = new Date()
  const begun = playedBefore(about, run, context)
  const story = new Story(about, begun, run_dir)
  const models = openRunModels(run, context)
  let outcome: Outcome | undefined
  let standing: Standing = { status: 'halted', halt_reason: 'error', success: null }
  let lastLine = 'cut short'
  try {
    for (const record of begun.turns) reportTurn(record, story.upTo(record.turn), about.scenario, context)
    const ended = await playTurns(story, models, context)
    outcome = ended.outcome
    standing = ended.standing
    lastLine = ended.line
    return outcome
  } catch (error) {
    const known = stopReasonOf(context.signal) ?? (error instanceof ModelError ? outcomeOfModelError(error) : undefined)
    standing = { status: 'halted', halt_reason: haltReason(known, error), success: null }
    lastLine = `halted (${standing.halt_reason}): ${explanation(known ?? limitOutcome(error), context) ?? known?.message ?? messageOf(error)}`
    outcome = known ?? limitOutcome(error) ?? undefined
    if (known === undefined) throw error
    return known
  } finally {
    story.end(standing, lastLine)
    const totals = models.client.totals()
    reportTotals(story.played, context)
    writeExecution(join(run_dir, 'execution.json'), { context, started_at, begun, outcome, lastLine, totals })
    await models.close(outcome)
  }
}

/** In the words of the experiment's dialect, with what to do about it; null: it has none. */
const explanation = (outcome: Outcome | null, { experiment }: RunContext): string | null =>
  outcome === null ? null : (dialectNamed(experiment.dialect).explain?.(outcome) ?? null)

const limitOutcome = (error: unknown): Outcome | null =>
  error instanceof LimitReached
    ? { kind: error.limit === 'rate' ? 'rate_limited' : 'cost_limited', limit: error.limit, message: error.message }
    : null

/** The turns played before: by an earlier attempt of this run, or by the run that it branches from. */
function playedBefore(
  { digest, trunk, changed, scenario }: PlayedScenario,
  run: Run,
  { continues }: RunContext,
): PlayedTurns {
  const earlier = continues?.dir == null ? null : readFolder(continues.dir)
  const branched_from =
    trunk === null ? null : { run: trunk.run, turn: trunk.turn, ...(changed.length > 0 && { changed: [...changed] }) }
  const start = {
    branched_from,
    initial_world_state: trunk?.initial_world_state ?? scenario.initial_world_state,
    seed: trunk?.seed ?? run.seed,
  }
  if (earlier !== null && earlier.head.digest === digest && earlier.head.seed === start.seed)
    return { ...start, turns: earlier.turns }
  return { ...start, turns: trunk?.turns ?? [] }
}

/** The turns of a run, in memory and in its folder. */
class Story {
  readonly about: PlayedScenario
  readonly #dir: string
  readonly #turns: TurnRecord[]
  readonly #start: PlayedTurns

  constructor(about: PlayedScenario, begun: PlayedTurns, dir: string) {
    this.about = about
    this.#dir = dir
    this.#start = begun
    this.#turns = [...begun.turns]
    beginFolder(dir, begun, about)
  }

  get played(): PlayedTurns {
    return { ...this.#start, turns: this.#turns }
  }

  upTo(turn: number): readonly TurnRecord[] {
    return this.#turns.slice(0, turn)
  }

  add(record: TurnRecord): void {
    this.#turns.push(record)
    addTurn(this.#dir, record, this.played, this.about)
  }

  end(standing: Standing, lastLine: string): void {
    endFolder(this.#dir, this.played, this.about, standing, lastLine)
  }
}

interface Ended {
  readonly outcome: Outcome
  readonly standing: Standing
  readonly line: string
}

async function playTurns(story: Story, { client }: RunModels, context: RunContext): Promise<Ended> {
  const { scenario } = story.about
  const held = await schemaTakers(modelsOf(scenario), context.experiment)
  const parts = { client, signal: context.signal, takesSchema: (model: string) => held.has(model) }
  for (;;) {
    const { turns } = story.played
    const halt = haltIn(turns, scenario)
    if (halt !== null) return halted(halt)
    if (turns.length >= scenario.turns || isOver(turns, scenario)) return completed(turns, scenario, context)
    const record = await playTurn(scenario, story.played, parts)
    context.signal.throwIfAborted()
    story.add(record)
    reportTurn(record, story.played.turns, scenario, context)
  }
}

/** Why the scenario's rules end the run; null: they don't. */
function haltIn(turns: readonly TurnRecord[], { checks: rules }: Scenario): string | null {
  const last = turns.at(-1)
  const failed = last?.checks.find(({ reaction }) => reaction === 'halt')
  if (failed !== undefined) {
    const about = failed.actor === null ? '' : ` of ${failed.actor}`
    return `the check ${failed.check}${about} failed in turn ${last?.turn} (${failed.severity}): ${failed.issues.join('; ') || failed.explanation}`
  }
  const issues = turns.reduce((sum, { checks }) => sum + checks.filter(({ passed }) => passed === false).length, 0)
  const most = rules?.max_issues ?? null
  return most !== null && issues >= most ? `${issues} checks have failed, and max_issues_before_halt is ${most}` : null
}

const halted = (message: string): Ended => ({
  outcome: { kind: 'failed', error_class: 'halted_by_check', message },
  standing: { status: 'halted', halt_reason: 'check', success: null },
  line: `halted (check): ${message}`,
})

const isOver = (turns: readonly TurnRecord[], scenario: Scenario): boolean =>
  scenario.until !== null && turns.length > 0 && heldAfter(scenario.until, turns, scenario) === true

const heldAfter = (expression: string, turns: readonly TurnRecord[], { metrics, actors }: Scenario): boolean | null =>
  holds(expression, { known: valuesAfter(turns, metrics), names: readableNames(metrics, actors), turn: turns.length })

/** Only a run that reached its end is scored. */
function completed(turns: readonly TurnRecord[], scenario: Scenario, context: RunContext): Ended {
  const success = scenario.success === null ? true : heldAfter(scenario.success, turns, scenario)
  if (success !== null) context.report({ metric: knownMetrics.passed, value: Number(success), step: null })
  else context.lacks(knownMetrics.passed, `a metric of "${scenario.success}" was never read`)
  const verdict =
    success === null
      ? `success is unknown: a metric of "${scenario.success}" was never read`
      : success
        ? 'a success'
        : 'no success'
  return {
    outcome: { kind: 'completed' },
    standing: { status: 'completed', halt_reason: null, success },
    line: `completed after turn ${turns.length}: ${verdict}`,
  }
}

/** A metric's value after this turn, if it is a number; a value not read in this turn gives no point. */
function reportTurn(
  { turn, metrics }: TurnRecord,
  turns: readonly TurnRecord[],
  scenario: Scenario,
  { report, lacks }: RunContext,
): void {
  const known = knownAfter(turns, scenario.metrics)
  for (const { name, value, problem } of metrics) {
    const after = known.get(name)
    const metric = scenario.metrics.find(one => one.name === name || name.startsWith(`${one.name}.`))
    if (value === null && problem !== null) lacks(name, `in turn ${turn}: ${problem}`)
    if (value === null || after === undefined || metric === undefined) continue
    const number = asNumber(after.value, metric)
    if (number !== null) report({ metric: name, value: number, step: turn })
    else lacks(name, 'its values are texts, which metrics.json has')
  }
}

/** The price of the complete turns, whoever paid for them and when. */
function reportTotals({ turns }: PlayedTurns, { report }: RunContext): void {
  const calls = turns.flatMap(one => one.calls)
  const add = (metric: string, value: number) => report({ metric, value, step: null })
  add('turns', turns.length)
  add(
    'input_tokens',
    calls.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
  )
  add(
    'output_tokens',
    calls.reduce((sum, { output_tokens }) => sum + output_tokens, 0),
  )
  if (calls.every(({ cost_usd }) => cost_usd !== null))
    add(
      'price_usd',
      calls.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0),
    )
}

/** In the words of Scenario Lab, if it has any. */
function haltReason(outcome: Outcome | undefined, error: unknown): string {
  if (error instanceof LimitReached) return error.limit === 'rate' ? 'rate_limit' : 'credit_limit'
  const reasons: { readonly [kind in Outcome['kind']]?: string } = {
    ...{
      rate_limited: 'rate_limit',
      cost_limited: 'credit_limit',
      cancelled: 'manual',
      timed_out: 'timeout',
      infra_error: 'api_error',
    },
    stopped_early: 'stopped_early',
  }
  return (outcome === undefined ? undefined : reasons[outcome.kind]) ?? 'error'
}
