import type { TaskRubric, TaskRubrics } from '../../src/report/dataset/dataset.ts'
import { counted, percentText } from '../../src/util/words.ts'

/** The rubrics with their weights, their scores by tests and judges, and the reasons. */
export function RubricsView({ rubrics }: { readonly rubrics: TaskRubrics }) {
  const { kept, total, weighted_score, agreement } = rubrics
  const left = total - kept.length
  return (
    <>
      <h3>Rubrics</h3>
      {weighted_score !== null && (
        <p class="note">
          By the judges: {percentText(weighted_score)}
          {agreement !== null && `; they agree on ${percentText(agreement)} of the rubrics`}.
        </p>
      )}
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              {['rubric', 'weight', 'tests', 'by tests', 'by judges'].map((name, at) => (
                <th key={name} scope="col" class={at === 0 ? '' : 'number'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {kept.map((rubric, at) => (
              <tr key={at}>
                <th scope="row" class="rubric">
                  {rubric.id}
                  {rubric.criterion !== '' && <span class="note"> {rubric.criterion}</span>}
                </th>
                <td class="number">{rubric.weight ?? '–'}</td>
                <td class="number">{rubric.tests === 0 ? '–' : `${rubric.tests_passed} of ${rubric.tests}`}</td>
                <td class="number">{share(rubric.score)}</td>
                <td class="number">
                  {share(rubric.judged)}
                  {rubric.spread > 0 && <span class="note"> differ by {percentText(rubric.spread)}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {kept.map((rubric, at) => (
        <Reasons key={at} rubric={rubric} />
      ))}
      {left > 0 && <p class="note">{counted(left, 'more rubric')}: evaluation_results.json has all of them.</p>}
    </>
  )
}

/** Rubrics on which judges disagree come first. */
function Reasons({ rubric: { id, judgements, spread, judged } }: { readonly rubric: TaskRubric }) {
  if (judgements.length === 0) return null
  return (
    <details class="test" open={spread > 0 || (judged ?? 1) < 1}>
      <summary>
        {id}: {counted(judgements.length, 'judgement')}
      </summary>
      <dl class="judgements">
        {judgements.map(({ judge, score, reason }, at) => (
          <div key={at}>
            <dt>
              {judge === '' ? 'judge' : judge} {share(score)}
            </dt>
            <dd>{reason}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const share = (value: number | null): string => (value === null ? '–' : percentText(value))
