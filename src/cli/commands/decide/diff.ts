import { resolve } from 'node:path'
import { type Arm, armOf, levelsIn } from '../../../analyze/arms.ts'
import { type Change, changesBetween, resultsBetween } from '../../../analyze/diff.ts'
import { provenanceOf, withAndWithoutValue } from '../../../analyze/provenance/provenance.ts'
import { describeSummary, readingOf } from '../../../analyze/reading.ts'
import type { Evidence } from '../../../define/observation.ts'
import { evidenceOf, mergeAsSeparate, type Origin, originOf } from '../../../record/evidence/evidence.ts'
import { type CodeChange, codeBetween } from '../../../record/provenance/provenance.ts'
import { AssayError } from '../../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import { naturalOrder } from '../../../util/natural-order.ts'
import { type DiffReport, diffLines } from '../../analysis/diff-view.ts'
import { askedBy, seriesWanted } from '../../analysis/question.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

export async function diffCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const report = args.length === 2 ? diffOfExperiments(args, options, io) : diffOfVariants(args, options, io)
  if (options.json) writeJson(io.stdout, { kind: 'diff', ...report })
  else writeLines(io.stdout, diffLines(report, tableWidth(io.stdout), styler(io.stdout)))
  return 0
}

function diffOfExperiments([first = '', second = '']: readonly string[], options: Options, io: Io): DiffReport {
  const dirs = [first, second].map(one => experimentDirArgument([one], options, io)) as [string, string]
  const [before, after] = dirs.map(originOf) as [Origin, Origin]
  const evidence = mergeAsSeparate(dirs.map(dir => evidenceOf(dir, { series: seriesWanted(options) })))
  const [one, other] = evidence.sources
  if (one === undefined || other === undefined) throw new AssayError('usage', 'expected two experiments')
  return {
    before: one.name,
    after: other.name,
    definition: changesBetween(before.definition, after.definition),
    environment: changesBetween(environmentOf(before), environmentOf(after)),
    code: codeOf(before, after, options.paths ?? [], io),
    ...resultsOf(
      evidence,
      armOf(evidence, { experiment: one.name }),
      armOf(evidence, { experiment: other.name }),
      options,
    ),
  }
}

function resultsOf(
  evidence: Evidence,
  before: Arm,
  after: Arm,
  options: Options,
): Pick<DiffReport, 'results' | 'provenance'> {
  const reading = readingOf(evidence, askedBy(options))
  const { metric, goal, summary } = reading
  return {
    results: resultsBetween(evidence, before, after, reading),
    provenance: provenanceOf(evidence, {
      ...withAndWithoutValue([before, after], reading),
      settings: { metric, goal, summary: summary === null ? null : describeSummary(summary) },
    }),
  }
}

/** Within one experiment, definition and environment are the same: only the results can differ. */
function diffOfVariants(args: readonly string[], options: Options, io: Io): DiffReport {
  const { control, candidate = [] } = options
  const [only] = candidate
  if (args.length > 1 || control === undefined || only === undefined)
    throw new AssayError('usage', 'diff wants two experiments, or one with --control and --candidate', {
      hint: 'e.g. assay diff results/a results/b, or assay diff results/a --control policy=fifo --candidate policy=full',
    })
  const evidence = evidenceOf(experimentDirArgument(args, options, io), { series: seriesWanted(options) })
  const before = armOf(evidence, control)
  const after = armOf(evidence, only)
  return {
    before: before.label,
    after: after.label,
    definition: levelChanges(before, after),
    environment: [],
    code: null,
    ...resultsOf(evidence, before, after, options),
  }
}

/** Parameters with different levels in the two variants. */
function levelChanges(before: Arm, after: Arm): readonly Change[] {
  const names = new Set([...before.runs, ...after.runs].flatMap(run => Object.keys(run.params)))
  return [...names].flatMap(name => changesBetween(levelsOfArm(before, name), levelsOfArm(after, name), name))
}

/** A single level unchanged, several as a list; null if it does not apply. */
function levelsOfArm({ runs }: Arm, name: string): Json {
  const levels = levelsIn(runs, name).filter(level => level !== null)
  return levels.length > 1 ? levels.toSorted((a, b) => naturalOrder(String(a), String(b))) : (levels[0] ?? null)
}

const environmentOf = ({ processes }: Origin): JsonObject => {
  const { git: _git, argv: _argv, config: _config, programs: _programs, ...rest } = processes.at(-1) ?? {}
  return rest
}

function codeOf(before: Origin, after: Origin, paths: readonly string[], io: Io): DiffReport['code'] {
  const state = ({ processes }: Origin) => {
    const git = processes.at(-1)?.git
    return isJsonObject(git ?? null) ? (git as JsonObject) : null
  }
  const [one, other] = [state(before), state(after)]
  const commit = (git: JsonObject | null) => (git === null ? null : `${git.commit}${git.dirty ? '+' : ''}`)
  const known = one !== null && other !== null
  const folder = resolve(io.cwd, after.folder)
  const change: CodeChange = !known
    ? { kind: 'unknown', reason: 'one of them was not run from a git working tree' }
    : one.dirty || other.dirty
      ? { kind: 'unknown', reason: uncommitted(one, other) }
      : codeBetween(folder, String(one.commit), String(other.commit), paths)
  return { before: commit(one), after: commit(other), paths, change }
}

/** A commit says nothing about changes made on top of it; the recorded patches do, except for new files. */
function uncommitted(one: JsonObject, other: JsonObject): string {
  const isSame = one.commit === other.commit && one.diff !== null && one.diff === other.diff
  return isSame
    ? 'both were run with the same uncommitted changes, as far as git has the files'
    : 'there were uncommitted changes; the recorded patches are in provenance/'
}
