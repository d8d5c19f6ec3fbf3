import * as z from 'zod'
import { json } from '../../../define/schema/parts.ts'
import type { Json, JsonObject } from '../../../util/json.ts'
import { actorAliases } from './actor-schema.ts'
import { type Assembled, assemble, type Source } from './assemble.ts'
import { scenarioAliases } from './scenario-schema.ts'

const object = z.lazy(() => z.record(z.string(), json))

/** The contents of a scenario's files, as data: part of the experiment, which is complete without them. */
export const scenarioFiles = z.lazy(() =>
  z.strictObject({
    scenario: object,
    /** By short name, in the order in which they act. */
    actors: z.record(z.string(), z.strictObject({ file: z.string(), text: object })),
    metrics: json.nullable(),
    events: json.nullable(),
    rules: json.nullable(),
  }),
)

export type ScenarioFiles = z.output<typeof scenarioFiles>

/** The problem of a parameter that should change them. */
export interface OverrideProblem {
  readonly name: string
  readonly message: string
  readonly hint?: string
  /** Whether the name is valid, but the value is not. */
  readonly isAboutValue?: true
}

/** The scenario that such data makes. */
export const assembleFiles = ({ scenario, actors, metrics, events, rules }: ScenarioFiles): Assembled =>
  assemble({
    scenario: asSource('scenario.yaml', scenario),
    actors: Object.values(actors).map(({ file, text }) => asSource(file, text)),
    metrics: metrics === null ? null : asSource('metrics.yaml', metrics),
    events: events === null ? null : asSource('exogenous-events.yaml', events),
    rules: rules === null ? null : asSource('validation-rules.yaml', rules),
  })

const asSource = (file: string, value: Json): Source => ({
  ...{ file, value, positionOf: () => null, spellingOf: () => null, optionOf: () => null },
})

/** The same data under the names that overrides set. */
export const withoutAliases = ({ actors, ...files }: ScenarioFiles): ScenarioFiles => ({
  ...files,
  scenario: renamed(files.scenario, scenarioAliases),
  actors: Object.fromEntries(
    Object.entries(actors).map(([name, { file, text }]) => [name, { file, text: renamed(text, actorAliases) }]),
  ),
})

const renamed = (data: JsonObject, aliases: { readonly [alias: string]: string }): { [key: string]: Json } =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [aliases[key] ?? key, value]))
