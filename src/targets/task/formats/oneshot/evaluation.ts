import type { Need, Rubric, TestFile } from '../../task.ts'
import type { TaskFolder } from '../task-folder.ts'
import type { EvaluationSettings } from './oneshot-schema.ts'

export interface Evaluation {
  readonly rubrics: readonly Rubric[]
  readonly tests: readonly TestFile[]
}

/** For tasks without an evaluation, with the weights that OneShot then uses. */
const general: readonly Rubric[] = [
  rubric('task_completion', 0.4, 'The change does what the instruction asks for, completely.'),
  rubric('code_quality', 0.3, 'The change is readable, minimal, and fits the code around it.'),
  rubric('testing', 0.3, 'The change is covered by tests that would fail without it.'),
]

function rubric(id: string, weight: number, criterion: string): Rubric {
  return { id, weight, criterion, evaluationCriteria: [] }
}

/** Rubrics and tests that match each other; mismatches are problems of the file. */
export function evaluationOf(
  written: EvaluationSettings | null | undefined,
  file: string,
  folder: TaskFolder,
): Evaluation {
  const tests = written?.test_scripts ?? []
  const rubrics = written?.rubrics ?? []
  if (tests.length === 0 && rubrics.length === 0) {
    folder.notes.push(`${file}: evaluation: has neither rubrics nor test_scripts, so three general rubrics are judged`)
    return { rubrics: general, tests }
  }
  if (rubrics.length === 0) {
    folder.notes.push(`${file}: evaluation.rubrics: missing, so the rubrics that tests name count alike`)
    const ids = [...new Set(tests.map(({ rubricId }) => rubricId))]
    return { rubrics: ids.map(id => rubric(id, 1, `The tests of "${id}" pass.`)), tests }
  }
  checkTogether(rubrics, tests, file, folder)
  return { rubrics, tests }
}

function checkTogether(rubrics: readonly Rubric[], tests: readonly TestFile[], file: string, folder: TaskFolder): void {
  const ids = rubrics.map(({ id }) => id)
  for (const id of repeated(ids)) folder.problems.push(`${file}: evaluation.rubrics: the id "${id}" is there twice`)
  for (const path of repeated(tests.map(test => test.path)))
    folder.problems.push(`${file}: evaluation.test_scripts: the path "${path}" is there twice`)
  if (rubrics.every(({ weight }) => weight === 0))
    folder.problems.push(`${file}: evaluation.rubrics: all weights are 0, so there would be no score`)
  for (const { path, rubricId } of tests.filter(test => !ids.includes(test.rubricId)))
    folder.notes.push(
      `${file}: evaluation.test_scripts: ${path} counts for "${rubricId}", which is no rubric, so it counts for nothing`,
    )
}

const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) !== at)),
]

/** pytest for tests without a command, a judge for rubrics without a test. */
export function evaluationNeeds({ rubrics, tests }: Evaluation): readonly Need[] {
  const forPytest = tests.find(({ command }) => command === null)
  const judged = rubrics.filter(({ id }) => !tests.some(({ rubricId }) => rubricId === id))
  return [
    ...(forPytest === undefined ? [] : [{ kind: 'program' as const, what: 'pytest', where: forPytest.path }]),
    ...judged.map(({ id }) => ({ kind: 'judge' as const, what: `rubric ${id}`, where: null })),
  ]
}
