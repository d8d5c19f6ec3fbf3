import * as z from 'zod'
import { text } from '../../define/schema/parts.ts'
import { scenarioFiles } from './formats/scenario-files.ts'
import { turnRecord } from './state/state.ts'

/** A finished run up to the turn from which another one continues. */
const trunk = z.lazy(() =>
  z.strictObject({
    run: z.string(),
    turn: z.int(),
    seed: z.int(),
    initial_world_state: z.string(),
    actors: z.array(z.string()),
    turns: z.array(turnRecord),
  }),
)

export type Trunk = z.output<typeof trunk>

/** Written by assay itself: editors need not know its shape. */
const filledIn = <T>(schema: z.ZodType<T>) =>
  z.custom<T>(value => schema.safeParse(value).success, { error: 'expected what assay fills in here' })

/** The part of an experiment that says which scenario is played. */
export const scenarioSpec = z.lazy(() =>
  z.strictObject({
    kind: z
      .literal('scenario')
      .describe('Actors played by models negotiate turn by turn, and a narrator tells what becomes of the world.'),
    scenario: z
      .union([text, z.array(text).min(1)])
      .optional()
      .describe('A folder with scenario.yaml and actors/, or several: the levels of the factor `scenario`.'),
    branch_from: text
      .optional()
      .describe(
        'RUN:TURN, such as results/harbour/runs/a:2: continues from this turn of a run instead of the beginning.',
      ),
    files: z.record(z.string(), filledIn(scenarioFiles)).optional().describe('What the files say; assay fills it in.'),
    notes: z.array(z.string()).optional().describe('What people should know of the files; assay fills it in.'),
    trunks: z.record(z.string(), filledIn(trunk)).optional().describe('The turns of `branch_from`; assay fills it in.'),
    texts: z
      .record(z.string(), z.string())
      .optional()
      .describe('What files say that states of the world name; assay fills it in.'),
  }),
)

export type ScenarioSpec = z.output<typeof scenarioSpec>
