import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { EvidenceRun } from '../../plan/evidence.ts'
import { AssayError } from '../../util/errors.ts'
import { didYouMean } from '../../util/suggest.ts'
import { journalFile } from '../directory/experiment-directory.ts'
import { evidenceOf, type ReadOptions } from './from-journal.ts'

/** Runs by name, hash or folder, wherever they are under a folder of experiments. */
export class RunFinder {
  readonly #root: string
  readonly #options: ReadOptions
  #runs: readonly { readonly run: EvidenceRun; readonly dir: string }[] | undefined

  constructor(root: string, options: ReadOptions) {
    this.#root = root
    this.#options = options
  }

  /** The one run that is meant; several that fit are an error which lists them. */
  find(wanted: string): EvidenceRun {
    const path = resolve(wanted)
    const name = existsSync(join(path, 'meta.json')) || wanted.includes('/') ? basename(path) : wanted
    const found = this.#all().filter(
      ({ run, dir }) => fits(run.name, name) && (!wanted.includes('/') || isUnder(path, dir)),
    )
    const exact = found.filter(({ run }) => run.name === name)
    const [only] = exact.length > 0 ? exact : found
    const many = exact.length > 0 ? exact : found
    if (only === undefined) throw this.#notThere(wanted)
    if (many.length === 1) return only.run
    throw new AssayError(
      'usage',
      `"${wanted}" is ambiguous: ${many.map(({ run, dir }) => join(dir, 'runs', run.name)).join(', ')}`,
      {
        hint: 'give the folder of the run that is meant',
      },
    )
  }

  #all(): readonly { readonly run: EvidenceRun; readonly dir: string }[] {
    this.#runs ??= experimentsUnder(this.#root).flatMap(dir =>
      evidenceOf(dir, this.#options).runs.map(run => ({ run, dir })),
    )
    return this.#runs
  }

  #notThere(wanted: string): AssayError {
    const names = this.#all().map(({ run }) => run.name)
    const hint =
      didYouMean(wanted, names) ?? `looked at ${names.length} runs under ${this.#root}; --out-root says where else`
    return new AssayError('not_found', `there is no run "${wanted}"`, { hint })
  }
}

/** The whole name, what stands before its hash, or the hash. */
const fits = (name: string, wanted: string): boolean =>
  name === wanted || name.startsWith(`${wanted}__`) || name.endsWith(`__${wanted}`)

const isUnder = (path: string, dir: string): boolean => path.startsWith(`${dir}/`)

/** Folders with a journal, at most three levels down: experiments are not nested. */
function experimentsUnder(root: string, depth = 3): readonly string[] {
  if (existsSync(journalFile(root))) return [root]
  if (depth === 0 || !statSync(root, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(root, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .flatMap(entry => experimentsUnder(join(root, entry.name), depth - 1))
}
