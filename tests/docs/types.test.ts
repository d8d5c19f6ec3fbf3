import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { fencedBlocks } from './fenced-blocks.ts'
import { newProject, root } from './new-project.ts'

/** As strict as possible, with assay's types only: without Node's, and all checked. */
const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  types: [],
  noEmit: true,
}

/** Every script of the documentation, by a name for it. */
const scripts = globSync('docs/*.md', { cwd: root }).flatMap(page =>
  fencedBlocks(readFileSync(join(root, page), 'utf8'))
    .filter(({ language, words }) => language === 'ts' && words.length > 0)
    .map(({ text, line }) => [`${basename(page, '.md')}-${line}.mts`, text] as const),
)

/** Wrong uses must not compile; without types they would. */
const mistaken = `import { defineExperiment, plan } from 'assay'
import { mean } from 'assay/stats'
const experiment = defineExperiment({ name: 'e', factors: { x: [1, 2] }, target: () => 1 })
// @ts-expect-error: the option is called filters
plan(experiment, { filter: ['x > 1'] })
// @ts-expect-error: there may be no mean
mean([]).toFixed()
`

it('an installed clone has self-contained types after `npm start`', () => {
  expect(scripts.length).toBeGreaterThan(5)
  const cwd = newProject({
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'mistaken.mts': mistaken,
    ...Object.fromEntries(scripts),
  })
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  expect(spawnSync(process.execPath, [tsc, '-p', '.'], { cwd, encoding: 'utf8' })).toMatchObject({
    stdout: '',
    stderr: '',
    status: 0,
  })
})
