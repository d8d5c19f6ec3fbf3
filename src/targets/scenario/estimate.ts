import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { RunEstimate } from '../../define/target.ts'
import type { ModelAnswer, ModelCall } from '../../models/model-call.ts'
import { settingOf } from '../../models/names/settings-of.ts'
import { canonicalJson } from '../../util/json.ts'
import { modelsToEstimate } from '../models-to-estimate.ts'
import type { Scenario } from './scenario.ts'
import { modelsOf, scenarioOfRun } from './scenario-of-run.ts'
import type { ScenarioSpec } from './spec.ts'
import type { PlayedTurns } from './state/state.ts'
import { schemaTakers } from './takes-schema.ts'
import { playTurn } from './turn/play-turn.ts'

const known = new WeakMap<Experiment, Map<string, Promise<RunEstimate>>>()

/** Tokens of an answer, where a model's settings do not limit it. */
const usualLimit = 4096

/**
 * What a run costs, before it is played: it is played here with answers that only have the right length. By declared sizes
 * every actor opens one talk a turn; at most all talk as often as they may, all coalitions come about, and every answer is as
 * long as it may be.
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
  const models = modelsToEstimate(experiment)
  const held = await schemaTakers(modelsOf(scenario), experiment)
  const settings = experiment.models ?? {}
  const usual = { ...scenario, talks_per_turn: Math.min(1, scenario.talks_per_turn), has_coalitions: false }
  const played = {
    initial_world_state: scenario.initial_world_state,
    seed: 0,
    branched_from: null,
    turns: trunk?.turns ?? [],
  }
  const sums = async (dry: Dry, pick: (call: ModelCall) => Promise<number | null>) =>
    costOfTurns(dry, played, held, pick)
  return {
    usd: await sums(
      { scenario: usual, sizeOf: model => settingOf(model, settings)?.tokens?.output ?? 0 },
      async call => (await models.estimate(call, { count: 0, model: call.model })).usd,
    ),
    at_most_usd: await sums(
      { scenario, sizeOf: model => settingOf(model, settings)?.max_output ?? usualLimit },
      async call => (await models.estimate(call, { count: 0, model: call.model })).at_most_usd,
    ),
  }
}

interface Dry {
  readonly scenario: Scenario
  /** Tokens of an answer. */
  sizeOf(model: string): number
}

/** Once no prompt grows any more, turns cost the same. */
async function costOfTurns(
  { scenario, sizeOf }: Dry,
  begun: PlayedTurns,
  held: ReadonlySet<string>,
  costOf: (call: ModelCall) => Promise<number | null>,
): Promise<number | null> {
  const { context_window: window, turns } = scenario
  const steady = begun.turns.length + (window === null ? turns : window + 2)
  let played = begun
  let sum = 0
  let last = 0
  while (played.turns.length < Math.min(turns, steady)) {
    const calls: ModelCall[] = []
    const client = {
      call: async (call: ModelCall) => {
        calls.push(call)
        return dryAnswer(call, scenario, sizeOf(call.model))
      },
    }
    const parts = { client, signal: new AbortController().signal, takesSchema: (model: string) => held.has(model) }
    played = { ...played, turns: [...played.turns, await playTurn(scenario, played, parts)] }
    last = 0
    for (const call of calls) {
      const cost = await costOf(call)
      if (cost === null) return null
      last += cost
    }
    sum += last
  }
  return sum + last * Math.max(0, turns - played.turns.length)
}

/** An answer that says nothing, at this length. */
function dryAnswer(call: ModelCall, { actors }: Scenario, tokens: number): ModelAnswer {
  const words = 'abc '.repeat(tokens).trim()
  const speaker = actors.findIndex(({ name }) =>
    call.messages.some(({ content }) => String(content).includes(`You are ${name}.`)),
  )
  const others = actors.filter((_, at) => at !== speaker).map(({ short_name }) => short_name)
  const fields: { readonly [purpose: string]: object } = {
    talk: { talk: true, with: others[0] ?? '', message: words, answer: words },
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
