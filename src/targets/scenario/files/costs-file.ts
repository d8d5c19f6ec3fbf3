import type { Scenario } from '../scenario.ts'
import type { CallRecord, PlayedTurns } from '../state/state.ts'

/**
 * `costs.json`: every call of every complete turn at list price, so that a resumed or replayed run has the same file.
 * The keys are those of both versions of Scenario Lab. null: a call has no known price.
 */
export function costsFile({ turns }: PlayedTurns, scenario: Scenario): object {
  const all = turns.flatMap(({ turn, calls }) => calls.map(call => ({ turn, ...call })))
  const names = scenario.actors.map(({ name, short_name, model }) => ({ name, short_name, model }))
  const ofActor = (short: string) => all.filter(({ actor, purpose }) => actor === short && purpose !== 'check')
  const checks = all.filter(({ purpose }) => purpose === 'check')
  const world = all.filter(({ purpose }) => purpose === 'world')
  return {
    total_cost: sum(all),
    total_tokens: tokens(all),
    calls: all.length,
    calls_of_unknown_cost: all.filter(({ cost_usd }) => cost_usd === null).length,
    by_actor: Object.fromEntries(names.map(({ short_name }) => [short_name, sum(ofActor(short_name))])),
    by_purpose: Object.fromEntries(
      [...Map.groupBy(all, ({ purpose }) => purpose)].map(([purpose, calls]) => [
        purpose,
        { calls: calls.length, tokens: tokens(calls), cost: sum(calls) },
      ]),
    ),
    by_model: Object.fromEntries(
      [...Map.groupBy(all, ({ model }) => model)].map(([model, calls]) => [
        model,
        { calls: calls.length, tokens: tokens(calls), cost: sum(calls) },
      ]),
    ),
    totals: { total_tokens: tokens(all), total_cost_usd: sum(all) },
    costs_by_actor: Object.fromEntries(
      names.map(({ name, short_name, model }) => [
        name,
        {
          model,
          turns: turns.map(({ turn }) => perTurn(turn, ofActor(short_name))),
          total_tokens: tokens(ofActor(short_name)),
          total_cost: sum(ofActor(short_name)),
        },
      ]),
    ),
    costs_by_turn: Object.fromEntries(
      turns.map(({ turn, calls }) => [
        String(turn),
        {
          actor_costs: Object.fromEntries(
            names.map(({ name, short_name }) => [
              name,
              sum(calls.filter(({ actor, purpose }) => actor === short_name && purpose !== 'check')),
            ]),
          ),
          world_state_cost: sum(calls.filter(({ purpose }) => purpose === 'world')),
          total: sum(calls),
        },
      ]),
    ),
    world_state_costs: turns.map(({ turn }) => perTurn(turn, world)),
    ...(checks.length > 0 && {
      validation: {
        total_tokens: tokens(checks),
        total_cost_usd: sum(checks),
        checks_performed: checks.length,
        model: scenario.checks?.model ?? null,
      },
    }),
    records: all.map(({ turn, actor, purpose, model, input_tokens, output_tokens, cost_usd }) => ({
      ...{ turn, actor, phase: purpose, purpose, model, input_tokens, output_tokens, cost: cost_usd },
    })),
  }
}

const perTurn = (turn: number, calls: readonly (CallRecord & { readonly turn: number })[]) => {
  const own = calls.filter(call => call.turn === turn)
  return { turn, tokens: tokens(own), cost: sum(own) }
}

const tokens = (calls: readonly CallRecord[]): number =>
  calls.reduce((all, { input_tokens, output_tokens }) => all + input_tokens + output_tokens, 0)

/** Unknown as soon as one of them is; without the noise of binary fractions. */
const sum = (calls: readonly CallRecord[]): number | null => {
  let all = 0
  for (const { cost_usd } of calls) {
    if (cost_usd === null) return null
    all += cost_usd
  }
  return Number(all.toPrecision(12))
}
