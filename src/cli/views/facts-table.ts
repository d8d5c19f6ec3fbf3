import type { ModelFacts } from '../../models/model-facts.ts'
import { type Output, tableWidth } from '../io.ts'
import { significant } from './number.ts'
import { styler } from './style.ts'
import { tableLines } from './table.ts'

/** Where models go and what they cost, one line each; notes for the user below. */
export function factsLines(facts: readonly ModelFacts[], output: Output, more: ExtraColumn[] = []): string[] {
  if (facts.length === 0) return []
  const style = styler(output)
  const head = ['model', 'provider', 'id', 'key', '$ in', '$ out', 'context', ...more.map(({ title }) => title)]
  const rows = facts.map((fact, row) => [
    fact.name,
    fact.title,
    fact.model === fact.name ? '' : fact.model,
    keyText(fact),
    ...priceTexts(fact),
    fact.context === null ? '–' : thousands(fact.context),
    ...more.map(({ cells }) => cells[row] ?? ''),
  ])
  return [...tableLines(head, rows, { columns: tableWidth(output), head: style.bold }), ...noteLines(facts, style.dim)]
}

export interface ExtraColumn {
  readonly title: string
  readonly cells: readonly string[]
}

function keyText({ key, has_access, is_simulated, problem }: ModelFacts): string {
  if (is_simulated) return 'none needed'
  if (problem !== null && problem.fault !== 'missing_key') return '–'
  if (key === null) return has_access ? 'none needed' : 'missing'
  return has_access ? 'set' : `${key} missing`
}

/** Per million tokens. */
function priceTexts({ price }: ModelFacts): readonly [string, string] {
  if (price === null) return ['unknown', 'unknown']
  if (price === 'free') return ['free', 'free']
  return [significant(price.input), significant(price.output)]
}

const thousands = (tokens: number): string =>
  tokens >= 1000 ? `${significant(Math.round(tokens / 1000))}k` : String(tokens)

/** Each once: several presets may be one model. */
function noteLines(facts: readonly ModelFacts[], dim: (text: string) => string): string[] {
  const notes = [...new Set(facts.flatMap(({ notes: of }) => of))]
  return notes.length === 0 ? [] : ['', ...notes.map(note => dim(`note: ${note}`))]
}
