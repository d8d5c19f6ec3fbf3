import type { Overview } from '../../../src/serve/wire.ts'

export const orders = {
  activity: 'latest activity',
  created: 'newest',
  name: 'name',
  progress: 'least complete',
  cost: 'most spent',
} as const

export type Order = keyof typeof orders

/** The reader's selection of the list. */
export interface Wanted {
  /** Words that must all be in name, place, description or tags. */
  readonly words: string
  /** null: any tags. */
  readonly tag: string | null
  readonly order: Order
}

/** The matching experiments, in an order that does not change when runs end. */
export function wantedOf(all: readonly Overview[], { words, tag, order }: Wanted): readonly Overview[] {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean)
  return all
    .filter(one => parts.every(part => textOf(one).includes(part)))
    .filter(one => tag === null || (!('problem' in one) && one.tags.includes(tag)))
    .toSorted((a, b) => inOrder[order](a, b) || (a.id < b.id ? -1 : 1))
}

/** All tags, the most frequent first. */
export function tagsIn(all: readonly Overview[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const one of all) for (const tag of 'problem' in one ? [] : one.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([tag]) => tag)
}

const textOf = (one: Overview): string =>
  ('problem' in one ? one.id : [one.id, one.name, one.description, ...one.tags].join(' ')).toLowerCase()

type Compare = (a: Overview, b: Overview) => number

const by =
  (number: (one: Exclude<Overview, { problem: string }>) => number): Compare =>
  (a, b) =>
    ('problem' in b ? Number.NEGATIVE_INFINITY : number(b)) - ('problem' in a ? Number.NEGATIVE_INFINITY : number(a)) ||
    0

const isAtWork = (one: Overview): boolean =>
  !('problem' in one) && ['running', 'paused', 'stopping'].includes(one.state)

const nameOf = (one: Overview): string => ('problem' in one ? one.id : one.name)

const inOrder: Readonly<Record<Order, Compare>> = {
  // During a run the last activity changes every moment: then the start time counts.
  activity: (a, b) =>
    Number(isAtWork(b)) - Number(isAtWork(a)) ||
    by(one => (isAtWork(one) ? one.created_at : (one.last_at ?? one.created_at)))(a, b),
  created: by(one => one.created_at),
  name: (a, b) => nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }),
  progress: by(({ summary }) => -(summary.planned === 0 ? 1 : (summary.planned - summary.pending) / summary.planned)),
  cost: by(({ summary }) => summary.cost_usd),
}
