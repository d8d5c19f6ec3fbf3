import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Journal } from '../../../src/record/journal/journal.ts'
import { journalFile } from '../../../src/record/places.ts'
import { recordedRuns } from '../../../src/record/read/observations.ts'
import { assay, folderWith } from '../../support/assay.ts'

it('can leave out completed runs, so that failures of a large experiment are found without reading all of it', async () => {
  const cwd = folderWith({
    'experiment.yaml': `
name: some-fail
target: { kind: function, module: work.mjs }
factors: { x: 1..6 }
`,
    'work.mjs': `export default ({ x }) => {
  if (x % 3 === 0) throw new RangeError('too large')
  return { score: x }
}
`,
  })
  await assay(['run', '-q'], { cwd })
  const journal = Journal.openExisting(journalFile(join(cwd, 'results/some-fail')))
  try {
    const all = [...recordedRuns(journal)]
    const left = [...recordedRuns(journal, { notCompleted: true })]
    expect(all).toHaveLength(6)
    expect(left.map(({ params, state }) => [params.x, state])).toEqual([
      [3, 'failed'],
      [6, 'failed'],
    ])
  } finally {
    journal.close()
  }
})
