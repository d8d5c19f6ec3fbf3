import { knownAfter } from '../metrics/read-metrics.ts'
import { worldBefore } from '../prompts/history.ts'
import type { Scenario } from '../scenario.ts'
import type { PlayedTurns, StateHead } from '../state/state.ts'

export interface Standing {
  readonly status: StateHead['status']
  /** Why it was cut short, in the words of Scenario Lab; null: it was not. */
  readonly halt_reason: string | null
  readonly success: boolean | null
}

export interface StateParts {
  readonly scenario: Scenario
  readonly path: string
  readonly digest: string
}

/**
 * `scenario-state.json`, written after every turn: the state of the run. The events of the turns are in `turns/`; the
 * complete story is only added at the end, so that its size does not count once per turn.
 */
export function stateFile(
  played: PlayedTurns,
  { scenario, path, digest }: StateParts,
  { status, halt_reason, success }: Standing,
): StateHead & { readonly [key: string]: unknown } {
  return {
    format: 'assay-scenario-1',
    scenario_name: scenario.name,
    scenario_path: path,
    digest,
    seed: played.seed,
    status,
    halt_reason,
    success,
    current_turn: played.turns.length,
    total_turns: scenario.turns,
    completed_turns: played.turns.map(({ turn }) => turn),
    initial_world_state: played.initial_world_state,
    branched_from: played.branched_from,
    actors: Object.fromEntries(
      scenario.actors.map(({ name, short_name, model }) => [short_name, { name, short_name, llm_model: model }]),
    ),
  }
}

/** The same with all that happened, under the keys of Scenario Lab. */
export function wholeStateFile(played: PlayedTurns, parts: StateParts, standing: Standing): object {
  const { scenario } = parts
  const { turns, initial_world_state } = played
  const known = knownAfter(turns, scenario.metrics)
  const name = (short: string) => scenario.actors.find(({ short_name }) => short_name === short)?.name ?? short
  return {
    ...stateFile(played, parts, standing),
    world_state: {
      current_state: worldBefore(played),
      current_turn: turns.length,
      turn_duration: scenario.turn_duration,
      scenario_name: scenario.name,
      states: Object.fromEntries([
        ['0', initial_world_state],
        ...turns.map(({ turn, world }) => [String(turn), world.state]),
      ]),
      actor_decisions: Object.fromEntries(
        turns.map(({ turn, decisions }) => [
          String(turn),
          Object.fromEntries(
            decisions.map(({ actor, long_term_goals, short_term_goals, reasoning, action, raw, tokens }) => [
              name(actor),
              {
                goals: { long_term: long_term_goals, short_term: short_term_goals },
                reasoning,
                action,
                raw_response: raw,
                tokens_used: tokens,
              },
            ]),
          ),
        ]),
      ),
    },
    cost_tracker_state: { file: 'costs.json' },
    metrics_tracker_state: {
      final_metrics: Object.fromEntries([...known].map(([metric, { value }]) => [metric, value])),
    },
    communication_manager_state: {
      actor_names: scenario.actors.map(one => one.name),
      channels_by_turn: Object.fromEntries(
        turns.map(({ turn, talks, coalitions }) => [
          String(turn),
          [
            ...talks.map(({ from, to, message, answer }) => ({
              type: 'bilateral',
              participants: [name(from), name(to)],
              messages: [
                { sender: name(from), content: message },
                { sender: name(to), content: answer },
              ],
            })),
            ...coalitions
              .filter(({ is_formed }) => is_formed)
              .map(({ members, messages }) => ({
                type: 'coalition',
                participants: members.map(name),
                messages: messages.map(({ actor, text }) => ({ sender: name(actor), content: text })),
              })),
          ],
        ]),
      ),
    },
    execution_metadata: {
      output_path: '.',
      ...(played.branched_from !== null && {
        branched_from: played.branched_from.run,
        branch_point: played.branched_from.turn,
        ...(played.branched_from.changed !== undefined && { branch_changes: played.branched_from.changed }),
      }),
    },
  }
}
