import { canonicalJson } from '../../util/canonical-json.ts'
import type { Json } from '../../util/json.ts'
import { counted, listed, shortCommit } from '../words.ts'
import type { CodeVersion, Provenance } from './provenance.ts'

/** `from 60 runs of strategies (definition 1a2b3c4d5e6f) at 82fa98f38f73; assay 0.1.0, seed 1, 10000 resamples`. */
export function provenanceLine({ assay, sources, arms, settings }: Provenance): string {
  const from = sources.map(({ kind, name, sha256, runs }) => {
    const digest = sha256 === null ? '' : ` (${digestWord(kind)} ${shortCommit(sha256)})`
    return `${counted(runs, kind === 'table' ? 'row' : 'run')} of ${name}${digest}`
  })
  const code = [...new Set(arms.flatMap(arm => arm.code.map(codeText)))].filter(text => text !== unknownCode)
  const how = [
    `assay ${assay}`,
    ...['seed', 'resamples'].flatMap(name => (settings[name] === undefined ? [] : [settingText(name, settings[name])])),
  ]
  const where = from.length === 0 ? '' : `from ${listed(from)}${code.length === 0 ? '' : ` at ${listed(code)}`}; `
  return `${where}${how.join(', ')}`
}

/** Fact by fact, as pages and tables list them; the names of runs are for programs, and in JSON only. */
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

/** `82fa98f38f73`; what was changed on top of it nobody can have back from git. */
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
