import { parseStoryHead, type StoryHead, type TurnRecord } from '../../src/targets/scenario/state/state.ts'

/** A turn in which Port and Carrier talk and decide, with a test's changes. */
export const aTurn = (turn: number, changes: Partial<TurnRecord> = {}): TurnRecord => ({
  turn,
  events: [],
  summary: null,
  talks: [{ from: 'port', to: 'carrier', message: `Pay in month ${turn}.`, answer: 'No.' }],
  coalitions: [],
  decisions: [aDecision('port', `wait ${turn}`), aDecision('carrier', `sail ${turn}`)],
  world: { state: `Month ${turn}.`, key_changes: '', consequences: '', raw: `Month ${turn}.` },
  metrics: [{ name: 'trust', value: turn, problem: null }],
  checks: [],
  remarks: [],
  calls: [
    { purpose: 'decision', actor: 'port', model: 'sim/a', input_tokens: 100, output_tokens: 10, cost_usd: 0.25 },
    { purpose: 'decision', actor: 'carrier', model: 'sim/b', input_tokens: 100, output_tokens: 10, cost_usd: 0.25 },
    { purpose: 'world', actor: null, model: 'sim/n', input_tokens: 50, output_tokens: 5, cost_usd: 0.5 },
  ],
  ...changes,
})

export const aDecision = (actor: string, action: string): TurnRecord['decisions'][number] => ({
  ...{ actor, action, long_term_goals: '', short_term_goals: '', reasoning: '', raw: action, tokens: 1 },
})

/** `scenario-state.json` of a run with that many turns. */
const aState = (turns: number, changes: Readonly<Record<string, unknown>> = {}): object => ({
  ...{ format: 'assay-scenario-1', scenario_name: 'Harbour', digest: 'd', seed: 7, status: 'completed' },
  ...{ halt_reason: null, success: true, current_turn: turns, total_turns: turns },
  ...{ initial_world_state: 'The quay is old.', branched_from: null },
  actors: {
    port: { name: 'Port', short_name: 'port', llm_model: 'sim/a' },
    carrier: { name: 'Carrier', short_name: 'carrier', llm_model: 'sim/b' },
  },
  ...changes,
})

/** The same, read. */
export function headOf(turns: number, changes: Readonly<Record<string, unknown>> = {}): StoryHead {
  const parsed = parseStoryHead(JSON.stringify(aState(turns, changes)))
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed.found
}

/** The files of a run's folder that its story is in. */
export const storyFiles = (
  turns: readonly TurnRecord[],
  changes: Readonly<Record<string, unknown>> = {},
): { readonly [path: string]: string } => ({
  'scenario-state.json': JSON.stringify(aState(turns.length, changes)),
  ...Object.fromEntries(
    turns.map(record => [`turns/${String(record.turn).padStart(3, '0')}.json`, JSON.stringify(record)]),
  ),
})
