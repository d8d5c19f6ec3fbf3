import {
  agentTools,
  defaultTraits,
  factsIn,
  type ModelSetting,
  type SimAgent,
  type SimPlan,
  type SimPlanStep,
  type SimStep,
} from '../../../define/models/model-settings.ts'
import { linearRegExp } from '../../../util/linear-regexp.ts'
import { mixSeed, seededRandom } from '../../../util/random.ts'
import { type Message, wordsIn } from '../../model-call.ts'
import { simInputTokens } from '../../prices/count-tokens.ts'
import { joined, lastResults } from '../fitting-rule.ts'
import type { SimCall } from '../sim-call.ts'
import { noteText, type Place, placesIn, placeText } from './own-words.ts'
import { factsShown, visibleFact } from './visible-facts.ts'

export type AgentSetting = Pick<ModelSetting, 'agent' | 'plans'>

/**
 * The next step of a simulated agent: decided by its last words, by the last output, and by the facts that the prompt
 * still shows. null: none of its plans matches this conversation.
 */
export function agentStep(call: SimCall, { agent = {}, plans = [] }: AgentSetting): SimStep | null {
  if (!call.tools?.some(({ name }) => name === agentTools.command)) return null
  const place = lastPlace(call.messages, plans)
  if (place === null) return null
  const { plan } = place
  const results = lastResults(call.messages)
  const output = joined(results)
  const step = nextStep(place, output, results.length > 0, agent)
  if (step === agentTools.submit) return submitted(plan, call)
  const said = ownPlaces(call.messages, plan).filter(one => one.step === step.name)
  const tries = place.looks_for === null ? Math.max(0, ...said.map(one => one.tries)) + 1 : place.tries
  const looked = said.flatMap(one => (one.tries === tries && one.looks_for !== null ? [one.looks_for] : []))
  // An output that went into a summary unseen does not count.
  const unseen = results.length > 0 ? null : place.looks_for
  const move = moveFor({ plan, step, tries, looked: looked.filter(name => name !== unseen) }, call, agent)
  const notes = notesOf(place, output, call, agent)
  const at = placeText({ plan, step: step.name, tries, looks_for: move.looks_for })
  return {
    answer: [`${move.words} ${at}`.trim(), ...notes].join('\n'),
    tool: { name: agentTools.command, arguments: { command: move.command } },
  }
}

/** The place that the agent last named; `step: null` in a conversation that only has its instruction yet. */
type LastPlace = Omit<Place, 'step'> & { readonly step: string | null }

function lastPlace(messages: readonly Message[], plans: readonly SimPlan[]): LastPlace | null {
  for (const message of messages.toReversed()) {
    if (message.role === 'tool' || message.role === 'system') continue
    const text = wordsIn(message.content)
    const said = placesIn(text, plans).at(-1)
    if (said !== undefined) return said
    const plan = message.role === 'user' ? plans.find(({ task }) => linearRegExp(task, 'isu').test(text)) : undefined
    if (plan !== undefined) return { plan, step: null, tries: 1, looks_for: null }
  }
  return null
}

function nextStep(
  { plan, step: name, tries, looks_for }: LastPlace,
  output: string,
  hasOutput: boolean,
  { patience = defaultTraits.patience }: SimAgent,
): SimPlanStep | typeof agentTools.submit {
  const { steps } = plan
  const at = steps.findIndex(step => step.name === name)
  const step = steps[at]
  if (step === undefined) return name === null ? (steps[0] ?? agentTools.submit) : agentTools.submit
  if (looks_for !== null) return step
  const following = steps[at + 1] ?? agentTools.submit
  if (step.expect === undefined) return following
  // The output may have gone into a summary: an unseen output must be produced again.
  if (!hasOutput) return step
  if (linearRegExp(step.expect, 'isu').test(output) || tries >= patience) return following
  return steps.find(({ name }) => name === step.else) ?? step
}

/** The agent's own words that it can still read. */
const ownPlaces = (messages: readonly Message[], plan: SimPlan): readonly Place[] =>
  messages.flatMap(message =>
    message.role === 'tool' || message.role === 'system' ? [] : placesIn(wordsIn(message.content), [plan]),
  )

interface Attempt {
  readonly plan: SimPlan
  readonly step: SimPlanStep
  readonly tries: number
  /** Facts that were already looked up: if that did not show them, they must be guessed. */
  readonly looked: readonly string[]
}

interface Move {
  readonly words: string
  readonly command: string
  readonly looks_for: string | null
}

function moveFor({ plan, step, tries, looked }: Attempt, call: SimCall, agent: SimAgent): Move {
  const luck = (...about: readonly string[]): number => drawn(call, plan.name, step.name, tries, ...about)
  const pick = (all: readonly string[], ...about: readonly string[]): string =>
    all[Math.floor(luck('which', ...about) * all.length)] ?? ''
  const { facts = {} } = plan
  const values = new Map<string, string>()
  let isWrong = luck('mistake') < mistakeRate(call, agent)
  for (const name of new Set([...factsIn(step.run, facts), ...(step.needs ?? [])])) {
    const fact = facts[name]
    if (fact === undefined) continue
    const known = visibleFact(name, fact, call.messages)
    if (known !== null) values.set(name, known)
    else if (
      fact.look !== undefined &&
      !looked.includes(name) &&
      luck('guess', name) >= (agent.guesses ?? defaultTraits.guesses)
    )
      return { words: `I no longer see "${name}" and look again.`, command: fact.look, looks_for: name }
    else if (fact.guess === undefined) isWrong = true
    else values.set(name, pick(fact.guess, name))
  }
  const command = isWrong && step.wrong !== undefined ? pick(step.wrong).replace('{run}', () => step.run) : step.run
  const filled = command.replaceAll(/\{([\w-]+)\}/g, (whole, name: string) => values.get(name) ?? whole)
  const words = step.say ?? (tries > 1 ? 'Once more.' : '')
  return { words, command: filled, looks_for: null }
}

function mistakeRate(call: SimCall, { mistakes = defaultTraits.mistakes, strain }: SimAgent): number {
  if (strain === undefined) return mistakes
  return mistakes + (strain.per_1000 * Math.max(0, simInputTokens(call) - strain.from)) / 1000
}

/** Facts of the last output that the agent writes down: looked-up ones always, others by chance. */
function notesOf(
  { plan, step, tries, looks_for }: LastPlace,
  output: string,
  call: SimCall,
  { notes = defaultTraits.notes }: SimAgent,
): readonly string[] {
  return factsShown(output, plan)
    .filter(([name]) => name === looks_for || drawn(call, plan.name, step ?? '', tries, 'note', name) < notes)
    .map(([name, value]) => noteText(name, value))
}

/**
 * Determined by the subject of the draw and nothing else: the same in every prompt, so that variants with one seed have
 * the same luck.
 */
const drawn = ({ seed, model }: SimCall, ...about: readonly (string | number)[]): number =>
  seededRandom(mixSeed('agent', seed, model, ...about)).next()

function submitted(plan: SimPlan, { tools = [] }: SimCall): SimStep {
  const answer = `Everything is done. ${placeText({ plan, step: agentTools.submit, tries: 1, looks_for: null })}`
  if (!tools.some(({ name }) => name === agentTools.submit)) return { answer }
  return { answer, tool: { name: agentTools.submit, arguments: {} } }
}
