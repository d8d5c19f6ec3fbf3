import { type Path, problemAt, type Report } from './problems.ts'

interface Dependent {
  readonly factor: string
  readonly path: Path
  /** What it reads. */
  readonly names: ReadonlySet<string>
}

/** Each after those whose factors it reads. A cycle is a problem: no order would do. */
export function inDependencyOrder<D extends Dependent>(dependents: readonly D[], report: Report): readonly D[] {
  const byFactor = new Map(dependents.map(dependent => [dependent.factor, dependent]))
  const ordered = new Set<D>()
  const visit = (dependent: D, trail: readonly string[]): void => {
    if (ordered.has(dependent)) return
    const { factor, path, names } = dependent
    if (trail.includes(factor)) {
      const circle = [...trail.slice(trail.indexOf(factor)), factor].join(' → ')
      report(problemAt(path, `the conditions form a cycle: ${circle}`, 'Remove one of these `when`.'))
      return
    }
    for (const name of names) {
      const needed = byFactor.get(name)
      if (needed !== undefined) visit(needed, [...trail, factor])
    }
    ordered.add(dependent)
  }
  for (const dependent of dependents) visit(dependent, [])
  return [...ordered]
}
