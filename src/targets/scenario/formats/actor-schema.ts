import * as z from 'zod'
import { json, text } from '../../../define/schema/parts.ts'
import type { Actor } from '../scenario.ts'
import { linesOf, textList, textOrEmpty } from './parts.ts'

/** Names that files and parameters can have. */
export const shortName = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u, {
  error: 'expected a short name of at most 64 letters, digits, "-" and "_"',
})

/** The other name of a key with two names. */
export const actorAliases: { readonly [alias: string]: string } = {
  model: 'llm_model',
  long_term_goals: 'goals',
  decision_making_style: 'decision_style',
}

/** `actors/<short_name>.yaml` */
export const actorFile = z.lazy(() =>
  z.strictObject({
    name: text,
    short_name: shortName,
    llm_model: text.optional(),
    system_prompt: textOrEmpty.optional(),
    description: textOrEmpty.optional(),
    role: textOrEmpty.optional(),
    goals: textList.optional(),
    constraints: textList.optional(),
    expertise: json.optional(),
    expertise_level: json.optional(),
    decision_style: textOrEmpty.optional(),
    communication_style: textOrEmpty.optional(),
    personality_traits: textList.optional(),
    preferred_coalitions: textList.optional(),
    private_information: textList.optional(),
    information_access: z
      .strictObject({ public: json.optional(), private: textList.optional(), restricted: json.optional() })
      .optional(),
    control: z.literal('ai', { error: 'expected "ai": people can\'t play an actor here' }).optional(),
    metadata: json.optional(),
  }),
)

/** Scenario Lab's own default, where a file names no model. */
export const defaultModel = 'openai/gpt-4o-mini'

export function actorOf(file: z.output<typeof actorFile>): Actor {
  const { private_information = [], information_access } = file
  return {
    name: file.name,
    short_name: file.short_name,
    model: file.llm_model ?? defaultModel,
    system_prompt: file.system_prompt ?? '',
    role: file.role ?? '',
    description: file.description ?? '',
    goals: file.goals ?? [],
    constraints: file.constraints ?? [],
    expertise: [...linesOf(file.expertise), ...linesOf(file.expertise_level).map(line => `level: ${line}`)],
    decision_style: file.decision_style ?? '',
    communication_style: file.communication_style ?? '',
    personality: file.personality_traits ?? [],
    preferred_coalitions: file.preferred_coalitions ?? [],
    private_information: [...private_information, ...(information_access?.private ?? [])],
  }
}
