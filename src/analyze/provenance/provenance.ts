import type { Evidence, EvidenceRun } from '../../plan/evidence.ts'
import type { JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'

/**
 * What a result rests on, in one shape for every report, so that somebody else can make it again. Nothing of the time or the
 * machine it was computed at: the same evidence gives the same bytes.
 */
export interface Provenance {
  /** The version of assay that computed it. */
  readonly assay: string
  readonly sources: readonly SourceProvenance[]
  /** What `--filter` asked for. */
  readonly filter: readonly string[]
  readonly arms: readonly ArmProvenance[]
  /** Runs, and places in which one side is missing, that were looked at and not used. */
  readonly excluded: readonly Exclusion[]
  /** Metric, method, alpha, seed, resamples, and whatever else decides about the numbers. */
  readonly settings: JsonObject
}

interface SourceProvenance {
  readonly kind: 'experiment' | 'table'
  readonly name: string
  /** Of the experiment's definition, or of the table's bytes. */
  readonly sha256: string | null
  /** Runs that were looked at, and how many the plan has; null where nobody planned them. */
  readonly runs: number
  readonly planned: number | null
}

interface ArmProvenance {
  readonly arm: string
  /** The names of the runs that were used; behind the experiment's where there are several. */
  readonly runs: readonly string[]
  readonly code: readonly CodeVersion[]
}

export interface CodeVersion {
  /** null: not known, as the run was not made from a git working tree, or is a row of a table. */
  readonly commit: string | null
  /** Whether there were changes that were not committed. */
  readonly dirty: boolean
  readonly runs: number
}

export interface Exclusion {
  readonly arm: string | null
  readonly what: string
  readonly reason: string
}

export interface Gathered {
  readonly arms: readonly { readonly label: string; readonly runs: readonly EvidenceRun[] }[]
  readonly excluded?: readonly Exclusion[]
  readonly filter?: readonly string[] | undefined
  readonly settings: JsonObject
}

export function provenanceOf(
  evidence: Evidence | null,
  { arms, excluded = [], filter = [], settings }: Gathered,
): Provenance {
  const sources = evidence?.sources ?? []
  const nameOf = ({ name, source }: EvidenceRun): string => (sources.length > 1 ? `${source}/${name}` : name)
  return {
    assay: version,
    sources: sources.map(({ name, kind = 'experiment', sha256 = null, planned }) => ({
      kind,
      name,
      sha256,
      runs: evidence?.runs.filter(run => run.source === name).length ?? 0,
      planned,
    })),
    filter,
    arms: arms.map(({ label, runs }) => ({
      arm: label,
      runs: [...new Set(runs.map(nameOf))].toSorted(byCodePoints),
      code: codeVersions(runs),
    })),
    excluded: unique(excluded),
    settings,
  }
}

/** Which versions of the code made these runs, by commit. */
export function codeVersions(runs: readonly EvidenceRun[]): readonly CodeVersion[] {
  const byCode = Map.groupBy(runs, run => run.code ?? '')
  return [...byCode]
    .toSorted(([a], [b]) => byCodePoints(a, b))
    .map(([code, own]) => ({
      commit: code === '' ? null : code.replace(/\+$/, ''),
      dirty: code.endsWith('+'),
      runs: own.length,
    }))
}

/** The control of several candidates is looked at once for each of them. */
function unique(excluded: readonly Exclusion[]): readonly Exclusion[] {
  return [...new Map(excluded.map(one => [JSON.stringify([one.arm, one.what, one.reason]), one])).values()]
}

const byCodePoints = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
