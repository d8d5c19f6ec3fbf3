import { objectSchema } from '../answers/object-schema.ts'
import { sectionsIn, yesOrNo } from '../answers/sections.ts'
import { ownHistory, privateText, publicHistory } from '../prompts/history.ts'
import { actorSystem } from '../prompts/profile.ts'
import { paragraphs, quoted, section } from '../prompts/quoted.ts'
import type { Actor } from '../scenario.ts'
import type { Talk } from '../state/state.ts'
import { actorNamed } from './named-actors.ts'
import type { TurnParts } from './parts.ts'

const openingLabels = { talk: ['TALK', 'INITIATE'], with: ['WITH', 'TARGET', 'TO'], message: ['MESSAGE'] }

const openingSchema = objectSchema({
  talk: { type: 'boolean', description: 'Whether you open a private talk.' },
  with: { type: 'string', description: 'The name of the actor that you talk to; empty without a talk.' },
  message: { type: 'string', description: 'What you say; empty without a talk.' },
})

const openingInWords = `Answer in three sections with exactly these labels:
**TALK:** yes or no
**WITH:** the name of the actor that you talk to
**MESSAGE:** what you say`

const answerLabels = { answer: ['ANSWER', 'RESPONSE', 'REPLY'] }
const answerSchema = objectSchema({ answer: { type: 'string', description: 'What you answer.' } })
const answerInWords = 'Answer in one section with exactly this label:\n**ANSWER:** what you answer'

/**
 * The private talks of a turn: each actor may open some, one after the other, and each is one message and one answer.
 * Those of different actors happen at the same time, and only the two participants learn of them.
 */
export async function talk(parts: TurnParts): Promise<readonly Talk[]> {
  const { scenario, asking } = parts
  const talks: Talk[] = []
  let openers: readonly Actor[] = scenario.actors.length < 2 ? [] : scenario.actors
  for (let round = 1; round <= scenario.talks_per_turn && openers.length > 0; round++) {
    const sofar = [...talks]
    const opened = (
      await asking.together(openers, (actor, own) => open(actor, sofar, { ...parts, asking: own }))
    ).filter(one => one !== null)
    talks.push(...(await asking.together(opened, (one, own) => answered(one, sofar, { ...parts, asking: own }))))
    openers = openers.filter(({ short_name }) => opened.some(({ from }) => from === short_name))
  }
  return talks
}

type Opened = Omit<Talk, 'answer'>

async function open(
  actor: Actor,
  sofar: readonly Talk[],
  { scenario, before, asking, remark }: TurnParts,
): Promise<Opened | null> {
  const { short_name: from, model } = actor
  const prompt = paragraphs(
    publicHistory(before, scenario),
    ownHistory(from, before, scenario),
    section('Your private talks this turn', privateText(from, { talks: [...sofar], coalitions: [] }, scenario)),
    section(
      'Private talks',
      'Before everybody decides, you may open a private talk with one other actor. Nobody else learns of it. Do you?',
    ),
  )
  const { text } = await asking.ask({
    ...{ purpose: 'talk', actor: from, model, system: actorSystem(scenario, actor), prompt },
    ...{ schema: openingSchema, labels: openingInWords },
  })
  const found = sectionsIn(text, openingLabels)
  if (yesOrNo(found.talk) !== true) return null
  const to = actorNamed(found.with ?? '', scenario)
  const problem = openingProblem(to, from, found)
  if (problem !== null) remark(`${from} opened no talk: ${problem}`)
  return problem !== null || to === null ? null : { from, to, message: found.message ?? '' }
}

function openingProblem(
  to: string | null,
  from: string,
  { with: name = '', message = '' }: { readonly [section: string]: string },
): string | null {
  if (to === null) return `there is no actor "${name.slice(0, 80)}"`
  if (to === from) return 'it named itself'
  return message === '' ? 'it said nothing' : null
}

async function answered(
  opened: Opened,
  sofar: readonly Talk[],
  { scenario, before, asking }: TurnParts,
): Promise<Talk> {
  const actor = scenario.actors.find(({ short_name }) => short_name === opened.to)
  const speaker = scenario.actors.find(({ short_name }) => short_name === opened.from)
  if (actor === undefined || speaker === undefined) throw new RangeError(`there is no actor ${opened.to}`)
  const prompt = paragraphs(
    publicHistory(before, scenario),
    ownHistory(opened.to, before, scenario),
    section('Your private talks this turn', privateText(opened.to, { talks: [...sofar], coalitions: [] }, scenario)),
    section(
      'A private message to you',
      `${speaker.name} says to you alone:\n${quoted(opened.message)}\n\nWhat do you answer? Nobody else learns of it.`,
    ),
  )
  const { text } = await asking.ask({
    ...{ purpose: 'talk', actor: opened.to, model: actor.model, system: actorSystem(scenario, actor), prompt },
    ...{ schema: answerSchema, labels: answerInWords },
  })
  return { ...opened, answer: sectionsIn(text, answerLabels).answer ?? text.trim() }
}
