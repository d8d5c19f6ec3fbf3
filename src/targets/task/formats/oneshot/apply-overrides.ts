import { AssayError } from '../../../../util/errors.ts'
import { sha256OfJson } from '../../../../util/hash.ts'
import type { Overrides, PlacedFile, RunSettings, Task, TaskEnvironment } from '../../task.ts'
import { evaluationNeeds } from './evaluation.ts'

/** The task with overrides applied, and their settings for the run. The task itself, and its folder, are not changed. */
export function applyOverrides(
  task: Task,
  overrides: Overrides,
): { readonly task: Task; readonly settings: RunSettings } {
  refuseElsewhere(task, overrides)
  const { instruction, evaluation, settings } = overrides
  const [first, ...rest] = task.steps
  if (first === undefined) return { task, settings }
  const step = {
    ...first,
    ...(instruction !== null && { instruction }),
    ...(evaluation !== null && { tests: { kind: 'files' as const, files: evaluation.tests } }),
  }
  const overridden: Task = {
    ...task,
    steps: [step, ...rest],
    environment: overriddenEnvironment(task.environment, overrides),
    ...(evaluation !== null && {
      rubrics: evaluation.rubrics,
      needs: [
        ...task.needs.filter(({ kind, what }) => kind !== 'judge' && what !== 'pytest'),
        ...evaluationNeeds(evaluation),
      ],
    }),
    digest: sha256OfJson([task.digest, overrides.digest]),
    notes: [...task.notes, ...overrides.notes],
  }
  return { task: overridden, settings }
}

function overriddenEnvironment(environment: TaskEnvironment, overrides: Overrides): TaskEnvironment {
  const placed = (files: Readonly<Record<string, string>>, below: string): readonly PlacedFile[] =>
    Object.entries(files).map(([path, text]) => ({ from: { text }, to: `${below}/${path}` }))
  return {
    ...environment,
    repo: overrides.repo ?? environment.repo,
    overlays: [
      ...environment.overlays,
      ...placed(overrides.overlayFiles, '/app'),
      ...placed(overrides.overlayRepoFiles, '/app/repo'),
    ],
    // The launcher writes a new list over the old one.
    remove: overrides.removeRepoPaths.length > 0 ? overrides.removeRepoPaths : environment.remove,
  }
}

/** Tasks of other formats have no repository to lay files over, and no rubrics to replace. */
function refuseElsewhere(task: Task, overrides: Overrides): void {
  if (task.format === 'oneshot') return
  const parts = [
    ...(overrides.instruction !== null && task.steps.length > 1 ? ['prompt (the task has several steps)'] : []),
    ...(Object.keys(overrides.overlayFiles).length > 0 ? ['overlay_files'] : []),
    ...(Object.keys(overrides.overlayRepoFiles).length > 0 ? ['overlay_repo_files'] : []),
    ...(overrides.removeRepoPaths.length > 0 ? ['remove_repo_paths'] : []),
    ...(overrides.evaluation === null ? [] : ['evaluation']),
    ...(overrides.repo === null ? [] : ['repo']),
  ]
  if (parts.length > 0)
    throw new AssayError('config', `overrides can't change ${parts.join(', ')} of ${task.id}, a ${task.format} task`, {
      hint: 'Only OneShot tasks have these parts. Change the task folder instead.',
    })
}
