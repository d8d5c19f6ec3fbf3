import { expect, it } from 'vitest'
import type { Overview } from '../../src/serve/wire.ts'
import { type Order, tagsIn, wantedOf } from '../../web/live/pages/experiment-list.ts'

const one = (id: string, more: object = {}): Overview =>
  ({
    id,
    name: id,
    description: '',
    tags: [],
    state: 'complete',
    created_at: 0,
    last_at: null,
    summary: { planned: 10, pending: 0, cost_usd: 0 },
    ...more,
  }) as never

const all: readonly Overview[] = [
  one('sweep 10', { last_at: 50, tags: ['paper', 'old'], summary: { planned: 10, pending: 5, cost_usd: 3 } }),
  one('sweep 2', { last_at: 90, created_at: 5, description: 'Queues', tags: ['paper'] }),
  one('live b', { state: 'running', created_at: 20, last_at: 100 }),
  one('live a', { state: 'running', created_at: 10, last_at: 200 }),
  { id: 'broken', problem: 'no database' },
]
const ids = (order: Order, words = '', tag: string | null = null, of = all) =>
  wantedOf(of, { words, tag, order }).map(({ id }) => id)

it('lists running experiments first, in a stable order', () => {
  expect(ids('activity')).toEqual(['live b', 'live a', 'sweep 2', 'sweep 10', 'broken'])
  const later = all.map(other => (other.id === 'live a' ? { ...other, last_at: 999 } : other))
  expect(ids('activity', '', null, later as readonly Overview[])).toEqual(ids('activity'))
})

it('sorts by name in natural order, by progress and by spend', () => {
  expect(ids('name')).toEqual(['broken', 'live a', 'live b', 'sweep 2', 'sweep 10'])
  expect(ids('progress')[0]).toBe('sweep 10')
  expect(ids('cost')[0]).toBe('sweep 10')
  expect(ids('created').slice(0, 3)).toEqual(['live b', 'live a', 'sweep 2'])
})

it('finds words in name, description and tags, and experiments by tag', () => {
  expect(ids('name', 'SWEEP queue')).toEqual(['sweep 2'])
  expect(ids('name', 'paper')).toEqual(['sweep 2', 'sweep 10'])
  expect(ids('name', '', 'old')).toEqual(['sweep 10'])
  expect(tagsIn(all)).toEqual(['paper', 'old'])
})
