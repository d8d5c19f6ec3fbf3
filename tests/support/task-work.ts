import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Script } from './rollouts.ts'

/** The files of a task's run. Some of them look like HTML. */
export const workFiles = (score: number): Readonly<Record<string, string>> => ({
  'evaluation_results.json': JSON.stringify({
    total_score: score,
    passed: score >= 1,
    rewards: { reward: score },
    custom_metrics: { speed: 2.5 },
    evaluation: {
      rubrics: {
        works: { criterion: 'it <b>works</b>', weight: 0.7, score, test_count: 2, tests_passed: score >= 1 ? 2 : 1 },
        style: { criterion: 'it is short', weight: 0.3, score: null, test_count: 0, tests_passed: 0 },
      },
    },
    lm_evaluation: {
      weighted_score: 0.5,
      agreement: 0,
      rubric_scores: [
        {
          ...{ rubric_id: 'style', weight: 0.3, score: 0.5, spread: 0.8 },
          judgements: [
            { judge: 'kind', score: 0.9, reasoning: 'short and clear' },
            { judge: 'strict', score: 0.1, reasoning: '<i>no comments</i>' },
          ],
        },
      ],
    },
    test_results: {
      test_there: { success: true, output: 'nobody reads this' },
      'test_<b>works</b>': { success: score >= 1, output: 'first\n<img src=x onerror=alert(1)> no hello' },
    },
    agent_metrics: {
      ...{ agent: 'codex', model: 'gpt-4', ended: 'timed_out', exit_code: null, tokens_total: 1200, calls: 7 },
      ...{ tool_calls_total: 5, time_taken_seconds: 12.5, money_spent_usd: 0.25 },
    },
    sandbox: {
      ...{ backend: 'bubblewrap', version: '0.8.0', isolation: 'namespaces', network: 'none' },
      enforces: { memory: true, storage: false },
      provided: ['RUN pip install pytest'],
      notes: ['programs of the host'],
    },
  }),
  'artifacts/diff.patch': patch,
  'logs/agent.log': 'thinking …\n\u001b[31mred\u001b[0m <script>alert(2)</script>\n',
  'logs/eval.log': '$ sh test\n',
  'test_output.txt': 'no hello\n',
})

export const patch = `diff --git a/greet.sh b/greet.sh
new file mode 100644
index 0000000..1111111
--- /dev/null
+++ b/greet.sh
@@ -0,0 +1,2 @@
+echo '<b>hello</b>'
+++ not a head
diff --git a/old.py b/old.py
index 2222222..3333333 100644
--- a/old.py
+++ b/old.py
@@ -1,3 +1,3 @@
 import sys
-print('a')
+print('b')
 diff --git a/x b/x
diff --git a/data.bin b/data.bin
index 4444444..5555555 100644
GIT binary patch
literal 5
Mc\${NkU|;|M00aO5

`

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** A run that leaves such files; null: its environment could not be made. */
export const working =
  (scoreOf: (task: string, replicate: number) => number | null): Script =>
  async (run, { makeDirectory, report }) => {
    const { run_dir } = makeDirectory()
    const score = scoreOf(String(run.block.task), run.replicate)
    if (score === null)
      return {
        ...{ kind: 'failed', error_class: 'unsupported_environment', unsupported_environment: true },
        message: 'Dockerfile line 2: RUN apt-get install <b>cuda</b>',
      }
    writeFiles(run_dir, workFiles(score))
    report({ metric: 'score', value: score, step: null })
    report({ metric: 'passed', value: Number(score >= 1), step: null })
    return { kind: 'completed', sandbox: 'bubblewrap' }
  }
