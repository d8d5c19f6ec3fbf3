import type { ZodType } from 'zod'
import { examineSource, type readSource } from '../../../define/read-files.ts'
import { compileExpression } from '../../../plan/expression/compile.ts'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { isJsonObject, type Json } from '../../../util/json.ts'
import { readableNames } from '../metrics/expression.ts'
import type { Actor, CheckRules, ExogenousEvent, Metric, Scenario } from '../scenario.ts'
import { actorAliases, actorFile, actorOf, defaultModel } from './actor-schema.ts'
import { eventsFile, eventsOf } from './events-schema.ts'
import { metricsFile, metricsOf } from './metrics-schema.ts'
import { linesOf } from './parts.ts'
import { rulesFile, rulesOf } from './rules-schema.ts'
import { idleKeys, type ScenarioFile, scenarioAliases, scenarioFile } from './scenario-schema.ts'

export type Source = ReturnType<typeof readSource>

/** The existing files of a scenario. */
export interface Documents {
  readonly scenario: Source
  readonly actors: readonly Source[]
  readonly metrics: Source | null
  readonly events: Source | null
  readonly rules: Source | null
}

export interface Assembled {
  /** null: there are problems. */
  readonly scenario: Scenario | null
  /** A line for each, with file, line and column. */
  readonly problems: readonly string[]
  /** Notes for the user: keys without effect, or with another one than expected. */
  readonly notes: readonly string[]
}

/** One scenario from its files, or all of their problems. */
export function assemble(documents: Documents): Assembled {
  const problems: string[] = []
  const notes: string[] = []
  const read: Read = (schema, source, check) => {
    const { value, problems: found, unknown } = examineSource(checked(schema, check), source)
    problems.push(...unknown, ...found)
    return value
  }
  const file = read(scenarioFile, renamed(documents.scenario, scenarioAliases, problems), scenarioProblems)
  const actors = documents.actors.flatMap((source): readonly Actor[] => {
    const value = read(actorFile, renamed(source, actorAliases, problems))
    return value === null ? [] : [actorOf(value)]
  })
  if (file === null || actors.length < documents.actors.length) return { scenario: null, problems, notes }
  const narrator = file.world_state_model ?? defaultModel
  const before = problems.length
  const metrics = metricsIn(documents.metrics, {
    read,
    actors,
    narrator,
    notes,
    isOn: file.features?.metrics_extraction?.enabled !== false,
  })
  // If the metrics are unknown, what uses them can't be checked.
  const names = problems.length > before ? null : readableNames(metrics, actors)
  const events = eventsIn(documents.events, { read, names, isOn: file.features?.exogenous_events?.enabled !== false })
  const checks = checksIn(documents.rules, {
    read,
    narrator,
    isOn: file.features?.quality_assurance?.enabled !== false,
  })
  notes.push(...idleNotes(file))
  const { success, note } = successOf(file)
  if (note !== null) notes.push(note)
  const until = file.scenario_length?.type === 'condition' ? (file.scenario_length.condition ?? null) : null
  const expressions = [
    { path: [file.success === undefined ? 'success_criteria' : 'success'], expression: success },
    { path: ['scenario_length', 'condition'], expression: until },
  ]
  for (const { path, expression } of expressions) {
    const wrong = expression === null || names === null ? null : expressionProblem(expression, names)
    if (wrong !== null) problems.push(`${placeIn(documents.scenario, path)}  ${path.join('.')}: ${wrong}`)
  }
  if (problems.length > 0) return { scenario: null, problems, notes }
  return { scenario: scenarioOf(file, { actors, metrics, events, checks, success, until }), problems, notes }
}

type Read = <T>(schema: ZodType<T>, source: Source, check?: Check<T>) => T | null
type Check<T> = (value: T) => readonly PlacedProblem[]

interface PlacedProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly hint?: string
}

/** Problems beyond a schema are reported at their place too. */
const checked = <T>(schema: ZodType<T>, check: Check<T> | undefined): ZodType<T> =>
  check === undefined
    ? schema
    : schema.superRefine((value, context) => {
        for (const { path, message, hint } of check(value))
          context.addIssue({
            code: 'custom',
            path: [...path],
            message: hint === undefined ? message : `${message}; ${hint}`,
          })
      })

