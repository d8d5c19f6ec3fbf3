import * as z from 'zod'
import { json } from '../../../define/schema/parts.ts'
import { messageOf } from '../../../util/errors.ts'
import { severities } from '../scenario.ts'

/**
 * Everything that happened in a turn. All files of a run are made from these records, so a resumed run writes the same
 * files.
 */
const call = z.lazy(() =>
  z.strictObject({
    /** The purpose: talk, coalition, decision, world, metric, check or summary. */
    purpose: z.string(),
    /** The actor that was asked; null: not an actor. */
    actor: z.string().nullable(),
    model: z.string(),
    input_tokens: z.number(),
    output_tokens: z.number(),
    /** At list price, whether it was paid now or comes from a recording; null: not known. */
    cost_usd: z.number().nullable(),
  }),
)

const talk = z.lazy(() => z.strictObject({ from: z.string(), to: z.string(), message: z.string(), answer: z.string() }))

const coalition = z.lazy(() =>
  z.strictObject({
    proposer: z.string(),
    members: z.array(z.string()),
    purpose: z.string(),
    /** The answers of the asked actors. */
    answers: z.array(z.strictObject({ actor: z.string(), accepts: z.boolean(), reason: z.string() })),
    is_formed: z.boolean(),
    messages: z.array(z.strictObject({ actor: z.string(), text: z.string() })),
  }),
)

const decision = z.lazy(() =>
  z.strictObject({
    actor: z.string(),
    long_term_goals: z.string(),
    short_term_goals: z.string(),
    reasoning: z.string(),
    action: z.string(),
    raw: z.string(),
    tokens: z.number(),
  }),
)

const reading = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    /** null: it could not be read in this turn. */
    value: z.union([z.number(), z.boolean(), z.string()]).nullable(),
    /** Why not. */
    problem: z.string().nullable(),
  }),
)

const checkResult = z.lazy(() =>
  z.strictObject({
    check: z.string(),
    actor: z.string().nullable(),
    /** null: the answer could not be read. */
    passed: z.boolean().nullable(),
    severity: z.enum(severities).nullable(),
    issues: z.array(z.string()),
    explanation: z.string(),
    reaction: z.enum(['log', 'warn', 'halt']),
  }),
)

export const turnRecord = z.lazy(() =>
  z.strictObject({
    turn: z.int(),
    events: z.array(z.strictObject({ name: z.string(), text: z.string() })),
    /** Of all turns up to this one, if it was needed. */
    summary: z.strictObject({ through: z.int(), text: z.string() }).nullable(),
    talks: z.array(talk),
    coalitions: z.array(coalition),
    decisions: z.array(decision),
    world: z.strictObject({ state: z.string(), key_changes: z.string(), consequences: z.string(), raw: z.string() }),
    metrics: z.array(reading),
    checks: z.array(checkResult),
    /** Notes for the user: a talk with an unknown actor, an exceeded threshold. */
    remarks: z.array(z.string()),
    calls: z.array(call),
  }),
)

export type TurnRecord = z.output<typeof turnRecord>
export type CallRecord = z.output<typeof call>
export type Talk = z.output<typeof talk>
export type Coalition = z.output<typeof coalition>
export type Decision = z.output<typeof decision>
export type MetricReading = z.output<typeof reading>
export type CheckResult = z.output<typeof checkResult>

/** The states of a run; the first words are those of Scenario Lab. */
export const statuses = ['running', 'halted', 'completed'] as const

export const stateHead = z.lazy(() =>
  z.object({
    format: z.literal('assay-scenario-1'),
    /** Of the scenario with overrides applied: another scenario can't be continued. */
    digest: z.string(),
    seed: z.int(),
    status: z.enum(statuses),
    current_turn: z.int(),
    total_turns: z.int(),
    initial_world_state: z.string(),
    branched_from: z
      .strictObject({
        run: z.string(),
        turn: z.int(),
        /** The parameters that changed the state after that turn. */
        changed: z.array(z.string()).optional(),
      })
      .nullable(),
    actors: z.record(z.string(), json),
  }),
)

export type StateHead = z.output<typeof stateHead>

/** A run up to its last whole turn. */
export interface PlayedTurns {
  /** The seed of the run's events: a branch has the seed of its trunk. */
  readonly seed: number
  readonly initial_world_state: string
  readonly branched_from: StateHead['branched_from']
  readonly turns: readonly TurnRecord[]
}

export const numbered = (turn: number): string => String(turn).padStart(3, '0')

/** Files in a run's folder: the state of the run, and the events of a turn. */
export const stateFileName = 'scenario-state.json'
export const turnFileName = (turn: number): string => `turns/${numbered(turn)}.json`

const storyHead = z.lazy(() =>
  stateHead.unwrap().extend({
    scenario_name: z.string(),
    halt_reason: z.string().nullable(),
    success: z.boolean().nullable(),
    actors: z.record(z.string(), z.object({ name: z.string(), llm_model: z.string().nullable().optional() })),
  }),
)

export type StoryHead = z.output<typeof storyHead>

type Parsed<T> = { readonly found: T } | { readonly problem: string }

/** The state of a run, from the text of its state file. */
export function parseStoryHead(text: string): Parsed<StoryHead> {
  const data = jsonIn(text)
  if ('problem' in data) return data
  const isOwn = z.object({ format: z.literal('assay-scenario-1') }).safeParse(data.found).success
  return isOwn ? checked(storyHead, data.found) : { problem: 'was not written by assay' }
}

/** The events of a turn, from the text of its file. */
export function parseTurn(text: string, turn: number): Parsed<TurnRecord> {
  const data = jsonIn(text)
  if ('problem' in data) return data
  const parsed = checked(turnRecord, data.found)
  if ('found' in parsed && parsed.found.turn !== turn) return { problem: `is of turn ${parsed.found.turn}` }
  return parsed
}

function jsonIn(text: string): Parsed<unknown> {
  try {
    return { found: JSON.parse(text) }
  } catch (error) {
    return { problem: `is not valid JSON: ${messageOf(error)}` }
  }
}

function checked<T>(schema: z.ZodType<T>, data: unknown): Parsed<T> {
  const { data: found, error } = schema.safeParse(data)
  if (found !== undefined) return { found }
  const [issue] = error?.issues ?? []
  return { problem: `is not as it should be: ${issue?.path.join('.')}: ${issue?.message}` }
}
