import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/define/outcome.ts'
import { taskFindingsOf } from '../../../src/report/findings/task-scores.ts'
import { taskScoresText } from '../../../src/report/formats/markdown/task-scores-text.ts'
import { aRun, evidenceWith } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const view = { filter: '', alpha: 0.05, metric: 'score', group: [], baseline: {}, cost: 'cost_usd' }

const scored = (task: string, score: number, sandbox = 'bubblewrap') =>
  aRun({ name: `${task}-${score}`, block: { task }, metrics: { score }, outcome: { kind: 'completed', sandbox } })

const ended = (task: string, outcome: Outcome) => aRun({ name: task, block: { task }, outcome })

const missing: Outcome = { kind: 'failed', unsupported_environment: true, message: 'no image | <b>cuda</b>:12' }

const datasetOf = (runs: ReturnType<typeof aRun>[]) => aDataset(evidenceWith(runs, { blocks: ['task'], factors: [] }))

const found = (runs: ReturnType<typeof aRun>[]) => {
  const finding = taskFindingsOf(datasetOf(runs), view)
  if ('reason' in finding) throw new Error(finding.reason)
  return finding.found
}

const runs = [
  ...[1, 1].map(score => scored('tasks/easy', score)),
  ...[1, 0].map(score => scored('tasks/shaky', score)),
  ...[0, 0.5].map(score => scored('tasks/hard', score)),
  scored('tasks/half', 1),
  ended('tasks/half', { kind: 'timed_out' }),
  ended('tasks/gpu', missing),
  ended('tasks/gpu', missing),
]

describe('scores by task', () => {
  it('list failing and flaky tasks first, with denominators', () => {
    const { rows, k, unsupported } = found(runs)
    expect(k).toBe(2)
    expect(
      rows.map(({ task, status, n, scored, errored, unscored, resolved, mean, pass_at_1, pass_hat_k }) => [
        ...[task, status, n, scored, errored, unscored, resolved],
        ...[mean, pass_at_1, pass_hat_k],
      ]),
    ).toEqual([
      ['hard', 'failing', 2, 2, 0, 0, 0, 0.25, 0, 0],
      ['shaky', 'flaky', 2, 2, 0, 0, 1, 0.5, 0.5, 0],
      ['gpu', 'not scored', 2, 0, 0, 2, 0, null, null, null],
      ['easy', 'solved', 2, 2, 0, 0, 2, 1, 1, 1],
      ['half', 'solved', 2, 1, 1, 0, 1, 1, 1, null],
    ])
    expect(unsupported).toEqual([{ task: 'gpu', reason: 'no image | <b>cuda</b>:12', runs: 2 }])
  })

  it('never count unscored runs as 0', () => {
    const [overall] = found(runs).overall
    expect(overall).toMatchObject({ n: 10, scored: 7, errored: 1, unscored: 2, resolved: 4, mean: 4.5 / 7 })
    const [none] = found([ended('gpu', missing), scored('other', 1)].slice(0, 2)).overall
    expect(none?.mean).toBe(1)
  })

  it('report missing scores and mixed isolation', () => {
    const nothing = aDataset(evidenceWith([ended('gpu', missing), scored('a', 1)], { blocks: ['task'], factors: [] }))
    const finding = taskFindingsOf(nothing, { ...view, filter: 'task=gpu' })
    expect('found' in finding && finding.found.sentences).toEqual([
      'No score for any of 1 rollout of 1 task; 1 could not be scored.',
    ])
    expect(found(runs).warning).toBeNull()
    expect(found([scored('a', 1), scored('a', 0, 'process')]).warning).toBe(
      'These runs were isolated in different ways, so their scores may differ for that reason alone: bubblewrap (1 run); process (1 run).',
    )
  })

  it('name separating tasks and outliers', () => {
    const runs = ['good', 'poor'].flatMap(model =>
      Array.from({ length: 200 }, (_, at) => {
        const score = Number(at < 20 ? model === 'good' : at % 20 < 13)
        const block = { task: `tasks/t${Math.floor(at / 20)}` }
        return aRun({ name: `${model}-${at}`, params: { model }, block, metrics: { score } })
      }),
    )
    const remarks = [
      '1 of 10 tasks separates the variants: good is better than poor on t0.',
      '1 of 10 tasks is far from the other tasks of the same variant: t0 (good: mean 1.00, poor: mean 0).',
    ]
    expect(found(runs).remarks).toEqual(remarks)
    for (const remark of remarks) expect(taskScoresText(datasetOf(runs), view)).toContain(`- ${remark}`)
    expect(found(runs.slice(0, 200)).remarks.join()).not.toContain('separate')
  })

  it('exist only for tasks', () => {
    const dataset = aDataset(evidenceWith([scored('a', 1)], { blocks: ['seed'] }))
    expect(taskFindingsOf(dataset, view)).toEqual({
      reason: 'there are no tasks: no experiment has a block task and scores',
    })
    expect(taskScoresText(dataset, view)).toBe('')
  })

  it('are in Markdown as on the page, as text', () => {
    expect(taskScoresText(datasetOf(runs), view)).toMatchInlineSnapshot(`
      "## Scores by task

      - Mean score 64.3% (95% CI 3.59% to 100%, clustered by task) over 7 of 10 rollouts of 5 tasks; 1 ended in an error (56.3% if that counts as 0), 2 could not be scored; 4 of 7 resolved; pass@2 66.7%, pass^2 33.3% (3 tasks).

      Means are over scored rollouts; their intervals take rollouts of one task as alike, and rollouts as the unit where there is a single task. What was not scored is counted beside the mean and not in it. pass@2: at least one of 2 rollouts passes; pass^2: all of them do, over the tasks with so many.

      | mean | 95% CI low | high | tasks | rollouts | scored | errored | unscored | resolved | mean, errors as 0 | pass@1 | pass@2 | pass^2 |
      |---|---|---|---|---|---|---|---|---|---|---|---|---|
      | 64.3% | 3.59% | 100% | 5 | 10 | 7 | 1 | 2 | 4 | 56.3% | 62.5% | 66.7% | 33.3% |

      Failing and flaky tasks first. Flaky: some scored rollouts passed and some failed. Shrunk: the mean, drawn towards that of all tasks the more the fewer rollouts it has.

      | task | status | rollouts | scored | errored | unscored | resolved | mean | shrunk | pass@1 | pass^2 |
      |---|---|---|---|---|---|---|---|---|---|---|
      | hard | failing | 2 | 2 | 0 | 0 | 0 | 25% | 38.3% | 0% | 0% |
      | shaky | flaky | 2 | 2 | 0 | 0 | 1 | 50% | 55.7% | 50% | 0% |
      | gpu | not scored | 2 | 0 | 0 | 2 | 0 | – | – | – | – |
      | easy | solved | 2 | 2 | 0 | 0 | 2 | 100% | 90.5% | 100% | 100% |
      | half | solved | 2 | 1 | 1 | 0 | 1 | 100% | 90.1% | 100% | – |

      ## Environments that this machine could not make

      They have no score, which is not a score of 0.

      | task | rollouts | reason |
      |---|---|---|
      | gpu | 2 | no image \\| \\<b>cuda\\</b>:12 |"
    `)
  })

  it('are cut in Markdown if there are many', () => {
    const many = Array.from({ length: 250 }, (_, at) => scored(`t${at}`, at % 2))
    const text = taskScoresText(datasetOf(many), view)
    expect(text.match(/^\| t\d+ /gm)).toHaveLength(200)
    expect(text).toContain('\n50 more rows: the JSON report has all of them.')
  })
})