/** `scenario.yaml:3:1`, if known. */
export function placeIn(source: Source, path: readonly (string | number)[]): string {
  const at = source.positionOf(path, 'key')
  return at === null ? String(source.file) : `${source.file}:${at.line}:${at.column}`
}

/** A file with its keys renamed to those of the schema; positions stay those of the file. */
function renamed(source: Source, aliases: { readonly [alias: string]: string }, problems: string[]): Source {
  const { value } = source
  if (!isJsonObject(value)) return source
  const written = new Map(Object.keys(value).map(key => [aliases[key] ?? key, key]))
  for (const [alias, name] of Object.entries(aliases))
    if (Object.hasOwn(value, alias) && Object.hasOwn(value, name)) {
      problems.push(`${placeIn(source, [alias])}  "${alias}" and "${name}" are the same key; keep one of them`)
    }
  return {
    ...source,
    value: Object.fromEntries([...written].map(([name, key]): [string, Json] => [name, value[key] ?? null])),
    positionOf: ([first, ...rest], part) =>
      source.positionOf(first === undefined ? [] : [written.get(String(first)) ?? first, ...rest], part),
  }
}

const scenarioProblems: Check<ScenarioFile> = file => [
  ...(turnsOf(file) === undefined
    ? [{ path: [], message: 'the number of turns is missing', hint: 'add turns: 5' }]
    : []),
  ...(file.scenario_length?.type === 'condition' && file.scenario_length.condition === undefined
    ? [
        {
          path: ['scenario_length'],
          message: 'a length by condition needs the condition',
          hint: 'condition: "agreement == 1"',
        },
      ]
    : []),
]

const turnsOf = ({ turns, scenario_length, parameters }: ScenarioFile): number | undefined =>
  turns ?? scenario_length?.turns ?? scenario_length?.max_turns ?? parameters?.max_turns

interface MetricsParts {
  readonly read: Read
  readonly actors: readonly Actor[]
  readonly narrator: string
  readonly notes: string[]
  readonly isOn: boolean
}

function metricsIn(source: Source | null, { read, actors, narrator, notes, isOn }: MetricsParts): readonly Metric[] {
  if (source === null) return []
  const file = read(metricsFile, source, value => metricsOf(value, actors, narrator).problems)
  if (file === null) return []
  const { metrics, manual } = metricsOf(file, actors, narrator)
  if (manual.length > 0) notes.push(`${source.file}: ${manual.join(', ')}: filled in by hand, so not measured`)
  for (const key of ['export_format', 'auto_export', 'export_path'] as const)
    if (file[key] !== undefined) notes.push(`${source.file}: ${key} does nothing: metrics.json is always written`)
  for (const { name, type, extraction } of metrics)
    if (type === 'categorical' && extraction.kind === 'keyword')
      notes.push(`${source.file}: ${name}: the category that is named most often counts; its keywords are not used`)
  return isOn ? metrics : []
}

interface EventsParts {
  readonly read: Read
  /** null: not known. */
  readonly names: ReadonlySet<string> | null
  readonly isOn: boolean
}

function eventsIn(source: Source | null, { read, names, isOn }: EventsParts): readonly ExogenousEvent[] {
  if (source === null) return []
  const file = read(eventsFile, source, value =>
    eventsOf(value).flatMap(({ event: { when }, path }): readonly PlacedProblem[] => {
      if (when.kind === 'scheduled' && when.at.length === 0)
        return [{ path, message: 'a scheduled event needs its turn', hint: 'turn: 3' }]
      if (when.kind !== 'conditional') return []
      return when.conditions.flatMap(condition => {
        const message =
          condition.kind === 'metric'
            ? names && expressionProblem(condition.expression, names)
            : patternProblem(condition.patterns)
        return message === null ? [] : [{ path: [...path, 'conditions'], message }]
      })
    }),
  )
  return file === null || !isOn ? [] : eventsOf(file).map(({ event }) => event)
}

