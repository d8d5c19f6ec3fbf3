import { expect, it } from 'vitest'
import { assay, complaint, folderWith } from '../../support/assay.ts'
import { tuning } from './tuning.ts'

async function searched(method: string, kinds = '[a, b]') {
  const cwd = folderWith(tuning)
  const changes = ['--set', `search.method=${method}`, '--set', `kind=${kinds}`]
  expect((await assay(['run', 'tuning.yaml', '-q', ...changes], { cwd })).status).toBe(0)
  return { cwd, ask: (...args: string[]) => assay(args, { cwd }) }
}

const drawn = '! x differs from variant to variant, as a search drew it'
const learned = '! a search chose these variants, more of them where results were good'

it('effects and compare of a search cover its levels, and name its ranges', async () => {
  const s = await searched('bayes')
  for (const command of ['effects', 'compare']) {
    const { stdout, stderr } = await s.ask(command, 'results/tuning')
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^(kind=)?[ab] is (better|worse) on loss than|^No difference between/)
    expect(stdout).not.toMatch(/x=0\.\d/)
    expect(stdout).toContain(drawn)
    expect(stdout).toContain(learned)
  }
})

it('a search that does not learn has no warning about adaptive sampling', async () => {
  const s = await searched('sobol')
  const { stdout } = await s.ask('compare', 'results/tuning')
  expect(stdout).toContain(drawn)
  expect(stdout).not.toContain(learned)
})

it('suggest another command if only ranges vary', async () => {
  const s = await searched('bayes', '[a]')
  for (const command of ['effects', 'compare']) {
    const ended = await s.ask(command, 'results/tuning')
    expect(ended.status).toBe(2)
    expect(complaint(ended, s)).toBe(
      'error: x took another value in nearly every variant: there are no levels to compare\nassay sweep best <cwd>/results/tuning names the best variant and says how much each factor matters; two values can be named: --control x=… --candidate x=…',
    )
  }
})

it('compare two named values, but not one with all others', async () => {
  const s = await searched('sobol', '[a]')
  const best = JSON.parse((await s.ask('sweep', 'best', 'results/tuning', '--json')).stdout)
  const [first, second] = best.ranked.map((one: { params: { x: number } }) => `x=${one.params.x}`)
  const alone = await s.ask('compare', 'results/tuning', '--control', first)
  expect(complaint(alone, s)).toBe(
    'error: x took another value in nearly every variant: compared with which of them?\nname it too: --candidate x=…',
  )
  const both = await s.ask('compare', 'results/tuning', '--control', first, '--candidate', second)
  expect(both.stdout).toContain('paired on 2 seeds')
})

it('a grid over a range has levels', async () => {
  const cwd = folderWith(tuning)
  await assay(
    ['run', 'tuning.yaml', '-q', '--set', 'search={method: grid}', '--set', 'x={min: 0, max: 0.4, step: 0.2}'],
    { cwd },
  )
  const { stdout, stderr } = await assay(['effects', 'results/tuning'], { cwd })
  expect(stdout, stderr).toContain('x=0.2')
  expect(stdout).not.toContain('as a search drew it')
})
