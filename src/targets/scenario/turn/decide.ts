import { objectSchema } from '../answers/object-schema.ts'
import { sectionsIn } from '../answers/sections.ts'
import type { Asking } from '../asking.ts'
import { ownHistory, privateText, publicHistory } from '../prompts/history.ts'
import { actorSystem } from '../prompts/profile.ts'
import { paragraphs, section } from '../prompts/quoted.ts'
import type { Actor } from '../scenario.ts'
import type { Coalition, Decision, Talk } from '../state/state.ts'
import type { TurnParts } from './parts.ts'

const labels = {
  long_term_goals: ['LONG-TERM GOALS', 'LONG TERM GOALS', 'GOALS'],
  short_term_goals: ['SHORT-TERM GOALS', 'SHORT TERM GOALS', 'SHORT-TERM PRIORITIES'],
  reasoning: ['REASONING', 'RATIONALE'],
  action: ['ACTION', 'ACTIONS', 'DECISION'],
}

const schema = objectSchema({
  long_term_goals: { type: 'string', description: 'What you want in the end.' },
  short_term_goals: { type: 'string', description: 'What you want in this turn.' },
  reasoning: { type: 'string', description: 'Why; nobody else reads it.' },
  action: { type: 'string', description: 'What you do; everybody learns of it.' },
})

const inWords = `Answer in four sections with exactly these labels:
**LONG-TERM GOALS:** what you want in the end
**SHORT-TERM GOALS:** what you want in this turn
**REASONING:** why; nobody else reads it
**ACTION:** what you do; everybody learns of it`

/**
 * All actors decide at the same time, without seeing each other's decisions. Talks of this turn are known to their
 * participants.
 */
export function decide(
  { scenario, before, asking }: TurnParts,
  met: { readonly talks: readonly Talk[]; readonly coalitions: readonly Coalition[] },
): Promise<readonly Decision[]> {
  const known = { talks: [...met.talks], coalitions: [...met.coalitions] }
  const history = publicHistory(before, scenario)
  return asking.together(scenario.actors, (actor, own) => {
    const { short_name: short } = actor
    const prompt = paragraphs(
      history,
      ownHistory(short, before, scenario),
      section('Your private talks this turn', privateText(short, known, scenario)),
      section(
        'Your decision',
        `Decide what ${actor.name} does in turn ${before.turn}. Be specific. All actors decide at the same time.`,
      ),
    )
    return decisionOf(actor, { system: actorSystem(scenario, actor), prompt }, own)
  })
}

async function decisionOf(
  actor: Actor,
  texts: { readonly system: string; readonly prompt: string },
  asking: Asking,
): Promise<Decision> {
  const { short_name, model } = actor
  const { text, usage } = await asking.ask({
    purpose: 'decision',
    actor: short_name,
    model,
    ...texts,
    schema,
    labels: inWords,
  })
  const found = sectionsIn(text, labels)
  return {
    actor: short_name,
    long_term_goals: found.long_term_goals ?? '',
    short_term_goals: found.short_term_goals ?? '',
    reasoning: found.reasoning ?? '',
    // An answer without labels is an action.
    action: found.action === undefined ? text.trim() : found.action || 'does nothing',
    raw: text,
    tokens: usage.input_tokens + usage.output_tokens,
  }
}
