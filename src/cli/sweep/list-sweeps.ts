import { labelsOf, readDefinition } from '../../record/journal/experiment-row.ts'
import { amountText } from '../../util/words.ts'
import { type KnownExperiment, knownExperiments, rootOf } from '../experiment/short-id.ts'
import { withJournal } from '../experiment/with-journal.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { bestSoFarIn, paramsText } from '../outcome/found-best.ts'
import { styler } from '../views/style.ts'
import { tableLines } from '../views/table.ts'
import { projectTags } from './project-tags.ts'
import { sweepProgress } from './sweep-state.ts'

/** The experiments below a folder, and the state of each. */
export async function listSweeps(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const wanted = projectTags(options)
  const all = knownExperiments(options, io).map(sweepOf)
  const sweeps = all.filter(({ tags }) => wanted.every(tag => tags.includes(tag)))
  if (options.json) writeJson(io.stdout, { kind: 'sweeps', root: rootOf(options, io), sweeps })
  else if (sweeps.length === 0) io.stdout.write(`${nothingFound(wanted, all, rootOf(options, io))}\n`)
  else writeLines(io.stdout, sweepLines(sweeps, io))
  return 0
}

function nothingFound(
  wanted: readonly string[],
  all: readonly { readonly tags: readonly string[] }[],
  root: string,
): string {
  if (all.length === 0) return `no experiments below ${root}; \`assay sweep <file>\` makes one`
  const kinds = wanted.map(tag => tag.slice(0, tag.indexOf(':') + 1))
  const there = [...new Set(all.flatMap(({ tags }) => tags.filter(tag => kinds.some(kind => tag.startsWith(kind)))))]
  const others = there.length === 0 ? 'none of them has one' : `there are ${there.sort().join(', ')}`
  const count = all.length === 1 ? 'the experiment' : `none of the ${all.length} experiments`
  return `${count} below ${root} is ${all.length === 1 ? 'not ' : ''}of ${wanted.join(' and ')}; ${others}`
}

/** Reading more results takes seconds, for one line in a list. */
const mostRead = 50_000

function sweepOf({ id, name, dir }: KnownExperiment) {
  const { experiment, tags, progress } = withJournal(dir, journal => ({
    experiment: readDefinition(journal),
    tags: labelsOf(journal, null).tags,
    progress: sweepProgress(journal, dir),
  }))
  const { method = 'grid', metric = null, goal = null } = experiment?.search ?? {}
  const found = experiment === undefined || progress.done > mostRead ? null : bestSoFarIn(dir, experiment)
  const [best] = found?.best ?? []
  return {
    id,
    name,
    dir,
    tags,
    method,
    metric: found?.metric ?? metric,
    goal: found?.goal ?? goal,
    state: progress.state,
    workers: progress.workers,
    done: progress.done,
    planned: progress.planned,
    at_most: progress.at_most,
    best: best === undefined ? null : { value: best.result.mean, runs: best.result.count, params: best.varied },
  }
}

function sweepLines(sweeps: readonly ReturnType<typeof sweepOf>[], io: Io): readonly string[] {
  const rows = sweeps.map(({ id, name, method, metric, goal, state, workers, done, planned, at_most, best }) => [
    id,
    name,
    method,
    metric === null ? '–' : `${goal === null ? '' : `${goal} `}${metric}`,
    workers > 1 ? `${state}, ${workers} workers` : state,
    `${done}/${planned ?? (at_most === null ? '…' : `≤${at_most}`)}`,
    best === null || best.value === null ? '–' : amountText(metric ?? '')(best.value),
    best === null ? '' : paramsText(best.params),
  ])
  const head = ['id', 'name', 'method', 'metric', 'state', 'runs', 'best so far', 'with']
  return tableLines(head, rows, { columns: tableWidth(io.stdout), head: styler(io.stdout).bold })
}
