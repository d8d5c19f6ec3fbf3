import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defineExperiment, run } from '../../src/api/index.ts'
import { folderWith } from '../support/assay.ts'

const kinds = {
  command: { kind: 'command', command: ['sh', '-c', 'echo "{{\\"value\\": {x}}}" >> $ASSAY_METRICS_FILE'] },
  function: { kind: 'function', module: 'square.mjs' },
}

it.each([
  ['command', 'command'],
  ['function', 'function'],
  ['command', 'function'],
] as const)('a %s and a %s experiment run side by side in one process', async (...pair) => {
  const folder = folderWith({ 'square.mjs': 'export default ({ x }) => x\n' })
  const both = pair.map((kind, index) => {
    // One has more to do, and continues when the other has ended.
    const x = Array.from({ length: index === 0 ? 3 : 30 }, (_, n) => n)
    const defined = defineExperiment(
      { name: 'e', factors: { x }, limits: { jobs: 2 }, target: kinds[kind] },
      { folder },
    )
    return run(defined, { dir: join(folder, `results-${index}`) })
  })
  const [few, many] = await Promise.all(both)
  expect(few).toMatchObject({ exitCode: 0, summary: { completed: 3, attempts: 3 } })
  expect(many).toMatchObject({ exitCode: 0, summary: { completed: 30, attempts: 30 } })
  for (const { params, metrics } of many?.runs ?? []) expect(metrics.value).toBe(params.x)
})
