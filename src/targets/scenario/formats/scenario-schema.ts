import * as z from 'zod'
import { json, text, wholeNumberFrom0 } from '../../../define/schema/parts.ts'
import { shortName } from './actor-schema.ts'
import { textOrEmpty, turnNumber, turnRange } from './parts.ts'

export const scenarioAliases: { readonly [alias: string]: string } = {
  num_turns: 'turns',
  context_window: 'context_window_size',
}

const probability = z
  .number()
  .min(0, { error: 'expected a number from 0 to 1' })
  .max(1, { error: 'expected a number from 0 to 1' })

/** A feature that is only switched on or off may be written as true or false. */
const switched = <T extends z.ZodType>(schema: T) =>
  z.preprocess(written => (typeof written === 'boolean' ? { enabled: written } : written), schema)

const feature = { enabled: z.boolean().optional() }

/** `scenario.yaml` */
export const scenarioFile = z.lazy(() =>
  z.strictObject({
    name: text,
    description: textOrEmpty.optional(),
    system_prompt: textOrEmpty.optional(),
    initial_world_state: text,
    turn_duration: text.optional(),
    actors: z
      .array(shortName)
      .min(1, { error: 'expected at least one actor' })
      .refine(names => new Set(names).size === names.length, { error: 'expected every actor once' })
      .optional(),
    turns: turnNumber.optional(),
    scenario_length: z
      .strictObject({
        type: z.enum(['fixed', 'condition']).optional(),
        turns: turnNumber.optional(),
        max_turns: turnNumber.optional(),
        condition: textOrEmpty.optional(),
      })
      .optional(),
    parameters: z
      .strictObject({
        max_turns: turnNumber.optional(),
        turn_duration: text.optional(),
        turn_duration_can_vary: z.boolean().optional(),
      })
      .optional(),
    world_state_model: text.optional(),
    summary_model: text.optional(),
    context_window_size: turnNumber.optional(),
    enable_bilateral_communication: z.boolean().optional(),
    enable_coalition_formation: z.boolean().optional(),
    max_communications_per_turn: wholeNumberFrom0.optional(),
    background_information: json.optional(),
    success: z.union([text, z.boolean()]).optional(),
    success_criteria: json.optional(),
    enable_black_swans: z.boolean().optional(),
    black_swans: z
      .array(
        z.strictObject({
          name: text,
          description: textOrEmpty.optional(),
          probability: probability,
          turn_range: turnRange.optional(),
          effects: json.optional(),
        }),
      )
      .optional(),
    features: z
      .strictObject({
        communications: switched(
          z.strictObject({ ...feature, max_per_turn: wholeNumberFrom0.optional(), coalitions: z.boolean().optional() }),
        ).optional(),
        exogenous_events: switched(z.strictObject(feature)).optional(),
        metrics_extraction: switched(z.strictObject(feature)).optional(),
        quality_assurance: switched(z.strictObject(feature)).optional(),
        context_management: switched(
          z.strictObject({
            ...feature,
            max_context_tokens: z.number().optional(),
            summarization_model: text.optional(),
            window: turnNumber.optional(),
          }),
        ).optional(),
      })
      .optional(),
    enable_public_statements: json.optional(),
    allow_actor_reflection: json.optional(),
    parallel_action_resolution: json.optional(),
    tags: json.optional(),
    author: json.optional(),
    version: json.optional(),
    schema_version: json.optional(),
    metadata: json.optional(),
  }),
)

export type ScenarioFile = z.output<typeof scenarioFile>

/** Keys that Scenario Lab accepts and that change nothing, there or here. */
export const idleKeys: { readonly [key: string]: string } = {
  enable_public_statements: 'actions are public anyway',
  allow_actor_reflection: 'actors give their goals and reasoning with every decision anyway',
  parallel_action_resolution: 'decisions are always made at once',
}
