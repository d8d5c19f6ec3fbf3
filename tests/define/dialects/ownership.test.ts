import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The command target offers programs a stand-in for the module `wandb`, under that key: no matter of a dialect. */
const capability = /^src\/targets\/command\/(wandb\/|spec\.ts|command-target\.ts)/

test('the name of a dialect is known in its own folder and in its layout, and nowhere else', () => {
  const others = globSync('src/**/*.ts').filter(
    file => !/^src\/(define\/dialects|report\/layouts)\//.test(file) && !capability.test(file),
  )
  const naming = others.filter(file => /matrix-?json|wandb|rollouts-?toml/i.test(readFileSync(file, 'utf8')))
  expect(others.length).toBeGreaterThan(500)
  expect(naming).toEqual([])
})
