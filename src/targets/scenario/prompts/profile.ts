import type { Actor, Scenario } from '../scenario.ts'
import { bullets, paragraphs, section } from './quoted.ts'

/** Information for this actor only: about the scenario and about itself. */
export const actorSystem = (scenario: Pick<Scenario, 'system_prompt' | 'background'>, actor: Actor): string =>
  paragraphs(
    scenario.system_prompt,
    actor.system_prompt,
    `You are ${actor.name}.`,
    profileOf(actor),
    section('Background', scenario.background),
  )

/** Everything in a file about an actor besides its prompt. */
export const profileOf = (actor: Actor): string =>
  paragraphs(
    section('Your role', actor.role),
    section('Who you are', actor.description),
    section('Your goals', bullets(actor.goals)),
    section('Your constraints', bullets(actor.constraints)),
    section('Your expertise', bullets(actor.expertise)),
    section('How you decide', actor.decision_style),
    section('How you communicate', actor.communication_style),
    section('Your personality', bullets(actor.personality)),
    section('Coalitions that you prefer', bullets(actor.preferred_coalitions)),
    section('Known only to you', bullets(actor.private_information)),
  )
