import { writeFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import {
  type Compared,
  type Comparison,
  compareEvidence,
  meets,
  oneOrSeveral,
} from '../../../analyze/compare/compare.ts'
import { type Provenance, provenanceLine } from '../../../analyze/provenance/provenance.ts'
import { type Evidence, partialText } from '../../../define/observation.ts'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { comparisonCsv } from '../../analysis/compare/comparison-csv.ts'
import { comparisonFigures } from '../../analysis/compare/comparison-figures.ts'
import { comparisonLines } from '../../analysis/compare/comparison-view.ts'
import { evidenceArgument } from '../../analysis/evidence-argument.ts'
import { evidenceOfNamedRuns, namesRuns } from '../../analysis/named-runs.ts'
import { askedBy, isOn, seriesWanted } from '../../analysis/question.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

export async function compareCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { output, require: required } = options
  if (required !== undefined && 'pass' in required)
    throw new AssayError('usage', '--require pass=… is for `assay run`', {
      hint: 'compare takes better, not-worse or equivalent.',
    })
  const pictures = output === undefined ? null : await import('../../../report/pictures/write-picture.ts')
  if (output !== undefined && !isData(output)) pictures?.requirePictureEnding(output)
  const read = { series: seriesWanted(options) }
  const evidence = namesRuns(options)
    ? evidenceOfNamedRuns(options, io, read)
    : evidenceArgument(args, options, io, read, { tellsNotes: false })
  const { question, compared, provenance } = compareEvidence(evidence, askedBy(options))
  if (required !== undefined && question.chosenFrom !== undefined && options.best === undefined)
    throw new AssayError(
      'usage',
      `--require applies to every candidate, but only the best ${compared.length} of ${question.chosenFrom} are compared`,
      { hint: `--best ${compared.length} requires it of these alone; --candidate names one (repeatable)` },
    )
  const comparisons = compared.map(({ comparison }) => comparison)
  await show(compared, evidence, provenance, options, io)
  if (options.csvPath !== undefined) writeText(resolve(io.cwd, options.csvPath), comparisonCsv(compared, provenance))
  if (output !== undefined) {
    const figures = comparisonFigures(evidence, question, compared)
    const file = resolve(io.cwd, output)
    if (isData(output)) writeText(file, `${JSON.stringify({ ...figures, provenance }, null, 2)}\n`)
    else {
      const { comparisonPicture } = await import('../../analysis/compare/comparison-picture.ts')
      await pictures?.writePicture(file, comparisonPicture(figures))
    }
  }
  return exitCode(comparisons, options, io)
}

/** The data of the pictures, for users who draw their own. */
const isData = (file: string): boolean => extname(file).toLowerCase() === '.json'

async function show(
  compared: readonly Compared[],
  evidence: Evidence,
  provenance: Provenance,
  options: Options,
  io: Io,
): Promise<void> {
  const planning = isOn(options.powerEnabled) ? await import('../../analysis/compare/comparison-power.ts') : null
  const powers = planning === null ? [] : compared.map(one => planning.powerOf(one, options))
  const comparisons = compared.map(({ comparison }) => comparison)
  if (options.json) {
    const documents = comparisons.map((comparison, at) =>
      powers.length === 0 ? comparison : { ...comparison, power: planning?.answerOf(powers[at]) },
    )
    return writeJson(io.stdout, oneOrSeveral(documents, provenance))
  }
  const partial = partialText(evidence)
  if (options.outputPrintTable === 'false') {
    // A gate that only prints its sentence must still say why it may be wrong.
    if (options.require !== undefined)
      writeLines(
        io.stderr,
        comparisons.flatMap(({ warnings }) => warnings.map(text => `warning: ${text}`)),
      )
    return writeLines(io.stdout, [
      ...comparisons.map(({ sentence }) => sentence),
      ...provenance.filter.map(text => `only ${text}`),
      ...(partial === null ? [] : [partial]),
    ])
  }
  const columns = tableWidth(io.stdout)
  const style = styler(io.stdout)
  writeLines(io.stdout, comparisonLines(comparisons, columns, style, partial))
  compared.forEach((one, at) => {
    const power = powers[at]
    if (planning !== null && power !== undefined)
      writeLines(io.stdout, ['', ...planning.powerLinesOf(one, power, columns, style), ''])
  })
  writeLines(io.stdout, [style.dim(provenanceLine(provenance))])
}

/** The requirement must hold for every candidate. */
function exitCode(comparisons: readonly Comparison[], { require: required, margin }: Options, io: Io): number {
  if (required === undefined || 'pass' in required) return 0
  const { verdict: wanted } = required
  const failing = comparisons.filter(comparison => !meets(comparison, wanted))
  if (failing.length === 0) return 0
  const needsMargin = wanted !== 'better' && margin === undefined
  const hint = needsMargin ? `; ${wanted} can only be shown within a margin: --margin 2pts` : ''
  writeLines(io.stderr, [`not shown to be ${wanted}: ${failing.map(({ candidate }) => candidate).join(', ')}${hint}`])
  return 1
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new AssayError('cannot_write', `can't write ${file}: ${messageOf(error)}`, { cause: error })
  }
}
