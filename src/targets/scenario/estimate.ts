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

/** What is supposed of models that say nothing about themselves. */
const supposed = { outputTokens: 250, secondsPerCall: 5 }

/** So many turns are played; those after them are like the last. */
const mostTurns = 6

const known = new WeakMap<Experiment, Map<string, Promise<RunEstimate>>>()

/**
 * What a run costs and how long it takes, before it is made: the turns are played with actors that say something of the
 * supposed length, so that the calls and prompts are those of the scenario. Every actor talks as often as it may.
 */
export function estimateScenario(spec: ScenarioSpec, run: Run, experiment: Experiment): Promise<RunEstimate> {
  const all = known.get(experiment) ?? new Map<string, Promise<RunEstimate>>()
  known.set(experiment, all)
  const variant = canonicalJson(run.params)
  const found = all.get(variant) ?? estimated(spec, run, experiment)
  all.set(variant, found)
  return found
}

async function estimated(spec: ScenarioSpec, run: Run, experiment: Experiment): Promise<RunEstimate> {
  const { scenario, trunk } = scenarioOfRun(spec, run)
  const names = modelsOf(scenario)
  const settings = withLengths(names, experiment.models ?? {})
  const models = openModels({ env: environmentOf(experiment), settings, rehearse: true })
  const held = await schemaTakers(names, experiment)
  const seconds = await slowest(names, experiment)
  const counting = new CountingClient(models, scenario, name => settingOf(name, settings)?.tokens?.output ?? 0)
  const parts = {
    client: counting,
    signal: new AbortController().signal,
    takesSchema: (name: string) => held.has(name),
  }
  let played: PlayedTurns = {
    seed: run.seed,
    initial_world_state: scenario.initial_world_state,
    branched_from: null,
    turns: trunk?.turns ?? [],
  }
  const toPlay = Math.max(0, scenario.turns - played.turns.length)
  const turns: Counted[] = []
  for (let turn = 0; turn < Math.min(toPlay, mostTurns); turn++) {
    played = { ...played, turns: [...played.turns, await playTurn(scenario, played, parts)] }
    turns.push(counting.take())
  }
  const last = turns.at(-1)
  const all = [...turns, ...(last === undefined ? [] : Array.from({ length: toPlay - turns.length }, () => last))]
  const sum = (pick: (one: Counted) => number | null): number | null => sumOf(all.map(pick))
  const rounds = sum(one => one.rounds) ?? 0
  return {
    usd: sum(one => one.usd),
    at_most_usd: sum(one => one.at_most_usd),
    calls: sum(one => one.calls) ?? 0,
    seconds: rounds * seconds.each,
    basis: basisOf(scenario, last, {
      played: toPlay,
      seconds,
      isSupposed: names.some(name => !hasLength(name, experiment)),
    }),
  }
}

interface Counted {
  readonly calls: number
  /** Calls that wait for each other: those made at the same time count once. */
  readonly rounds: number
  readonly usd: number | null
  readonly at_most_usd: number | null
}

const hasLength = (name: string, { models = {} }: Experiment): boolean =>
  settingOf(name, models)?.tokens?.output !== undefined

function withLengths(names: readonly string[], settings: ModelSettings): ModelSettings {
  const lengths = names.map(name => {
    const tokens = { output: supposed.outputTokens, ...settingOf(name, settings)?.tokens }
    return [name, { ...settings[name], tokens }] as const
  })
  return { ...settings, ...Object.fromEntries(lengths) }
}

interface CallSeconds {
  readonly each: number
  readonly isSupposed: boolean
}

/** The slowest of the models decides how long a round of calls takes. */
async function slowest(names: readonly string[], experiment: Experiment): Promise<CallSeconds> {
  const settings = experiment.models ?? {}
  const facts = await Promise.all(
    names.map(async name => {
      const { latency, tokens } = settingOf(name, settings) ?? {}
      if (latency !== undefined)
        return (latency.base_ms + latency.per_token_ms * (tokens?.output ?? supposed.outputTokens)) / 1000
      const { is_simulated } = await modelFacts(name, { settings, env: environmentOf(experiment) })
      return is_simulated ? 0 : null
    }),
  )
  const isSupposed = facts.includes(null)
  return { each: Math.max(...facts.map(one => one ?? supposed.secondsPerCall)), isSupposed }
}

