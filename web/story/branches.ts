import type { Branching } from '../../src/report/dataset/turns.ts'
import type { KnownRun } from '../runs/run-index.ts'

/** The run that a run continues, from its parameter `branch_from`; null: it started at the beginning. */
export function branchingOf({ run: { params }, folder: { story } }: KnownRun): Branching | null {
  if (story !== null && 'branched_from' in story) return story.branched_from
  const written = params.branch_from
  const [, run = '', turn = ''] = /^(.+):(\d+)$/s.exec(typeof written === 'string' ? written : '') ?? []
  return run === '' ? null : { run, turn: Number(turn) }
}

/** The run that a branch names, if it is one of these and unambiguous. */
export function trunkOf(known: KnownRun, all: readonly KnownRun[]): KnownRun | null {
  const branching = branchingOf(known)
  return branching === null ? null : (runAt(branching.run, all) ?? null)
}

/** The runs that continue this one, by name. */
export const branchesOf = (known: KnownRun, all: readonly KnownRun[]): readonly KnownRun[] =>
  all
    .filter(one => {
      const branching = branchingOf(one)
      return (
        branching !== null && nameIn(branching.run) === known.run.name && runAt(branching.run, all)?.id === known.id
      )
    })
    .toSorted((a, b) => a.run.name.localeCompare(b.run.name, 'en', { numeric: true }))

/** By the names of its folder and of its experiment: in several experiments runs may have the same name. */
function runAt(path: string, all: readonly KnownRun[]): KnownRun | undefined {
  const named = all.filter(({ run }) => run.name === nameIn(path))
  const folders = new Set(partsOf(path))
  const here =
    named.length > 1 ? named.filter(({ run }) => partsOf(run.source).every(part => folders.has(part))) : named
  return here.length === 1 ? here[0] : undefined
}

const partsOf = (path: string): readonly string[] => path.split(/[\\/]+/).filter(part => part !== '' && part !== '.')
const nameIn = (path: string): string => partsOf(path).at(-1) ?? ''
