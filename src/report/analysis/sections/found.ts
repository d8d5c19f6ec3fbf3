import { sentenceText } from '../../../analyze/batch/patterns/findings.ts'
import type { Finding } from '../../../analyze/batch/patterns/patterns.ts'
import { safe } from '../markdown.ts'
import type { Section } from './section.ts'

export function found(findings: readonly Finding[]): Section {
  const lines = (exploratory: boolean) =>
    findings.filter(finding => finding.exploratory === exploratory).map(finding => `- ${safe(sentenceText(finding))}`)
  const explored = lines(true)
  return [
    '## What was found',
    '',
    ...lines(false),
    ...(explored.length === 0 ? [] : ['', 'Found by looking around, and not yet a result:', '', ...explored]),
  ]
}
