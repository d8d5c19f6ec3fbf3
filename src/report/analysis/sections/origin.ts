import type { Provenance } from '../../../analyze/provenance/provenance.ts'
import { provenanceFacts, settingFacts } from '../../../analyze/provenance/provenance-text.ts'
import { safe } from '../markdown.ts'
import { mostRows, type Section } from './section.ts'

/** The names of all runs that were used are in patterns.json. */
export function origin(provenance: Provenance): Section {
  const excluded = provenance.excluded.slice(0, mostRows)
  const left = provenance.excluded.length - excluded.length
  const settings = settingFacts(provenance).map(({ name, text: fact }) => `${name} ${fact}`)
  return [
    '## Where this comes from',
    '',
    ...provenanceFacts({ ...provenance, excluded }).map(({ name, text: fact }) => `- ${safe(name)}: ${safe(fact)}`),
    ...(left > 0 ? [`- excluded: ${left} more, in patterns.json`] : []),
    `- settings: ${safe(settings.join('; '))}`,
  ]
}
