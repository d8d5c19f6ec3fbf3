import * as z from 'zod'
import { json, text } from '../../../define/schema/parts.ts'
import { isJsonObject, type Json } from '../../../util/json.ts'
import type { EventCondition, EventEffect, ExogenousEvent, TurnRange } from '../scenario.ts'
import { linesOf, textOrEmpty, turnNumber, turnRange } from './parts.ts'

const probability = z
  .number()
  .min(0, { error: 'expected a number from 0 to 1' })
  .max(1, { error: 'expected a number from 0 to 1' })

const metricCondition = z.lazy(() =>
  z.strictObject({
    type: z.enum(['metric', 'metrics']),
    metric: text,
    operator: z.enum(['>', '>=', '<', '<=', '==', '!=']),
    value: json,
  }),
)
const worldCondition = z.lazy(() =>
  z.strictObject({
    type: z.literal('world_state_contains'),
    pattern: text,
    sensitivity: text.optional(),
  }),
)

const conditions = z.lazy(() =>
  z.union(
    [
      z.record(text, z.union([z.string(), z.number(), z.boolean()])),
      z.array(z.discriminatedUnion('type', [metricCondition, worldCondition])),
    ],
    { error: 'expected a map such as { trust: "< 3" }, or a list of conditions' },
  ),
)

const shared = {
  name: text,
  description: textOrEmpty.optional(),
  effect: json.optional(),
  effects: json.optional(),
  impact: json.optional(),
  once: z.boolean().optional(),
  turn_range: turnRange.optional(),
  metadata: json.optional(),
}

const trend = { frequency: turnNumber.optional(), probability_per_turn: probability.optional() }
const random = { probability }
const conditional = { conditions }
const scheduled = {
  turn: turnNumber.optional(),
  turns: z.array(turnNumber).min(1).optional(),
  schedule: z.strictObject({ turns: z.array(turnNumber).min(1) }).optional(),
}

const listed = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('trend'), ...shared, ...trend }),
    z.strictObject({ type: z.literal('random'), ...shared, ...random }),
    z.strictObject({ type: z.literal('conditional'), ...shared, ...conditional }),
    z.strictObject({ type: z.literal('scheduled'), ...shared, ...scheduled }),
  ]),
)

/** `exogenous-events.yaml`: one list in which each event has a type, or a list for each type. */
export const eventsFile = z.lazy(() =>
  z.strictObject({
    exogenous_events: z.array(listed).optional(),
    trends: z.array(z.strictObject({ ...shared, ...trend })).optional(),
    random_events: z.array(z.strictObject({ ...shared, ...random })).optional(),
    conditional_events: z.array(z.strictObject({ ...shared, ...conditional })).optional(),
    scheduled_events: z.array(z.strictObject({ ...shared, ...scheduled })).optional(),
  }),
)

type WrittenEvent = z.output<typeof listed>

/** The events of a file, each with the path where it is written. */
export function eventsOf(
  file: z.output<typeof eventsFile>,
): readonly { readonly event: ExogenousEvent; readonly path: readonly (string | number)[] }[] {
  const lists: readonly (readonly [string, readonly WrittenEvent[]])[] = [
    ['exogenous_events', file.exogenous_events ?? []],
    ['trends', (file.trends ?? []).map(one => ({ type: 'trend' as const, ...one }))],
    ['random_events', (file.random_events ?? []).map(one => ({ type: 'random' as const, ...one }))],
    ['conditional_events', (file.conditional_events ?? []).map(one => ({ type: 'conditional' as const, ...one }))],
    ['scheduled_events', (file.scheduled_events ?? []).map(one => ({ type: 'scheduled' as const, ...one }))],
  ]
  return lists.flatMap(([list, events]) => events.map((one, at) => ({ event: eventOf(one), path: [list, at] })))
}

function eventOf(written: WrittenEvent): ExogenousEvent {
  const { name, once, turn_range: turns = null } = written
  const effects = effectsOf(written)
  switch (written.type) {
    case 'trend': {
      const { frequency = 1, probability_per_turn: chance = 1 } = written
      return { name, effects, once: once ?? false, when: { kind: 'trend', frequency, probability: chance, turns } }
    }
    case 'random':
      return { name, effects, once: once ?? true, when: { kind: 'random', probability: written.probability, turns } }
    case 'scheduled': {
      const at = [
        ...(written.turn === undefined ? [] : [written.turn]),
        ...(written.turns ?? []),
        ...(written.schedule?.turns ?? []),
      ]
      return { name, effects, once: once ?? false, when: { kind: 'scheduled', at } }
    }
    case 'conditional':
      return {
        name,
        effects,
        once: once ?? true,
        when: { kind: 'conditional', conditions: conditionsOf(written.conditions), turns },
      }
  }
}

/** What happens, by turn if `effects` says so; a description and an effect are joined. */
function effectsOf({ description = '', effect, effects, impact }: WrittenEvent): readonly EventEffect[] {
  const always = [description, ...linesOf(effect), ...linesOf(impact)]
    .map(line => line.trim())
    .filter(line => line !== '')
  const parts: readonly Json[] = Array.isArray(effects) ? effects : effects === undefined ? [] : [effects]
  const ranged = parts.filter(isJsonObject).filter(part => part.turn_range !== undefined)
  if (ranged.length === 0) return [{ turns: null, text: [...always, ...parts.flatMap(linesOf)].join(' ') }]
  return ranged.map(({ turn_range, ...part }) => ({
    turns: rangeIn(turn_range),
    text: [...always, ...Object.values(part).flatMap(linesOf)].join(' '),
  }))
}

const rangeIn = (value: Json | undefined): TurnRange => turnRange.safeParse(value).data ?? null

function conditionsOf(written: z.output<typeof conditions>): readonly EventCondition[] {
  if (Array.isArray(written))
    return written.map(one =>
      one.type === 'world_state_contains'
        ? { kind: 'world', patterns: one.sensitivity === undefined ? [one.pattern] : [one.pattern, one.sensitivity] }
        : { kind: 'metric', expression: `${one.metric} ${one.operator} ${literal(one.value)}` },
    )
  return Object.entries(written).map(([metric, test]) => ({ kind: 'metric', expression: `${metric} ${testOf(test)}` }))
}

/** `">= 7"` is a test; a value alone must be equal. */
function testOf(test: string | number | boolean): string {
  if (typeof test !== 'string') return `== ${literal(test)}`
  const [, operator = '==', value = ''] = /^\s*(>=|<=|==|!=|>|<|=)?\s*(.*?)\s*$/s.exec(test) ?? []
  return `${operator === '=' ? '==' : operator} ${literal(plainValue(value))}`
}

function plainValue(text: string): Json {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text.replaceAll(/^["']|["']$/g, '')
}

const literal = (value: Json): string => JSON.stringify(value)
