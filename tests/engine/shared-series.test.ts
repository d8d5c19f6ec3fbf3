import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Progress, RunDetails } from '../../src/serve/wire.ts'
import { folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { heard, serveRoot } from '../support/dashboard.ts'

it('stores a running function’s series thinned, and every point at the end', async () => {
  const cwd = folderWith({
    'work.mjs': `import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
export default async (_, { report }) => {
  for (let step = 1; step <= 1000; step++) report('loss', 1 / step, step)
  report('alone', 7)
  while (!existsSync('go')) await setTimeout(20)
  report('loss', 0, 1001)
  return { score: 1 }
}
`,
    'e.yaml': 'name: e\ntarget: { kind: function, module: work.mjs }\nfactors: { x: [1] }\n',
  })
  const run = startAssay(['run', 'e.yaml', '--json'], { cwd })
  await run.said('"attempt_started"')
  const served = await serveRoot(cwd)
  const { running } = await heard<Progress>(
    served,
    'e',
    'progress',
    now => now.running[0]?.series[0]?.steps.at(-1) === 1000,
  )
  // One value is no series.
  expect(running[0]?.series.map(({ metric }) => metric)).toEqual(['loss'])
  const name = running[0]?.run ?? ''
  const details = (await (await served.ask('/api/run', { dir: 'e', run: name })).json()) as RunDetails
  expect(details.series[0]?.values).toHaveLength(400)
  writeFileSync(join(cwd, 'go'), '')
  expect(summaryOf(await run.ended)).toMatchObject({ completed: 1 })
  const after = (await (await served.ask('/api/run', { dir: 'e', run: name })).json()) as RunDetails
  expect(after.series.find(({ metric }) => metric === 'loss')?.values).toHaveLength(1001)
})
