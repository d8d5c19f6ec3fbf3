import { variantsOf } from '../../analyze/variants.ts'
import { knownMetrics, type Observation } from '../../define/observation.ts'
import type { Outcome } from '../../define/outcome.ts'
import { escapedXml } from '../../util/words.ts'
import type { Dataset, RunFolder } from '../dataset/dataset.ts'
import { idOf } from '../findings/view.ts'

/** For CI: a suite for each variant, a test for each run. Failed runs are failures; interrupted ones are skipped. */
export function reportJunit({ evidence, folders, title }: Dataset): string {
  const folderOf = new Map(evidence.runs.map((run, at) => [idOf(run), folders[at]]))
  const suites = variantsOf(evidence).map(({ label, runs }) => suiteOf(label, runs, folderOf))
  const totals = { name: title, ...countsOf(evidence.runs) }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', totals, suites)}\n`
}

function countsOf(runs: readonly Observation[]) {
  const count = (pick: (outcome: Outcome) => boolean) => runs.filter(({ outcome }) => pick(outcome)).length
  return {
    tests: runs.length,
    failures: count(isFailure) + runs.filter(hasNotPassed).length,
    errors: count(isError),
    skipped: count(isSkipped),
  }
}

/** It completed, but its answer does not satisfy its asserts. */
const hasNotPassed = ({ outcome, metrics }: Observation): boolean =>
  outcome.kind === 'completed' && (metrics[knownMetrics.passed] ?? 1) < 1

const isFailure = ({ kind }: Outcome): boolean => kind === 'failed' || kind === 'timed_out'
/** A run that is impossible here says nothing, so it is skipped. */
const isError = ({ kind, unsupported_environment }: Outcome): boolean =>
  kind === 'infra_error' && !unsupported_environment
const isSkipped = (outcome: Outcome): boolean =>
  outcome.kind !== 'completed' && !isFailure(outcome) && !isError(outcome)

function suiteOf(
  label: string,
  runs: readonly Observation[],
  folderOf: ReadonlyMap<string, RunFolder | undefined>,
): string {
  const time = runs.reduce((sum, run) => sum + (run.wall_s ?? 0), 0)
  const totals = { name: label, ...countsOf(runs), time: time.toFixed(3) }
  return element(
    'testsuite',
    totals,
    runs.map(run => caseOf(label, run, folderOf.get(idOf(run)))),
  )
}

function caseOf(label: string, run: Observation, folder: RunFolder | undefined): string {
  const about = { name: titleOf(run), classname: label, time: (run.wall_s ?? 0).toFixed(3) }
  const { outcome } = run
  if (outcome.kind === 'completed') return element('testcase', about, hasNotPassed(run) ? unmetOf(folder) : [])
  const said = (folder?.output ?? []).map(({ stream, text }) =>
    element(`system-${stream === 'stdout' ? 'out' : 'err'}`, {}, [escapedXml(text)]),
  )
  const why = {
    type: outcome.error_class ?? outcome.kind,
    message: outcome.message ?? outcome.kind.replaceAll('_', ' '),
  }
  const ending = isSkipped(outcome)
    ? element('skipped', { message: why.message })
    : element(isError(outcome) ? 'error' : 'failure', why)
  return element('testcase', about, [ending, ...said])
}

/** If runs are only numbered, their blocks identify them: the same test has the same name the next time. */
function titleOf({ name, numbers, block, replicate }: Observation): string {
  if (numbers?.place === undefined) return name
  return `${Object.values(block).map(String).join(', ')}, rollout ${replicate}`
}

/** A failure for each assert that does not hold. */
function unmetOf(folder: RunFolder | undefined): readonly string[] {
  const unmet = folder?.unmet ?? []
  if (unmet.length === 0) return [element('failure', { type: 'assert', message: 'the answer did not pass' })]
  return unmet.map(({ type, reason }) => element('failure', { type, message: reason === '' ? type : reason }))
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[] = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapedXml(String(value))}"`)
  const open = `${name}${written.join('')}`
  return children.length === 0 ? `<${open}/>` : `<${open}>\n${children.join('\n')}\n</${name}>`
}
