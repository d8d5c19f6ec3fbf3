import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { asExperimentDirectory, directoryName, stampsIn } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'
import { didYouMean } from '../../util/suggest.ts'
import { chooseExperiment } from '../experiment/choose-experiment.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'

/** Where benchmarks are by default. */
const defaultRoot = 'data/rollouts'

/**
 * The directory of a series: given itself, by the beginning of its path (`data/rollouts/model_v1/20250824`), or the
 * newest of a benchmark, or the one with a stamp.
 */
export function seriesArgument(word: string, options: Options, io: Io): string {
  if (options.latest && options.rollout !== undefined)
    throw new AssayError('usage', '--latest and --rollout name two series: give one of them')
  const path = resolve(io.cwd, word)
  if (options.rollout === undefined) {
    if (isSeries(path)) return path
    const begun = seriesIn(dirname(path)).findLast(stamp => stamp.startsWith(basename(path)))
    if (/^\d{8}/.test(basename(path)) && begun !== undefined) return join(dirname(path), begun)
  }
  return seriesOf(folderOf(word, options, io), word, options, io)
}

/** One of ours, or one made by OneShot itself. */
const isSeries = (dir: string): boolean =>
  asExperimentDirectory(dir) !== undefined || ['manifest.json', 'runs.txt'].some(name => existsSync(join(dir, name)))

const seriesIn = (folder: string): readonly string[] => stampsIn(folder).filter(stamp => isSeries(join(folder, stamp)))

/** The folder that holds the series of a benchmark. */
function folderOf(word: string, options: Options, io: Io): string {
  const found = statSync(resolve(io.cwd, word), { throwIfNoEntry: false })
  if (found?.isFile()) return dirname(chooseExperiment([word], { outRoot: options.outRoot }, io).dir)
  if (found?.isDirectory() && stampsIn(resolve(io.cwd, word)).length > 0) return resolve(io.cwd, word)
  return join(rootOf(options, io), directoryName(word))
}

const rootOf = ({ outRoot }: Options, { cwd }: Io): string => resolve(cwd, outRoot ?? defaultRoot)

function seriesOf(folder: string, word: string, options: Options, io: Io): string {
  const series = seriesIn(folder)
  const newest = series.at(-1)
  if (newest === undefined) throw noRollouts(word, options, io)
  const wanted = options.rollout
  if (wanted === undefined) return join(folder, newest)
  const chosen = series.findLast(stamp => stamp.startsWith(wanted))
  if (chosen !== undefined) return join(folder, chosen)
  throw new AssayError('not_found', `${word} has no rollout ${wanted}`, {
    hint: `There are: ${series.slice(-mostShown).toReversed().join(', ')}${series.length > mostShown ? ', …' : ''}.`,
  })
}

const mostShown = 6

function noRollouts(word: string, options: Options, io: Io): AssayError {
  const root = rootOf(options, io)
  const names = statSync(root, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(root).filter(name => name !== 'temp' && seriesIn(join(root, name)).length > 0)
    : []
  const place = relative(io.cwd, root) || '.'
  const there = names.length === 0 ? `There are none in ${place}.` : `${place} has: ${names.slice(0, 20).join(', ')}.`
  return new AssayError('not_found', `No rollouts found for ${word}`, { hint: didYouMean(word, names) ?? there })
}
