/** The last part of a task's path, where no other task has the same. */
export function taskLabels(tasks: readonly string[]): (task: string) => string {
  const counts = Map.groupBy(new Set(tasks), lastPart)
  return task => ((counts.get(lastPart(task))?.length ?? 0) > 1 ? task : lastPart(task))
}

const lastPart = (path: string): string => /[^/]+(?=\/*$)/.exec(path)?.[0] ?? path
