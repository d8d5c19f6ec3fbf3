import { variantsOf } from '../../../analyze/variants.ts'
import type { JsonObject } from '../../../util/json.ts'
import { counted, listed, unitWord } from '../../../util/words.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { filtered, type View, varyingFactors } from '../view.ts'

/** What was run, whatever is viewed. */
export function design({ evidence, experiments }: Dataset): string {
  const factors = varyingFactors(evidence)
  const blocks = evidence.blocks.map(block => {
    const levels = new Set(evidence.runs.map(run => JSON.stringify(run.block[block] ?? null)))
    return counted(levels.size, unitWord(block))
  })
  const search = experiments.find(one => one.search !== null)?.search
  const varied =
    factors.length === 0
      ? 'one variant'
      : `${counted(variantsOf(evidence).length, 'variant')} (${listed(factors)}${search ? `, chosen by ${search.method} search` : ''})`
  const on = blocks.length === 0 ? '' : ` on ${listed(blocks)}`
  const ended = evidence.runs.length
  const planned = experiments.reduce((sum, { standing }) => sum + (standing?.planned ?? 0), 0)
  const completed = evidence.runs.filter(({ outcome }) => outcome.kind === 'completed').length
  const runs =
    planned > ended
      ? `${ended} of ${counted(planned, 'planned run')} have ended, ${completed} of them completed`
      : `${counted(ended, 'run')}, of which ${completed} completed`
  return `We ran ${varied}${on}: ${runs}.`
}

export function onlySome({ evidence }: Dataset, view: View): string {
  const filters = [...(evidence.filter?.texts ?? []), view.filter.trim()].filter(text => text !== '')
  if (filters.length === 0) return ''
  const kept = filtered(evidence, view.filter)
  return `Only the ${counted(kept.runs.length, 'run')} with ${filters.join(' and ')} are analysed here (${counted(variantsOf(kept).length, 'variant')}).`
}

/** Whether changes over time, such as those of the machine, affect all variants equally. */
export function order({ experiments, evidence }: Dataset): string {
  const planned = experiments.filter(one => one.search === null).flatMap(({ definition }) => definition ?? [])
  const [first, ...others] = new Set(planned.map(one => one.order))
  const hasBlocks = planned.some(({ blocks }) => blocks.length > 0)
  if (
    first === undefined ||
    others.length > 0 ||
    planned.length < experiments.length ||
    varyingFactors(evidence).length === 0
  )
    return ''
  switch (first) {
    case 'interleaved':
      return hasBlocks ? 'Runs were started block by block, the variants of each in random order.' : ''
    case 'shuffled':
      return 'Runs were started in random order.'
    case 'listed':
      return 'Runs were started in the order in which they are listed, variant after variant.'
  }
}

export function machine({ experiments, assay, evidence }: Dataset): string {
  const processes = experiments.flatMap(one => one.processes)
  const last = processes.at(-1)
  if (last === undefined) return `The analysis was made with assay ${assay}.`
  const commits = [...new Set(processes.flatMap(commitOf))]
  const code = commits.length === 0 ? '' : ` The code was at ${listed(commits)}.`
  return `Runs were made ${whenMade(evidence.runs)}with assay ${String(last.assay)} on Node ${String(last.node)}, ${String(last.cpu)}, ${String(last.cores)} cores.${code}`
}

/** `on 2026-11-15 (UTC) `. */
function whenMade(runs: Dataset['evidence']['runs']): string {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { started_at, ended_at } of runs) {
    first = Math.min(first, started_at ?? first)
    last = Math.max(last, ended_at ?? started_at ?? last)
  }
  if (!Number.isFinite(first) || !Number.isFinite(last)) return ''
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  return day(first) === day(last) ? `on ${day(first)} (UTC) ` : `between ${day(first)} and ${day(last)} (UTC) `
}

function commitOf({ git }: JsonObject): readonly string[] {
  if (typeof git !== 'object' || git === null || Array.isArray(git)) return []
  const { commit, dirty } = git as JsonObject
  return [`commit ${String(commit).slice(0, 12)}${dirty === true ? ' with uncommitted changes' : ''}`]
}
