import { AssayError } from '../../../util/errors.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { boardOf, boardText } from '../../rollouts/board-text.ts'
import { printSeries } from '../../rollouts/print-series.ts'
import { readSeries, seriesNames } from '../../rollouts/read-series.ts'
import { seriesArgument } from '../../rollouts/series-argument.ts'

export async function summarizeCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const dirs = [...new Set(args.map(word => seriesArgument(word, options, io)))]
  const [only] = dirs
  if (only === undefined) throw new AssayError('usage', 'no benchmark was named')
  if (dirs.length === 1) await printSeries(only, options, io)
  else printBoard(dirs, options, io)
  return 0
}

function printBoard(dirs: readonly string[], options: Options, io: Io): void {
  const names = seriesNames(dirs)
  const series = dirs.map((dir, at) => ({ name: names[at] ?? dir, rollouts: readSeries(dir) }))
  const board = boardOf(series)
  if (options.json) writeJson(io.stdout, { kind: 'leaderboard', dirs, ...board })
  else writeLines(io.stdout, boardText(board))
}
