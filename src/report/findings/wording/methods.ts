import type { Comparison } from '../../../analyze/compare/comparison.ts'
import { percentText } from '../../../analyze/numbers.ts'
import { variantsOf } from '../../../analyze/variants.ts'
import { counted, listed, plural, unitWord } from '../../../analyze/words.ts'
import type { JsonObject } from '../../../util/json.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import type { Comparisons } from '../comparisons.ts'
import { filtered } from '../looked-at.ts'
import { type View, varyingFactors } from '../view.ts'
import type { OrReason } from './or-reason.ts'

/** What was done, as a paragraph for a paper: whatever decides about the numbers, and nothing that does not. */
export function methodsOf(dataset: Dataset, view: View, compared: OrReason<Comparisons>): string {
  return [design(dataset, view), machine(dataset), ...('found' in compared ? analysis(compared.found, view) : [])]
    .filter(sentence => sentence !== '')
    .join(' ')
}

function design(dataset: Dataset, view: View): string {
  const evidence = filtered(dataset.evidence, view.filter)
  const factors = varyingFactors(evidence)
  const blocks = evidence.blocks.map(block => {
    const levels = new Set(evidence.runs.map(run => JSON.stringify(run.block[block] ?? null)))
    return counted(levels.size, unitWord(block))
  })
  const search = dataset.experiments.find(one => one.search !== null)?.search
  const variants = variantsOf(evidence).length
  const varied =
    factors.length === 0
      ? 'one variant'
      : `${counted(variants, 'variant')} (${listed(factors)}${search ? `, chosen by ${search.method} search` : ''})`
  const on = blocks.length === 0 ? '' : ` on ${listed(blocks)}`
  const completed = evidence.runs.filter(({ outcome }) => outcome.kind === 'completed').length
  const filter = view.filter.trim() === '' ? '' : ` Only runs with ${view.filter.trim()} are analysed.`
  return `We ran ${varied}${on}: ${counted(evidence.runs.length, 'run')}, of which ${completed} completed.${filter}`
}

function machine({ experiments, assay }: Dataset): string {
  const processes = experiments.flatMap(one => one.processes)
  const last = processes.at(-1)
  if (last === undefined) return `The analysis was made with assay ${assay}.`
  const commits = [...new Set(processes.flatMap(commitOf))]
  const code = commits.length === 0 ? '' : ` The code was at ${listed(commits)}.`
  return `Runs were made with assay ${String(last.assay)} on Node ${String(last.node)}, ${String(last.cpu)}, ${String(last.cores)} cores.${code}`
}

function commitOf({ git }: JsonObject): readonly string[] {
  if (typeof git !== 'object' || git === null || Array.isArray(git)) return []
  const { commit, dirty } = git as JsonObject
  return [`commit ${String(commit).slice(0, 12)}${dirty === true ? ' with uncommitted changes' : ''}`]
}

function analysis({ baseline, comparisons }: Comparisons, { alpha, metric }: View): readonly string[] {
  const [first] = comparisons
  if (first === undefined) return []
  return [
    `On ${metric}${first.summary === null ? '' : ` (${first.summary})`} we compared ${listed(comparisons.map(one => one.candidate))} with ${baseline}.`,
    pairing(first),
    `Differences are those of means, candidate minus control, with ${percentText(1 - alpha)} confidence intervals (${methodText(first)}; test: ${first.test}).`,
    comparisons.length > 1 && first.correction !== 'none'
      ? `p values were corrected for ${comparisons.length} comparisons (${first.correction}).`
      : '',
    first.ci?.method === 't' || first.ci?.method === 'newcombe'
      ? ''
      : `Resampling drew ${first.resamples.toLocaleString('en-US')} samples with seed ${first.seed}.`,
    missing(comparisons),
  ]
}

function pairing({ pairing: found, unit }: Comparison): string {
  if (found === null) return `The unit of analysis is the ${unitWord(unit)}; arms were compared as independent groups.`
  return `Arms were paired by ${listed(found.by)}; repetitions were averaged first, so that the unit of analysis is the ${unitWord(unit)}.`
}

function methodText({ ci }: Comparison): string {
  const names: Readonly<Record<string, string>> = {
    t: 'Student’s t',
    wider: 'the wider of Student’s t and the studentised bootstrap',
    studentized: 'studentised bootstrap',
    newcombe: 'Newcombe’s method for shares',
    permutation: 'permutation',
  }
  return ci === null ? 'none could be made' : (names[ci.method] ?? ci.method)
}

function missing(comparisons: readonly Comparison[]): string {
  const runs = new Set(
    comparisons.flatMap(({ missing: { control, candidate } }) => [...control, ...candidate]).map(({ run }) => run),
  )
  return runs.size === 0
    ? 'No run lacked a value.'
    : `${counted(runs.size, 'run')} without a value ${runs.size === 1 ? 'was' : 'were'} left out, with their ${plural('partner')}.`
}
