import type { Experiment } from '../../define/experiment.ts'
import type { ModelSettings } from '../../define/models/model-settings.ts'
import type { Run } from '../../define/run.ts'
import type { RunEstimate } from '../../define/target.ts'
import type { ModelAnswer, ModelCall, ModelClient } from '../../models/model-call.ts'
import { modelFacts } from '../../models/model-facts.ts'
import { settingOf } from '../../models/names/settings-of.ts'
import { type Models, openModels } from '../../models/open-models.ts'
import { canonicalJson } from '../../util/json.ts'
import { environmentOf } from '../run-models.ts'
import type { Scenario } from './scenario.ts'
import { modelsOf, scenarioOfRun } from './scenario-of-run.ts'
import type { ScenarioSpec } from './spec.ts'
import type { PlayedTurns } from './state/state.ts'
import { schemaTakers } from './takes-schema.ts'
import { playTurn } from './turn/play-turn.ts'

/** Assumed for models without such settings. */
const assumed = { outputTokens: 250, secondsPerCall: 5 }

/** The maximum time that assay itself may use per call: `bench/` checks it. */
const ownSecondsPerCall = 0.003

/** Tokens of an answer, if a model's settings do not limit it. */
const defaultLimit = 4096

const known = new WeakMap<Experiment, Map<string, Promise<RunEstimate>>>()

/**
 * The cost and duration of a run, before it is played: it is played here with answers that only have the right length.
 * How much actors talk is unknown: the lower end is no talks, the upper one a talk by each actor per turn. For the
 * maximum, all talk as often as they may, all coalitions form, and every answer has its maximum length.
 */
export function estimateScenario(spec: ScenarioSpec, { params }: Run, experiment: Experiment): Promise<RunEstimate> {
  const all = known.get(experiment) ?? new Map<string, Promise<RunEstimate>>()
  known.set(experiment, all)
  // Replicates and blocks play the same scenario.
  const variant = canonicalJson(params)
  const found = all.get(variant) ?? estimated(spec, params, experiment)
  all.set(variant, found)
  return found
}

async function estimated(spec: ScenarioSpec, params: Run['params'], experiment: Experiment): Promise<RunEstimate> {
  const { scenario, trunk } = scenarioOfRun(spec, { params })
  const names = modelsOf(scenario)
  const settings = withLengths(names, experiment.models ?? {})
  const models = openModels({ env: environmentOf(experiment), settings, rehearse: true })
  const held = await schemaTakers(names, experiment)
  const begun = {
    initial_world_state: scenario.initial_world_state,
    seed: 0,
    branched_from: null,
    turns: trunk?.turns ?? [],
  }
  const usual = { ...scenario, talks_per_turn: Math.min(1, scenario.talks_per_turn), has_coalitions: false }
  const lengthOf = (model: string) => settingOf(model, settings)?.tokens?.output ?? 0
  const longestOf = (model: string) => settingOf(model, settings)?.max_output ?? defaultLimit
  const about = await counted({ scenario: usual, models, sizeOf: lengthOf, talks: true }, begun, held)
  const least = await counted({ scenario: usual, models, sizeOf: lengthOf, talks: false }, begun, held)
  const most = await counted({ scenario, models, sizeOf: longestOf, talks: true }, begun, held)
  const seconds = await secondsPerCall(names, experiment)
  const isAssumed = names.some(name => settingOf(name, experiment.models ?? {})?.tokens?.output === undefined)
  return {
    usd: about.all.usd,
    least_usd: least.all.usd,
    at_most_usd: most.all.at_most_usd,
    calls: about.all.calls,
    seconds: about.all.rounds * seconds.each,
    own_seconds: about.all.calls * ownSecondsPerCall,
    basis: basisOf(usual, about.last, { turns: scenario.turns - begun.turns.length, seconds, isAssumed }),
  }
}

interface Counted {
  readonly calls: number
  /** Calls that wait for each other: those made at the same time count once. */
  readonly rounds: number
  readonly usd: number | null
  readonly at_most_usd: number | null
}

const nothing: Counted = { calls: 0, rounds: 0, usd: 0, at_most_usd: 0 }

function withLengths(names: readonly string[], settings: ModelSettings): ModelSettings {
  const lengths = names.map(name => {
    const tokens = { output: assumed.outputTokens, ...settingOf(name, settings)?.tokens }
    return [name, { ...settings[name], tokens }] as const
  })
  return { ...settings, ...Object.fromEntries(lengths) }
}

interface CallSeconds {
  readonly each: number
  readonly isAssumed: boolean
}

/** The slowest model determines the duration of a round of calls. */
async function secondsPerCall(names: readonly string[], experiment: Experiment): Promise<CallSeconds> {
  const settings = experiment.models ?? {}
  const all = await Promise.all(
    names.map(async name => {
      const { latency, tokens } = settingOf(name, settings) ?? {}
      if (latency !== undefined)
        return (latency.base_ms + latency.per_token_ms * (tokens?.output ?? assumed.outputTokens)) / 1000
      const { is_simulated } = await modelFacts(name, { settings, env: environmentOf(experiment) })
      return is_simulated ? 0 : null
    }),
  )
  return { each: Math.max(...all.map(one => one ?? assumed.secondsPerCall)), isAssumed: all.includes(null) }
}

