import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Evidence, EvidenceMetric, EvidenceSource, Observation } from '../../define/observation.ts'
import { evidenceOf, type ReadOptions } from '../../record/evidence/evidence.ts'
import { experimentsUnder, journalFile, runFolder } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'
import { didYouMean } from '../../util/suggest.ts'

export interface FoundRun {
  readonly run: Observation
  readonly dir: string
  /** The metrics that its experiment declares. */
  readonly metrics: readonly EvidenceMetric[]
  readonly source: EvidenceSource | undefined
}

/** Runs by name, hash or folder, wherever they are under a folder of experiments. */
export class RunFinder {
  readonly #root: string
  readonly #cwd: string
  readonly #options: ReadOptions
  readonly #unread: string[] = []
  readonly #byDir = new Map<string, readonly FoundRun[]>()
  #dirs: readonly string[] | undefined

  constructor(root: string, options: ReadOptions, cwd = root) {
    this.#root = root
    this.#cwd = cwd
    this.#options = options
  }

  /** The run with this name, and its place; if several match, an error lists them. */
  locate(wanted: string): FoundRun {
    const path = resolve(this.#cwd, wanted)
    // Runs of functions have a folder only if they asked for one: their place identifies them anyway.
    const isFolder = wanted.includes('/') && (existsSync(path) || existsSync(journalFile(resolve(path, '../..'))))
    const name = isFolder ? basename(path) : wanted
    const fitting = isFolder ? this.#inFolder(path) : this.#all().filter(({ run }) => fits(run.name, name))
    const exact = fitting.filter(({ run }) => run.name === name)
    const found = exact.length > 0 ? exact : fitting
    const [only] = found
    if (only === undefined) throw this.#notThere(wanted)
    if (found.length === 1) return only
    const places = found.map(({ run, dir }) => runFolder(dir, run.name))
    throw new AssayError('usage', `"${wanted}" is ambiguous: ${places.join(', ')}`, {
      hint: 'give the folder of the run',
    })
  }

  /** The folder may be outside the place where names are searched. */
  #inFolder(path: string): readonly FoundRun[] {
    const dir = resolve(path, '../..')
    const runs = existsSync(journalFile(dir)) ? this.#runsIn(dir) : this.#all()
    return runs.filter(({ run, dir }) => path === runFolder(dir, run.name))
  }

  #all(): readonly FoundRun[] {
    this.#dirs ??= experimentsUnder(this.#root)
    return this.#dirs.flatMap(dir => this.#runsIn(dir))
  }

  /** An unreadable experiment must not keep others from being read; it is named if a run is not found. */
  #runsIn(dir: string): readonly FoundRun[] {
    const known = this.#byDir.get(dir) ?? this.#read(dir)
    this.#byDir.set(dir, known)
    return known
  }

  #read(dir: string): readonly FoundRun[] {
    let evidence: Evidence
    try {
      evidence = evidenceOf(dir, this.#options)
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      this.#unread.push(error.message)
      return []
    }
    return evidence.runs.map(run => ({ run, dir, metrics: evidence.metrics, source: evidence.sources[0] }))
  }

  #notThere(wanted: string): AssayError {
    const names = this.#all().map(({ run }) => run.name)
    const looked = `searched ${names.length} runs under ${this.#root}; --out-root names another folder`
    const hint = [didYouMean(wanted, names) ?? looked, ...this.#unread].join('\n')
    return new AssayError('not_found', `there is no run "${wanted}"`, { hint })
  }
}

/** The sources of these runs, without the number of planned runs: it says nothing about the runs that were named. */
export function sourcesOfRuns(found: readonly FoundRun[]): readonly EvidenceSource[] {
  const sources = found.flatMap(({ source }) => source ?? [])
  return [...new Map(sources.map(source => [source.path, { ...source, planned: null }])).values()]
}

/** The whole name, the part before its hash, or the hash. */
const fits = (name: string, wanted: string): boolean =>
  name === wanted || name.startsWith(`${wanted}__`) || name.endsWith(`__${wanted}`)
