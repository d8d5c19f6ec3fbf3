import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import { isNumbered, templateName } from '../../plan/identity/template-name.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson } from '../../util/json.ts'
import type { Journal } from '../journal/journal.ts'
import { runOf } from '../journal/run-row.ts'

/**
 * Gives each run the name that it keeps. A plan numbers variants and runs by their place in it, which moves when levels
 * are added; the journal does not: a run that is there keeps its name, a variant its number, and whatever is new takes
 * the number of its place if that is free, or else the next one after all others. Reads the journal once: make one
 * inside each transaction that writes names.
 */
export function lastingNames(journal: Journal, experiment: Experiment): (run: Run) => Run {
  const { naming } = experiment
  if (!('template' in naming) || !isNumbered(naming.template)) return run => run
  const taken = takenNumbers(journal)
  return run => {
    const known = taken.runs.get(run.key)
    if (known !== undefined) return known
    const place = run.numbers ?? { variant: 0, run: 0 }
    const variant = taken.numberOf.get(variantOf(run)) ?? freeNumber(place.variant, taken.usedBy)
    const numbers = { variant, run: freeNumber(place.run, taken.usedBy.get(variant) ?? new Set()) }
    const named = { ...run, numbers, name: templateName(naming.template, { ...run, numbers }, experiment) }
    if (taken.names.has(named.name)) throw nameIsTaken(named.name)
    taken.add(named)
    return named
  }
}

interface Numbers {
  has(number: number): boolean
  keys(): Iterable<number>
}

function freeNumber(wanted: number, used: Numbers): number {
  if (wanted > 0 && !used.has(wanted)) return wanted
  let last = 0
  for (const number of used.keys()) last = Math.max(last, number)
  return last + 1
}

function takenNumbers(journal: Journal) {
  const runs = new Map<string, Run>()
  const names = new Set<string>()
  const numberOf = new Map<string, number>()
  /** By number of a variant: the numbers of its runs. */
  const usedBy = new Map<number, Set<number>>()
  const add = (run: Run): void => {
    runs.set(run.key, run)
    names.add(run.name)
    if (run.numbers === undefined) return
    numberOf.set(variantOf(run), run.numbers.variant)
    usedBy.set(run.numbers.variant, (usedBy.get(run.numbers.variant) ?? new Set()).add(run.numbers.run))
  }
  const rows = journal.iterate<{ key: string; name: string; spec: string }>('SELECT key, name, spec FROM runs')
  for (const row of rows) add(runOf(row))
  return { runs, names, numberOf, usedBy, add }
}

const variantOf = ({ params, ablation, flags }: Run): string => canonicalJson([params, ablation, flags])

/** A name is assigned once: refuses a plan in which one would go from the run that has it to another. */
export function refuseTakenNames(journal: Journal, runs: Iterable<Run>): void {
  for (const { name, key } of runs) {
    const taken = journal.get<{ key: string }>('SELECT key FROM runs WHERE name = ? AND key <> ?', name, key)
    if (taken !== undefined) throw nameIsTaken(name)
  }
}

function nameIsTaken(name: string): AssayError {
  return new AssayError('usage', `the name ${name} belongs to a run with other parameters in this directory`, {
    hint: 'Give this experiment another name (--exp-name), or add what changed to `naming`.',
    facts: { name },
  })
}
