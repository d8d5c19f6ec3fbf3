import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as stats from '../../src/stats/index.ts'

it('the page about statistics names every function that assay/stats exports, and no other', () => {
  const page = readFileSync(new URL('../../docs/statistics.md', import.meta.url), 'utf8')
  const table = page.slice(page.indexOf('## What is there'), page.indexOf('```js file=agents.mjs'))
  const named = [...table.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(Object.keys(stats).toSorted())
})
