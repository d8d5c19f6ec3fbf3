import { describe, expect, it } from 'vitest'
import { readAtif } from '../../../../src/models/trajectory/read-atif.ts'
import { writeAtif } from '../../../../src/models/trajectory/trajectory-files.ts'
import { bash, scripted, simulated, submit, workOn } from '../support.ts'

describe('a model may', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('run a command called %s', async word => {
    const { work, results } = await workOn({ models: scripted(bash(word), bash('echo two > a.txt'), submit) })
    expect(work.exitStatus).toBe('submitted')
    expect(results[0]).toContain('[exit code 127]')
  })

  it.each([
    ['a NUL', 'echo a\0b; echo two > a.txt'],
    ['half a character', 'echo "\ud83d"; echo two > a.txt'],
    ['other scripts', 'echo "日本語 🎉 \u202e\u0000"; echo two > a.txt'],
    ['a megabyte', `true ${'x'.repeat(1_000_000)}; echo two > a.txt`],
  ])('write %s in a command: the work continues, and is kept in full', async (_, command) => {
    const { work, trajectory, results } = await workOn({
      models: simulated([{ script: [bash(command), bash('echo two > a.txt'), submit] }], {
        context: 3_000_000,
        max_output: 1_500_000,
      }),
    })
    expect(work.exitStatus).toBe('submitted')
    expect(results).toHaveLength(3)
    expect(readAtif(JSON.parse(writeAtif(trajectory))).history).toEqual(trajectory.history)
  })
})
