import { objectSchema } from '../answers/object-schema.ts'
import { sectionsIn, yesOrNo } from '../answers/sections.ts'
import type { Asking } from '../asking.ts'
import { nameOf, ownHistory, privateText, publicHistory } from '../prompts/history.ts'
import { actorSystem } from '../prompts/profile.ts'
import { bullets, paragraphs, quoted, section } from '../prompts/quoted.ts'
import type { Actor } from '../scenario.ts'
import type { Coalition, Talk } from '../state/state.ts'
import { actorsListed } from './named-actors.ts'
import type { TurnParts } from './parts.ts'

const proposalLabels = { propose: ['PROPOSE', 'PROPOSAL'], members: ['MEMBERS'], purpose: ['PURPOSE'] }
const proposalSchema = objectSchema({
  propose: { type: 'boolean', description: 'Whether you propose a coalition.' },
  members: {
    type: 'string',
    description: 'The names of at least two other actors, separated by commas; empty without a proposal.',
  },
  purpose: { type: 'string', description: 'What for; empty without a proposal.' },
})
const proposalInWords = `Answer in three sections with exactly these labels:
**PROPOSE:** yes or no
**MEMBERS:** the names of at least two other actors, separated by commas
**PURPOSE:** what for`

const acceptLabels = { accept: ['ACCEPT', 'ANSWER'], reason: ['REASON', 'REASONING'] }
const acceptSchema = objectSchema({
  accept: { type: 'boolean', description: 'Whether you join.' },
  reason: { type: 'string', description: 'Why.' },
})
const acceptInWords = 'Answer in two sections with exactly these labels:\n**ACCEPT:** yes or no\n**REASON:** why'

const messageLabels = { message: ['MESSAGE'] }
const messageSchema = objectSchema({ message: { type: 'string', description: 'What you say to the members.' } })
const messageInWords = 'Answer in one section with exactly this label:\n**MESSAGE:** what you say to the members'

type Proposal = Pick<Coalition, 'proposer' | 'members' | 'purpose'>

/**
 * The coalitions of a turn: each actor may propose one to at least two others; if all accept, each member sends a
 * message to the others, one after the other. Only members learn of it.
 */
export async function formCoalitions(parts: TurnParts, talks: readonly Talk[]): Promise<readonly Coalition[]> {
  const { scenario, asking } = parts
  if (!scenario.has_coalitions || scenario.actors.length < 3) return []
  const proposals = (
    await asking.together(scenario.actors, (actor, own) => propose(actor, talks, { ...parts, asking: own }))
  ).filter(one => one !== null)
  const different = proposals.filter((one, at) => proposals.findIndex(other => sameMembers(one, other)) === at)
  return asking.together(different, (proposal, own) => negotiate(proposal, talks, { ...parts, asking: own }))
}

const sameMembers = (one: Proposal, other: Proposal): boolean =>
  one.members.toSorted().join('\n') === other.members.toSorted().join('\n')

async function propose(actor: Actor, talks: readonly Talk[], parts: TurnParts): Promise<Proposal | null> {
  const { short_name: proposer } = actor
  const what =
    'You may propose a coalition to at least two other actors. If all of them accept, its members talk in private. Do you propose one?'
  const text = await asked(actor, { talks, what, schema: proposalSchema, labels: proposalInWords }, parts)
  const found = sectionsIn(text, proposalLabels)
  if (yesOrNo(found.propose) !== true) return null
  const named = actorsListed(found.members ?? '', parts.scenario)
  const members = [...new Set(named.map(({ actor }) => actor))]
  const others = members.filter(name => name !== null).filter(name => name !== proposer)
  const unknown = named.filter(({ actor }) => actor === null)
  if (unknown.length > 0 || others.length < 2) {
    parts.remark(
      `${proposer} proposed no coalition: ${unknown.length > 0 ? `there is no actor "${unknown[0]?.written.slice(0, 80)}"` : 'it named fewer than two others'}`,
    )
    return null
  }
  return { proposer, members: [proposer, ...others], purpose: found.purpose ?? '' }
}

async function negotiate(proposal: Proposal, talks: readonly Talk[], parts: TurnParts): Promise<Coalition> {
  const { scenario, asking } = parts
  const { proposer, members, purpose } = proposal
  const asksTo = scenario.actors.filter(({ short_name }) => short_name !== proposer && members.includes(short_name))
  const described = `${nameOf(proposer, scenario)} proposes a coalition of:\n${bullets(members.map(one => nameOf(one, scenario)))}\n\nWhat for:\n${quoted(purpose)}`
  const answers = await asking.together(asksTo, async (actor, own) => {
    const what = `${described}\n\nDo you join? It is formed only if all accept.`
    const text = await asked(
      actor,
      { talks, what, schema: acceptSchema, labels: acceptInWords },
      { ...parts, asking: own },
    )
    const found = sectionsIn(text, acceptLabels)
    return { actor: actor.short_name, accepts: yesOrNo(found.accept ?? text) === true, reason: found.reason ?? '' }
  })
  const is_formed = answers.every(({ accepts }) => accepts)
  const coalition: Coalition = { ...proposal, answers: [...answers], is_formed, messages: [] }
  return is_formed ? { ...coalition, messages: await messagesOf(coalition, described, talks, parts) } : coalition
}

/** One after the other, in the order of the scenario, each seeing the previous ones. */
async function messagesOf(
  coalition: Coalition,
  described: string,
  talks: readonly Talk[],
  parts: TurnParts,
): Promise<Coalition['messages']> {
  const messages: Coalition['messages'] = []
  for (const actor of parts.scenario.actors.filter(({ short_name }) => coalition.members.includes(short_name))) {
    const said = messages.map(one => `${nameOf(one.actor, parts.scenario)}:\n${quoted(one.text)}`).join('\n\n')
    const what = paragraphs(`${described}\n\nAll have accepted.`, said, 'What do you say to the members?')
    const text = await asked(actor, { talks, what, schema: messageSchema, labels: messageInWords }, parts)
    messages.push({ actor: actor.short_name, text: sectionsIn(text, messageLabels).message ?? text.trim() })
  }
  return messages
}

interface Asked {
  readonly talks: readonly Talk[]
  readonly what: string
  readonly schema: ReturnType<typeof objectSchema>
  readonly labels: string
}

async function asked(
  actor: Actor,
  { talks, what, schema, labels }: Asked,
  { scenario, before, asking }: { readonly asking: Asking } & TurnParts,
): Promise<string> {
  const { short_name: short, model } = actor
  const prompt = paragraphs(
    publicHistory(before, scenario),
    ownHistory(short, before, scenario),
    section('Your private talks this turn', privateText(short, { talks: [...talks], coalitions: [] }, scenario)),
    section('Coalitions', what),
  )
  const { text } = await asking.ask({
    purpose: 'coalition',
    actor: short,
    model,
    system: actorSystem(scenario, actor),
    prompt,
    schema,
    labels,
  })
  return text
}
