import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compareArms } from '../../analyze/compare/compare.ts'
import { meets } from '../../analyze/compare/verdict.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { comparisonCsv } from '../analysis/comparison-csv.ts'
import { comparisonLines } from '../analysis/comparison-view.ts'
import { evidenceArgument } from '../analysis/evidence-argument.ts'
import { evidenceOfNamedRuns, namesRuns } from '../analysis/named-runs.ts'
import { questionOf, seriesWanted } from '../analysis/question.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { styler } from '../views/style.ts'

export async function compareCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const read = { series: seriesWanted(options) }
  const evidence = namesRuns(options)
    ? evidenceOfNamedRuns(options, io, read)
    : evidenceArgument(args, options, io, read)
  const question = questionOf(evidence, options)
  const compared = compareArms(evidence, question)
  const comparisons = compared.map(({ comparison }) => comparison)
  const [first] = comparisons
  if (options.json) writeJson(io.stdout, comparisons.length === 1 ? first : { kind: 'comparisons', comparisons })
  else if (options.outputPrintTable === 'false')
    writeLines(
      io.stdout,
      comparisons.map(({ sentence }) => sentence),
    )
  else writeLines(io.stdout, comparisonLines(comparisons, io.stdout.columns, styler(io.stdout)))
  if (options.csvPath !== undefined) writeText(resolve(io.cwd, options.csvPath), comparisonCsv(compared))
  const { require: wanted } = options
  if (wanted === undefined) return 0
  return comparisons.every(comparison => meets(comparison, wanted)) ? 0 : 1
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new AssayError('cannot_write', `can't write ${file}: ${messageOf(error)}`, { cause: error })
  }
}
