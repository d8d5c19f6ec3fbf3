import type { TaskTests } from '../../src/report/dataset/dataset.ts'
import { counted } from '../../src/util/words.ts'

/** With more failures than these, their details are closed at first. */
const openFailures = 5

/** Each test and how it ended, with the messages of failed ones. */
export function TestsView({ tests: { total, passed, kept } }: { readonly tests: TaskTests }) {
  const failed = kept.filter(test => !test.passed)
  const fine = kept.filter(test => test.passed)
  const left = total - kept.length
  return (
    <>
      <h3>
        Tests: {passed} of {total} passed
      </h3>
      {failed.map(({ name, output }, at) =>
        output === '' ? (
          <p key={at} class="test">
            <Mark passed={false} /> {name}
          </p>
        ) : (
          <details key={at} class="test" open={at < openFailures}>
            <summary>
              <Mark passed={false} /> {name}
            </summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
            <pre tabIndex={0}>{output}</pre>
          </details>
        ),
      )}
      {fine.length > 0 && (
        <details class="test" open={fine.length <= 2 * openFailures}>
          <summary>{counted(passed, 'test')} passed</summary>
          <ul class="tests">
            {fine.map(({ name }, at) => (
              <li key={at}>
                <Mark passed={true} /> {name}
              </li>
            ))}
          </ul>
        </details>
      )}
      {left > 0 && <p class="note">{counted(left, 'more test')}: evaluation_results.json has all of them.</p>}
    </>
  )
}

function Mark({ passed }: { readonly passed: boolean }) {
  return <span class={passed ? 'mark-good' : 'mark-bad'}>{passed ? 'passed' : 'failed'}</span>
}
