import {
  type CalibrationOptions,
  calibrate,
  chosenPopulations,
  designErrors,
  familyErrors,
  gateErrors,
  isPartChosen,
  marginErrors,
  otherDesignErrors,
  otherParts,
  proportionCoverage,
  statedPowers,
} from '../../../analyze/calibrate/calibrate.ts'
import { AssayError } from '../../../util/errors.ts'
import { calibrationLegend, calibrationPage } from '../../analysis/calibration-view.ts'
import { seedOption } from '../../analysis/question.ts'
import { drawOn, type Io, writeJson } from '../../io.ts'
import type { Options } from '../../options.ts'

/** `assay stats calibrate` */
export async function statsCommand(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const asked = calibrationOptions(options)
  const total = chosenPopulations(asked.data).length * asked.sizes.length
  let done = 0
  const cells = [...calibrate(asked)].flatMap(found => {
    done++
    const [first] = found
    if (io.stderr.isTTY && first !== undefined)
      drawOn(io.stderr, `\r\x1b[K${done} of ${total}: ${first.data}, n = ${first.n}`)
    return found
  })
  if (io.stderr.isTTY) drawOn(io.stderr, '\r\x1b[K')
  const hasYesNo = chosenPopulations(asked.data).some(({ kind }) => kind === 'yes-no')
  const proportions = hasYesNo ? proportionCoverage([0.05, 0.5, 0.95], asked.sizes, 1 - asked.alpha) : []
  const { data } = asked
  // If requested by name, the grid uses --sizes, with every margin of whole points.
  const grid =
    data === undefined ? [] : ([options.sizes, Array.from({ length: 10 }, (_, at) => (at + 1) / 100)] as const)
  const margins = isPartChosen('margins', data) ? marginErrors(...grid) : []
  const designs = isPartChosen('designs', data) ? designErrors(asked) : []
  const otherDesigns = data !== undefined && isPartChosen('other designs', data) ? otherDesignErrors(asked) : []
  const powers = data !== undefined && isPartChosen('stated power', data) ? [...statedPowers(asked)] : []
  const gates = data !== undefined && isPartChosen('gates', data) ? [...gateErrors(asked, options.sizes)] : []
  const families = data !== undefined && isPartChosen('families', data) ? [...familyErrors(asked, options.sizes)] : []
  const found = { cells, proportions, margins, gates, families, designs, otherDesigns, powers }
  if (options.json) writeJson(io.stdout, { kind: 'calibration', ...asked, ...found })
  else io.stdout.write(`${calibrationLegend(asked)}\n\n${calibrationPage({ options: asked, ...found })}`)
  return 0
}

function calibrationOptions(options: Options): CalibrationOptions {
  const { data, trials = 400, sizes = [3, 5, 10, 20, 50], resamples = 499, alpha = 0.05 } = options
  if (alpha > 0.5) throw new AssayError('usage', `--alpha: expected at most 0.5, got ${alpha}`)
  if (chosenPopulations(data).length === 0 && !otherParts.some(part => isPartChosen(part, data)))
    throw new AssayError('usage', `--data: no kind of data has "${data?.join('" or "')}" in its name`, {
      hint: `there are ${[...chosenPopulations(undefined).map(({ name }) => name), ...otherParts].join('; ')}`,
    })
  return { seed: seedOption(options), trials, sizes, resamples, alpha, ...(data && { data }) }
}
