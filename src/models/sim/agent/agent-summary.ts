import { defaultTraits, type SimStep } from '../../../define/models/model-settings.ts'
import { mixSeed, seededRandom } from '../../../util/random.ts'
import { joined } from '../fitting-rule.ts'
import type { SimCall } from '../sim-call.ts'
import type { AgentSetting } from './agent-step.ts'
import { noteText, type Place, placesIn, placeText } from './own-words.ts'
import { factsStated } from './visible-facts.ts'

/**
 * A summary written by a simulated agent: its progress, and those facts of the turns that it keeps. null: the call asks
 * for no summary, or the turns are not a simulated agent's.
 */
export function agentSummary(call: SimCall, { agent = {}, plans = [] }: AgentSetting): SimStep | null {
  if (call.purpose !== 'summary') return null
  const text = joined(call.messages)
  const said = placesIn(text, plans)
  const last = said.at(-1)
  if (last === undefined) return null
  const { words = defaultTraits.words, keeps = defaultTraits.keeps } = agent.summary ?? {}
  const steps = [...new Set(said.filter(({ plan }) => plan === last.plan).map(({ step }) => step))]
  const lines = [
    `COMPLETED: ${steps.join(', ')}`,
    ...keptFacts(text, last, call, keeps),
    `CURRENT_STATE: ${placeText(last)}`,
  ]
  return { answer: padded(lines, words) }
}

function keptFacts(text: string, { plan, step }: Place, { seed, model }: SimCall, keeps: number): readonly string[] {
  const isKept = (name: string): boolean =>
    seededRandom(mixSeed('summary', seed, model, plan.name, step, name)).next() < keeps
  return factsStated(text, plan)
    .filter(([name]) => isKept(name))
    .map(([name, value]) => noteText(name, value))
}

const defaultWords =
  'The task is as described above and the work on it goes on from here as planned without changes'.split(' ')

/** Padded to the declared number of words, so that a summary has a realistic cost. */
function padded(lines: readonly string[], words: number): string {
  const missing = words - lines.join(' ').split(/\s+/).length
  if (missing <= 0) return lines.join('\n')
  const more = Array.from({ length: missing }, (_, index) => defaultWords[index % defaultWords.length])
  return [...lines, `USER_CONTEXT: ${more.join(' ')}`].join('\n')
}