function basisOf(
  { actors, talks_per_turn }: Scenario,
  turn: Counted | undefined,
  facts: { readonly played: number; readonly seconds: CallSeconds; readonly isSupposed: boolean },
): string {
  const talks = talks_per_turn > 0 && actors.length > 1 ? ', if every actor talks as often as it may' : ''
  const length = facts.isSupposed
    ? `answers of ${supposed.outputTokens} tokens (supposed)`
    : 'answers of the declared length'
  const time = `${facts.seconds.each} s a call${facts.seconds.isSupposed ? ' (supposed)' : ''}`
  return `${facts.played} turns with ${turn?.calls ?? 0} calls each${talks}, ${turn?.rounds ?? 0} of them one after the other; ${length}; ${time}`
}

/** Asks nobody: counts what is asked, and answers. Calls that are made at the same time are one round. */
class CountingClient implements Pick<ModelClient, 'call'> {
  readonly #models: Models
  readonly #scenario: Scenario
  readonly #lengthOf: (model: string) => number
  #waiting: { readonly call: ModelCall; answer(): void }[] = []
  #counted: Counted = nothing

  constructor(models: Models, scenario: Scenario, lengthOf: (model: string) => number) {
    this.#lengthOf = lengthOf
    this.#models = models
    this.#scenario = scenario
  }

  /** What was counted since the last time. */
  take(): Counted {
    const counted = this.#counted
    this.#counted = nothing
    return counted
  }

  call(call: ModelCall): Promise<ModelAnswer> {
    return new Promise((resolve, reject) => {
      // Whatever is asked before the next answer comes is asked by then.
      if (this.#waiting.length === 0) setImmediate(() => this.#round().catch(reject))
      this.#waiting.push({
        call,
        answer: () => resolve({ ...noAnswer, text: answerTo(call, this.#scenario, this.#lengthOf(call.model)) }),
      })
    })
  }

  async #round(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    const costs = await Promise.all(
      waiting.map(({ call }) => this.#models.estimate(call, { count: 0, model: call.model })),
    )
    const { calls, rounds, usd, at_most_usd } = this.#counted
    this.#counted = {
      calls: calls + waiting.length,
      rounds: rounds + 1,
      usd: sumOf([usd, ...costs.map(one => one.usd)]),
      at_most_usd: sumOf([at_most_usd, ...costs.map(one => one.at_most_usd)]),
    }
    for (const { answer } of waiting) answer()
  }
}

/** null: one of them is not known. */
const sumOf = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((total, part) => (total === null || part === null ? null : total + part), 0)

const noAnswer: Omit<ModelAnswer, 'text'> = {
  tool_calls: [],
  reasoning: [],
  finish: 'stop',
  usage: {
    ...{ input_tokens: 0, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
  },
  cost_usd: null,
  cost_from: 'unknown',
  saved_usd: null,
  latency_ms: 0,
  model_id: '',
  provider: '',
  tries: 1,
  is_cached: false,
}

const nothing: Counted = { calls: 0, rounds: 0, usd: 0, at_most_usd: 0 }

const sentence = 'the other side should hear what we want and why. '

function answerTo({ purpose, messages }: ModelCall, { actors }: Scenario, tokens: number): string {
  const words = sentence.repeat(Math.ceil((tokens * 4) / sentence.length)).slice(0, tokens * 4)
  const text = messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n')
  switch (purpose) {
    case 'talk': {
      const other = actors.find(({ name }) => !text.includes(`You are ${name}.`))
      return `**TALK:** yes\n**WITH:** ${other?.name ?? ''}\n**MESSAGE:** ${words}\n**ANSWER:** ${words}`
    }
    case 'coalition':
      return '**PROPOSE:** no\n**ACCEPT:** no'
    case 'metric':
      return '5'
    case 'decision':
      return `**ACTION:** ${words}`
    default:
      return words
  }
}
