import * as z from 'zod'
import { messageOf } from '../../../util/errors.ts'
import { numbered } from '../files/turn-files.ts'
import { stateHead, type TurnRecord, turnRecord } from './state.ts'

/** Where a run's folder says how the run stands, and what happened in a turn. */
export const stateFileName = 'scenario-state.json'
export const turnFileName = (turn: number): string => `turns/${numbered(turn)}.json`

const storyHead = stateHead.extend({
  scenario_name: z.string(),
  halt_reason: z.string().nullable(),
  success: z.boolean().nullable(),
  actors: z.record(z.string(), z.object({ name: z.string(), llm_model: z.string().nullable().optional() })),
})

export type StoryHead = z.output<typeof storyHead>

type Parsed<T> = { readonly found: T } | { readonly problem: string }

/** How a run stands, by the text of its state file. */
export function parseStoryHead(text: string): Parsed<StoryHead> {
  const data = jsonIn(text)
  if ('problem' in data) return data
  const isOwn = z.object({ format: z.literal('assay-scenario-1') }).safeParse(data.found).success
  return isOwn ? checked(storyHead, data.found) : { problem: 'was not written by assay' }
}

/** What happened in a turn, by the text of its file. */
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