function basisOf(
  { actors, talks_per_turn }: Scenario,
  { calls, rounds }: Counted,
  given: { readonly turns: number; readonly seconds: CallSeconds; readonly isAssumed: boolean },
): string {
  const { turns, seconds, isAssumed } = given
  const talks = talks_per_turn > 0 && actors.length > 1 ? ' if every actor opens a talk' : ''
  const length = isAssumed ? `answers of ${assumed.outputTokens} tokens (assumed)` : 'answers of the declared length'
  const time = `${seconds.each} s a call${seconds.isAssumed ? ' (assumed)' : ''} and up to ${ownSecondsPerCall * 1000} ms of assay's own`
  return `${turns} turns with ${calls} calls each${talks}, ${rounds} of them one after the other; ${length}; ${time}`
}

interface Dry {
  readonly scenario: Scenario
  readonly models: Models
  /** Tokens of an answer. */
  sizeOf(model: string): number
  /** Whether actors open talks. */
  readonly talks: boolean
}

/** All turns together, and the last one. Once no prompt grows any more, all turns are the same. */
async function counted(
  dry: Dry,
  begun: PlayedTurns,
  held: ReadonlySet<string>,
): Promise<{ readonly all: Counted; readonly last: Counted }> {
  const { context_window: window, turns } = dry.scenario
  const steady = begun.turns.length + (window === null ? turns : window + 2)
  const client = new CountingClient(dry)
  const parts = { client, signal: new AbortController().signal, takesSchema: (model: string) => held.has(model) }
  let [played, all, last]: readonly [PlayedTurns, Counted, Counted] = [begun, nothing, nothing]
  while (played.turns.length < Math.min(turns, steady)) {
    played = { ...played, turns: [...played.turns, await playTurn(dry.scenario, played, parts)] }
    last = client.take()
    all = added(all, last, 1)
  }
  return { all: added(all, last, Math.max(0, turns - played.turns.length)), last }
}

const added = (a: Counted, b: Counted, times: number): Counted => ({
  calls: a.calls + b.calls * times,
  rounds: a.rounds + b.rounds * times,
  usd: a.usd === null || b.usd === null ? null : a.usd + b.usd * times,
  at_most_usd: a.at_most_usd === null || b.at_most_usd === null ? null : a.at_most_usd + b.at_most_usd * times,
})

/** Calls no model: counts the requests, and answers them. Calls made at the same time are one round. */
class CountingClient implements Pick<ModelClient, 'call'> {
  readonly #dry: Dry
  #waiting: { readonly call: ModelCall; answer(): void; fail(error: unknown): void }[] = []
  #counted: Counted = nothing

  constructor(dry: Dry) {
    this.#dry = dry
  }

  /** The counts since the last time. */
  take(): Counted {
    const all = this.#counted
    this.#counted = nothing
    return all
  }

  call(call: ModelCall): Promise<ModelAnswer> {
    const { sizeOf } = this.#dry
    return new Promise((resolve, reject) => {
      // Everything requested before the next answer has been requested by then.
      if (this.#waiting.length === 0) setImmediate(() => this.#round())
      const answer = () => resolve(dryAnswer(call, this.#dry, sizeOf(call.model)))
      this.#waiting.push({ call, answer, fail: reject })
    })
  }

  async #round(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const costs = await Promise.all(
        waiting.map(({ call }) => this.#dry.models.estimate(call, { count: 0, model: call.model })),
      )
      const calls = costs.map(cost => ({ ...cost, calls: 1, rounds: 0 }))
      this.#counted = [...calls, { ...nothing, rounds: 1 }].reduce((sum, one) => added(sum, one, 1), this.#counted)
      for (const { answer } of waiting) answer()
    } catch (error) {
      // All of them: a call that is never answered would be waited for forever.
      for (const { fail } of waiting) fail(error)
    }
  }
}

/** An arbitrary answer of this length. */
function dryAnswer(call: ModelCall, { scenario: { actors }, talks }: Dry, tokens: number): ModelAnswer {
  const words = 'abc '.repeat(tokens).trim()
  const speaker = actors.findIndex(({ name }) =>
    call.messages.some(({ content }) => String(content).includes(`You are ${name}.`)),
  )
  const others = actors.filter((_, at) => at !== speaker).map(({ short_name }) => short_name)
  const fields: { readonly [purpose: string]: object } = {
    talk: { talk: talks, with: others[0] ?? '', message: words, answer: words },
    coalition: { propose: true, members: others.join(', '), purpose: words, accept: true, reason: '', message: words },
    decision: { action: words },
    world: { state: words },
    summary: { summary: words },
    check: { verdict: true, explanation: words },
  }
  const text = JSON.stringify(fields[call.purpose] ?? { value: 1 })
  return { ...emptyAnswer, text, model_id: call.model }
}

const emptyAnswer: Omit<ModelAnswer, 'text' | 'model_id'> = {
  ...{
    tool_calls: [],
    reasoning: [],
    finish: 'stop',
    cost_usd: 0,
    cost_from: 'simulated',
    saved_usd: null,
    latency_ms: 0,
  },
  usage: { input_tokens: 0, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
  ...{ provider: 'none', tries: 1, is_cached: false },
}