function patternProblem(patterns: readonly string[]): string | null {
  try {
    for (const one of patterns) new RegExp(one, 'i')
    return null
  } catch (error) {
    return messageOf(error)
  }
}

function expressionProblem(expression: string, names: ReadonlySet<string>): string | null {
  try {
    compileExpression(expression, names)
    return null
  } catch (error) {
    const hint = error instanceof AssayError && error.hint !== undefined ? `\n  ${error.hint}` : ''
    return `${messageOf(error).replace('there is no parameter', 'there is no metric')}${hint}`
  }
}

interface ChecksParts {
  readonly read: Read
  readonly narrator: string
  readonly isOn: boolean
}

function checksIn(source: Source | null, { read, narrator, isOn }: ChecksParts): CheckRules | null {
  const file = source === null ? null : read(rulesFile, source)
  return file === null || !isOn ? null : rulesOf(file, narrator)
}

function idleNotes(file: ScenarioFile): readonly string[] {
  const idle = Object.entries(idleKeys).filter(([key]) => key in file)
  return [
    ...idle.map(([key, why]) => `scenario.yaml: ${key} changes nothing: ${why}`),
    ...(file.features?.context_management?.max_context_tokens === undefined
      ? []
      : [
          'scenario.yaml: max_context_tokens changes nothing: context_window_size says how many turns a prompt holds in full',
        ]),
    ...(file.black_swans !== undefined && file.enable_black_swans === false
      ? ['scenario.yaml: black_swans are not drawn, because enable_black_swans is false']
      : []),
  ]
}

/** A text is distinguished from an expression by having no comparison in it. */
function successOf({ success, success_criteria }: ScenarioFile): {
  readonly success: string | null
  readonly note: string | null
} {
  if (success !== undefined) return { success: String(success), note: null }
  if (success_criteria === undefined) return { success: null, note: null }
  const criteria = linesOf(success_criteria)
  if (typeof success_criteria === 'string' || Array.isArray(success_criteria)) {
    if (criteria.every(one => /[<>]=?|[!=]=/.test(one)))
      return { success: criteria.map(one => `(${one})`).join(' and '), note: null }
  }
  const note =
    'scenario.yaml: success_criteria are words for people, so reaching the end counts as a success; write an expression over metrics under success: "trust >= 6"'
  return { success: null, note }
}

interface OtherParts extends Pick<Scenario, 'actors' | 'metrics' | 'events' | 'checks' | 'success' | 'until'> {}

function scenarioOf(file: ScenarioFile, parts: OtherParts): Scenario {
  const { features = {}, parameters } = file
  const { communications, context_management: context } = features
  const talks = file.enable_bilateral_communication ?? communications?.enabled ?? true
  const most = file.max_communications_per_turn ?? communications?.max_per_turn ?? 2
  const swans = file.enable_black_swans === false ? [] : (file.black_swans ?? [])
  const narrator = file.world_state_model ?? defaultModel
  return {
    name: file.name,
    description: file.description ?? '',
    system_prompt: file.system_prompt ?? '',
    background: linesOf(file.background_information).join('\n'),
    initial_world_state: file.initial_world_state.trim(),
    turn_duration: file.turn_duration ?? parameters?.turn_duration ?? '1 turn',
    turns: turnsOf(file) ?? 1,
    context_window: context?.enabled === false ? null : (file.context_window_size ?? context?.window ?? 3),
    talks_per_turn: talks ? most : 0,
    has_coalitions: file.enable_coalition_formation ?? communications?.coalitions ?? false,
    world_state_model: narrator,
    summary_model: file.summary_model ?? context?.summarization_model ?? narrator,
    ...parts,
    events: [
      ...parts.events,
      ...swans.map(
        ({ name, description = '', probability, turn_range: turns = null, effects }): ExogenousEvent => ({
          ...{
            name,
            once: true,
            effects: [{ turns: null, text: [description, ...linesOf(effects)].filter(Boolean).join(' ') }],
          },
          when: { kind: 'random', probability, turns },
        }),
      ),
    ],
  }
}
