import { expect, it } from 'vitest'
import type { Evidence } from '../../../src/define/observation.ts'
import { failuresOf } from '../../../src/report/findings/failures.ts'
import { sectionsOf } from '../../../src/report/findings/page.ts'
import { defaultView } from '../../../src/report/findings/view.ts'
import { aRun, evidenceWith, scored } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const sections = (evidence: Evidence, experiment: object = {}) => {
  const facts = { search: null, standing: null, definition: null, place: 'results/e', ...experiment }
  const dataset = aDataset(evidence, { experiments: [facts as never] })
  return sectionsOf(dataset, defaultView(dataset)).join(' ')
}

const crossed = (factors: readonly string[], seeds: number, more: Partial<Evidence> = {}): Evidence =>
  evidenceWith(
    ['a', 'b'].flatMap((arm, shift) =>
      (factors.includes('load') ? [1, 2] : [1]).flatMap(load =>
        Array.from({ length: seeds }, (_, seed) => scored({ arm, load }, { seed }, shift + load + Math.sin(seed))),
      ),
    ),
    { factors: [...factors], blocks: ['seed'], ...more },
  )

it('a grid has only sections with content: no effects of one factor, no failures without any', () => {
  expect(sections(crossed(['arm', 'load'], 4))).toBe('verdict variants effects distributions curves runs provenance')
  expect(sections(crossed(['arm'], 4))).toBe('verdict variants distributions curves runs provenance')
  const failed = crossed(['arm'], 4)
  const broken = { ...failed, runs: [...failed.runs, scored({ arm: 'a', load: 1 }, { seed: 9 }, null)] }
  expect(sections(broken)).toContain(' failures ')
})

it('runs that a search stopped early are not failures', () => {
  const search = { method: 'bayes', metric: 'score', goal: 'maximize', also: [] }
  const run = (x: number, kind: 'completed' | 'stopped_early' | 'timed_out') =>
    aRun({ name: `${x}`, params: { x }, outcome: { kind }, metrics: { score: x } })
  const of = (...runs: readonly ReturnType<typeof run>[]) =>
    evidenceWith(runs, { factors: ['x'], search: { ranges: ['x'], learns: true } })
  const stopped = of(run(1, 'completed'), run(2, 'stopped_early'), run(3, 'stopped_early'))
  expect(sections(stopped, { search })).not.toContain('failures')
  const lost = of(...stopped.runs, run(4, 'timed_out'))
  expect(sections(lost, { search })).toContain(' failures ')
  expect(failuresOf(aDataset(lost), { filter: '' })).toMatchObject({
    found: { of: 4, classes: [{ name: 'timed out', runs: ['experiment/4'] }] },
  })
})

it('one slow run among quick ones does not cause a figure of time against score', () => {
  const { runs, ...more } = crossed(['arm'], 4)
  const lasting = (slow: number) =>
    sections({ ...more, runs: runs.map((run, at) => ({ ...run, wall_s: at < slow ? 1.2 : 0.01 })) })
  expect(lasting(1)).not.toContain(' cost ')
  expect(lasting(runs.length)).toContain(' variants cost distributions ')
})

it('a search begins with its result, and shows no spread of variants that ran once', () => {
  const search = { method: 'bayes', metric: 'score', goal: 'maximize', also: [] }
  const once = evidenceWith(
    [1, 2, 3, 4].map(x => aRun({ name: `${x}`, params: { x }, metrics: { score: x } })),
    { factors: ['x'], blocks: [], search: { ranges: ['x'], learns: true } },
  )
  expect(sections(once, { search })).toBe('verdict search variants runs provenance')
})

it('prompts begin with their cases', () => {
  const definition = { target: { kind: 'prompt' }, factors: [], zip: [] }
  expect(sections(crossed(['arm'], 4), { definition })).toMatch(/^verdict prompts variants /)
})

it('sections of future results exist while runs are pending', () => {
  const standing = { planned: 12, states: { completed: 1, pending: 11 } }
  const first = evidenceWith([scored({ arm: 'a', load: 1 }, { seed: 1 }, 1)], {
    factors: ['arm', 'load'],
    blocks: ['seed'],
    levels: { arm: ['a', 'b'], load: [1, 2] },
  })
  expect(sections(first, { standing })).toBe('verdict variants effects distributions curves runs provenance')
  // A plan that was stopped is no reason for a section that says that nothing failed.
  const running = { planned: 12, states: { completed: 1, running: 1, pending: 10 } }
  expect(sections(first, { standing: running })).toBe(
    'verdict variants effects distributions curves failures runs provenance',
  )
})
