import type { Evidence, Observation } from '../../define/observation.ts'
import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'
import { counted, listed, shortCommit } from '../../util/words.ts'
import { type Reading, readValue } from '../reading.ts'

/**
 * The basis of a result, in one format for every report, so that others can reproduce it. Independent of time and
 * machine: the same evidence gives the same bytes.
 */
export interface Provenance {
  /** The version of assay that computed it. */
  readonly assay: string
  readonly sources: readonly SourceProvenance[]
  /** The runs that `--filter` selected. */
  readonly filter: readonly string[]
  readonly arms: readonly ArmProvenance[]
  /** Runs, and places with one side missing, that were examined but not used. */
  readonly excluded: readonly Exclusion[]
  /** Metric, method, alpha, seed, resamples, and everything else that affects the numbers. */
  readonly settings: JsonObject
}

interface SourceProvenance {
  readonly kind: 'experiment' | 'table'
  readonly name: string
  /** Of the experiment's definition, or of the table's bytes. */
  readonly sha256: string | null
  /** Runs that were read, and how many the plan has; null if there is no plan. */
  readonly runs: number
  readonly planned: number | null
}

interface ArmProvenance {
  readonly arm: string
  /** The names of the runs used; after the experiment's name if there are several. */
  readonly runs: readonly string[]
  readonly code: readonly CodeVersion[]
}

interface CodeVersion {
  /** null: unknown, because the run was not made from a git working tree, or is a row of a table. */
  readonly commit: string | null
  /** Whether there were uncommitted changes. */
  readonly dirty: boolean
  readonly runs: number
}

export interface Exclusion {
  readonly arm: string | null
  readonly what: string
  readonly reason: string
}

interface Gathered {
  readonly arms: readonly { readonly label: string; readonly runs: readonly Observation[] }[]
  readonly excluded?: readonly Exclusion[]
  readonly filter?: readonly string[] | undefined
  readonly settings: JsonObject
}

export function provenanceOf(
  evidence: Evidence | null,
  { arms, excluded = [], filter = [], settings }: Gathered,
): Provenance {
  const sources = evidence?.sources ?? []
  const nameOf = ({ name, source }: Observation): string => (sources.length > 1 ? `${source}/${name}` : name)
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

/** The versions of the code that made these runs, by commit. */
function codeVersions(runs: readonly Observation[]): readonly CodeVersion[] {
  const byCode = Map.groupBy(runs, run => run.code ?? '')
  return [...byCode]
    .toSorted(([a], [b]) => byCodePoints(a, b))
    .map(([code, own]) => ({
      commit: code === '' ? null : code.replace(/\+$/, ''),
      dirty: code.endsWith('+'),
      runs: own.length,
    }))
}

/** The control of several candidates is examined once for each of them. */
function unique(excluded: readonly Exclusion[]): readonly Exclusion[] {
  return [...new Map(excluded.map(one => [JSON.stringify([one.arm, one.what, one.reason]), one])).values()]
}

const byCodePoints = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** `from 60 runs of strategies (definition 1a2b3c4d5e6f) at 82fa98f38f73; assay 0.1.0, seed 1, 10000 resamples`. */
export function provenanceLine({ assay, sources, filter, arms, settings }: Provenance): string {
  const from = sources.map(({ kind, name, sha256, runs }) => {
    const digest = sha256 === null ? '' : ` (${digestWord(kind)} ${shortCommit(sha256)})`
    return `${counted(runs, kind === 'table' ? 'row' : 'run')} of ${name}${digest}`
  })
  const code = [...new Set(arms.flatMap(arm => arm.code.map(codeText)))].filter(text => text !== unknownCode)
  const how = [
    `assay ${assay}`,
    ...['seed', 'resamples'].flatMap(name => (settings[name] === undefined ? [] : [settingText(name, settings[name])])),
  ]
  const only = filter.length === 0 ? '' : `, only ${listed(filter)}`
  const where =
    from.length === 0 ? '' : `from ${listed(from)}${only}${code.length === 0 ? '' : ` at ${listed(code)}`}; `
  return `${where}${how.join(', ')}`
}

/** One fact per row, as pages and tables list them; the names of runs are for programs, and in JSON only. */
export function provenanceFacts({ assay, sources, filter, arms, excluded }: Provenance): readonly Fact[] {
  return [
    { name: 'assay', text: assay },
    ...sources.map(({ kind, name, sha256, runs, planned }) => ({
      name: kind,
      text: `${name}: ${counted(runs, kind === 'table' ? 'row' : 'run')}${planned === null || planned === runs ? '' : ` of ${planned} planned`}${sha256 === null ? '' : `, ${digestWord(kind)} ${sha256}`}`,
    })),
    ...filter.map(text => ({ name: 'filter', text })),
    ...arms.map(({ arm, runs, code }) => ({
      name: 'arm',
      text: `${arm}: ${counted(runs.length, 'run')}${code.every(({ commit }) => commit === null) ? '' : `, at ${code.map(version => withCount(version, code.length)).join(' and ')}`}`,
    })),
    ...excluded.map(({ arm, what, reason }) => ({
      name: 'excluded',
      text: `${arm === null ? '' : `${arm}: `}${what}: ${reason}`,
    })),
  ]
}

export const settingFacts = ({ settings }: Provenance): readonly Fact[] =>
  Object.entries(settings).flatMap(([name, value]) => (value === null ? [] : [{ name, text: text(value) }]))

interface Fact {
  readonly name: string
  readonly text: string
}

const unknownCode = 'an unknown commit'

/** `82fa98f38f73`; uncommitted changes on top of it can't be restored from git. */
function codeText({ commit, dirty }: CodeVersion): string {
  return commit === null ? unknownCode : `${shortCommit(commit)}${dirty ? ' with uncommitted changes' : ''}`
}

function withCount({ commit, dirty, runs }: CodeVersion, versions: number): string {
  const own = commit === null ? unknownCode : `${commit}${dirty ? ' with uncommitted changes' : ''}`
  return versions === 1 ? own : `${own} (${runs})`
}

const digestWord = (kind: 'experiment' | 'table'): string => (kind === 'table' ? 'SHA-256' : 'definition')
const settingText = (name: string, value: Json): string =>
  name === 'resamples' ? `${text(value)} resamples` : `${name} ${text(value)}`
const text = (value: Json): string =>
  Array.isArray(value) ? value.map(text).join(', ') : typeof value === 'string' ? value : canonicalJson(value)

/** The runs of each arm that have a value, and the reasons of the others. */
export function withAndWithoutValue(
  arms: Gathered['arms'],
  reading: Reading,
): { readonly arms: Gathered['arms']; readonly excluded: readonly Exclusion[] } {
  return {
    arms: arms.map(({ label, runs }) => ({ label, runs: runs.filter(run => problemOf(run, reading) === null) })),
    excluded: arms.flatMap(({ label, runs }) =>
      runs.flatMap(run => {
        const reason = problemOf(run, reading)
        return reason === null ? [] : [{ arm: label, what: run.name, reason }]
      }),
    ),
  }
}

/** Why a run has no value; null: it has one. */
export function problemOf(run: Observation, reading: Reading): string | null {
  const read = readValue(run, reading)
  if ('problem' in read) return read.problem
  return Number.isFinite(read.value) ? null : `the value is ${read.value}`
}
