import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the name of a dialect is known in its own folder and in its layout, and nowhere else', () => {
  const others = globSync('src/**/*.ts').filter(file => !/^src\/(define\/dialects|report\/layouts)\//.test(file))
  const naming = others.filter(file => /matrix-?json|wandb|rollouts-?toml/i.test(readFileSync(file, 'utf8')))
  expect(others.length).toBeGreaterThan(500)
  expect(naming).toEqual([])
})
