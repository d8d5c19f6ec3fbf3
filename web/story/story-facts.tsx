import type { StoryView } from '../../src/report/dataset/turns.ts'
import { counted, listed } from '../../src/util/words.ts'
import { type Fact, Facts } from '../parts/facts.tsx'
import { priceText } from './price-text.ts'

/** The scenario, its players, how it ended, and what it cost. */
export function StoryFacts({ view }: { readonly view: StoryView }) {
  const { scenario, actors, turn_count, total_turns, calls, price_usd, file } = view
  const cast = actors.map(({ name, model }) => (model === null ? name : `${name} (${model})`))
  const facts: readonly Fact[] = [
    ['Scenario', scenario],
    ['Ended', endText(view)],
    ['Length', `${counted(turn_count, 'turn')} of ${total_turns}`],
    ['Actors', listed(cast, 20)],
    ['Calls', `${counted(calls, 'call')}, ${priceText(price_usd)}`],
    ['Files', `turns/ and ${file} in the run’s folder`],
  ]
  return <Facts facts={facts} />
}

function endText({ status, halt_reason, success }: StoryView): string {
  if (status === 'running') return 'not yet: this is how far it is'
  if (status === 'halted')
    return `cut short${halt_reason === null ? '' : `: ${halt_reason.replaceAll('_', ' ')}`}; not scored`
  return success === null
    ? 'reached its end; success is unknown'
    : `reached its end; ${success ? 'a success' : 'no success'}`
}
