import * as z from 'zod'
import { json, text, wholeNumberAbove0 } from '../../../define/schema/parts.ts'
import { type Check, type CheckRules, type Reaction, type Severity, severities } from '../scenario.ts'
import { linesOf, textOrEmpty } from './parts.ts'

const severity = z.enum(severities)
const reaction = z.enum(['log', 'warn', 'halt'])

const check = z.lazy(() =>
  z.strictObject({
    enabled: z.boolean().optional(),
    severity: severity.optional(),
    description: textOrEmpty.optional(),
    prompt_template: text.optional(),
    about: z.enum(['actor', 'world']).optional(),
  }),
)

/** `validation-rules.yaml` */
export const rulesFile = z.lazy(() =>
  z.strictObject({
    validation_model: text.optional(),
    checks: z.record(text, check).optional(),
    run_after_each_turn: z.boolean().optional(),
    run_at_scenario_end: z.boolean().optional(),
    generate_turn_reports: z.boolean().optional(),
    generate_summary_report: z.boolean().optional(),
    include_in_costs: json.optional(),
    halt_on_critical: z.boolean().optional(),
    max_issues_before_halt: wholeNumberAbove0.optional(),
    report_format: json.optional(),
    severity_thresholds: z
      .strictObject({
        low: reaction.optional(),
        medium: reaction.optional(),
        high: reaction.optional(),
        critical: reaction.optional(),
      })
      .optional(),
    scenario_specific_rules: json.optional(),
    reporting: z
      .strictObject({
        verbosity: json.optional(),
        include_suggestions: json.optional(),
        halt_on_critical: z.boolean().optional(),
      })
      .optional(),
  }),
)

/** null: no check is enabled. */
export function rulesOf(file: z.output<typeof rulesFile>, defaultModel: string): CheckRules | null {
  const checks = Object.entries(file.checks ?? {})
    .filter(([, { enabled }]) => enabled !== false)
    .map(
      ([name, written]): Check => ({
        name,
        about: written.about ?? (/world|state|coherence/.test(name) ? 'world' : 'actor'),
        severity: written.severity ?? 'medium',
        description: written.description ?? '',
        template: written.prompt_template ?? null,
      }),
    )
  if (checks.length === 0) return null
  const afterEach = file.run_after_each_turn ?? true
  return {
    model: file.validation_model ?? defaultModel,
    checks,
    after_each_turn: afterEach,
    at_end: !afterEach && (file.run_at_scenario_end ?? true),
    turn_reports: file.generate_turn_reports ?? true,
    summary_report: file.generate_summary_report ?? true,
    max_issues: file.max_issues_before_halt ?? null,
    reactions: reactionsOf(file),
    rules: linesOf(file.scenario_specific_rules).join('\n'),
  }
}

function reactionsOf({ severity_thresholds: given = {}, halt_on_critical, reporting }: z.output<typeof rulesFile>) {
  const halts = halt_on_critical ?? reporting?.halt_on_critical ?? false
  const usual: { readonly [S in Severity]: Reaction } = {
    ...{ low: 'log', medium: 'warn', high: halts ? 'halt' : 'warn', critical: halts ? 'halt' : 'warn' },
  }
  return { ...usual, ...Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)) }
}
