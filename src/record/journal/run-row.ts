import type { Run } from '../../define/run.ts'

/** What `runs.spec` holds: a run without the columns that have a place of their own. */
export type RunSpec = Omit<Run, 'key' | 'name'>

export function specOf(run: Run): string {
  const { key: _key, name: _name, ...spec } = run
  return JSON.stringify(spec)
}

export function runOf(row: { readonly key: string; readonly name: string; readonly spec: string }): Run {
  return { key: row.key, name: row.name, ...(JSON.parse(row.spec) as RunSpec) }
}
