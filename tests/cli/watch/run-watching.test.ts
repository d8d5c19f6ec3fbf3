import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { watchedFiles } from '../../../src/cli/watch/watched-files.ts'
import { assay, eventsOf, folderWith, startAssay } from '../../support/assay.ts'

const experiment = `name: e
order: listed
target:
  kind: prompt
  prompts: { a: file://prompts/a.txt, b: "Say {{q}}" }
  models: [sim/echo]
  tests: cases.csv
  assert: [{ type: contains, value: "{{q}}" }, { type: javascript, value: "file://score.mjs" }]
`
const files = {
  'experiment.yaml': experiment,
  'prompts/a.txt': 'Hello {{q}}\n',
  'cases.csv': 'q\none\ntwo\n',
  'score.mjs': 'export default output => output.length < 100\n',
}

/** As many editors save: a new file takes the place of the old one. */
function saveByRenaming(cwd: string, name: string, text: string): void {
  writeFileSync(join(cwd, `${name}.tmp`), text)
  renameSync(join(cwd, `${name}.tmp`), join(cwd, name))
}

describe('run --watch', () => {
  it('reruns what a saved file changed, shows what flipped, and ends at Ctrl-C', async () => {
    const cwd = folderWith(files)
    const watching = startAssay(['run', '--watch', '--json', '--require', 'pass=100%'], { cwd })
    const round = (times: number) => watching.said('"kind":"watching"', times)
    await round(1)
    saveByRenaming(cwd, 'prompts/a.txt', 'Goodbye\n')
    await round(2)
    writeFileSync(join(cwd, 'cases.csv'), 'q\none\nBye\ntwo\n')
    await round(3)
    // An error is reported, and watching continues until it is fixed.
    writeFileSync(join(cwd, 'experiment.yaml'), `${experiment}oops: 1\n`)
    await round(4)
    writeFileSync(join(cwd, 'experiment.yaml'), experiment.replace('contains', 'icontains'))
    await round(5)
    saveByRenaming(cwd, 'score.mjs', 'export default output => output === "Say one"\n')
    await round(6)
    watching.child.kill('SIGINT')
    const ended = await watching.ended
    // As the last round: not all passed.
    expect(ended.status).toBe(1)
    const events = eventsOf(ended)
    expect(events.find(({ kind }) => kind === 'error')).toMatchObject({ message: expect.stringContaining('oops') })
    const told = events.filter(({ kind }) => kind === 'flips')
    expect(told).toMatchObject([
      {
        changed: ['prompts/a.txt'],
        flips: [
          { about: 'one, prompt=a', from: 'pass', to: 'fail' },
          { about: 'two, prompt=a', from: 'pass', to: 'fail' },
        ],
        passed: 2,
        judged: 4,
        added: 0,
      },
      { changed: ['cases.csv'], flips: [], passed: 3, judged: 6, added: 2 },
      { changed: ['experiment.yaml'], flips: [{ about: 'bye, prompt=a', from: 'fail', to: 'pass' }], judged: 6 },
      {
        changed: ['score.mjs'],
        flips: [
          { about: 'bye, prompt=a', to: 'fail' },
          { about: 'bye, prompt=b', to: 'fail' },
          { about: 'two, prompt=b', to: 'fail' },
        ],
        passed: 1,
      },
    ])
    const reused = events.filter(({ kind }) => kind === 'summary').map(({ planned, reused }) => [planned, reused])
    expect(reused).toEqual([
      [4, 0],
      [4, 2],
      [6, 4],
      [6, 0],
      [6, 0],
    ])
  })

  it('needs the experiment file', async () => {
    const cwd = folderWith(files)
    await assay(['run'], { cwd })
    const ended = await assay(['run', 'results/e', '--watch'], { cwd })
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('--watch needs the configuration file')])
  })
})

it('watches the experiment file and all files referenced directly or indirectly', () => {
  const cwd = folderWith({
    ...files,
    'experiment.yaml': `${experiment}# file://notes/x.txt\n`,
    'cases.csv': 'q\nfile://long.txt\n',
    'long.txt': 'long',
    'notes/x.txt': 'x',
    'other.txt': 'nobody names it',
  })
  const { digests, folders } = watchedFiles('experiment.yaml', cwd)
  const names = [...digests.keys()].map(file => file.slice(cwd.length + 1)).sort()
  expect(names).toEqual(['cases.csv', 'experiment.yaml', 'long.txt', 'notes/x.txt', 'prompts/a.txt', 'score.mjs'])
  expect(folders.toSorted()).toEqual([cwd, join(cwd, 'notes'), join(cwd, 'prompts')])
})
