import { type Arm, armsFor } from '../../../analyze/arms.ts'
import type { Reading } from '../../../analyze/reading.ts'
import { type ArmSamples, samplesOf } from '../../../analyze/samples.ts'
import type { Evidence } from '../../../plan/evidence.ts'
import { AssayError } from '../../../util/errors.ts'
import type { JsonObject } from '../../../util/json.ts'
import type { Io } from '../../io.ts'
import type { Options } from '../../options.ts'
import { evidenceArgument } from '../evidence-argument.ts'
import { readingOption, seriesWanted } from '../question.ts'
import { refuse } from './power-input.ts'

/** Runs to learn from, as a comparison would see them. */
export interface Pilot {
  readonly evidence: Evidence
  readonly arms: { readonly control: Arm; readonly candidate: Arm }
  readonly reading: Reading
  readonly samples: ArmSamples
}

/** The pilot on the command line; null: there is none. */
export function pilotOf(args: readonly string[], options: Options, io: Io): Pilot | null {
  if (args.length === 0) return null
  refuse(options, 'a pilot', ['sd', 'baseRate', 'discordant', 'taskSd', 'rolloutSd', 'ratio'])
  const evidence = evidenceArgument(args, options, io, { series: seriesWanted(options) })
  const reading = readingOption(evidence, options)
  const { control, candidates } = armsFor(evidence, { control: options.control, candidates: options.candidate })
  const [candidate, another] = candidates
  if (candidate === undefined || another !== undefined)
    throw new AssayError('usage', `which candidate? the pilot has ${candidates.map(({ label }) => label).join(', ')}`, {
      hint: `name one, e.g. --candidate ${levelsText(candidates[0]?.levels ?? {})}`,
    })
  const arms = { control, candidate }
  const samples = samplesOf(evidence, arms, reading, {
    isPaired: !options.unpaired,
    missing: options.missing ?? 'failed',
  })
  const [n, other] = [samples.control.length, samples.candidate.length]
  if (Math.min(n, other) < 2)
    throw new AssayError('usage', `the pilot has ${n} and ${other} usable ${samples.unit}s: two of each are needed`)
  return { evidence, arms, reading, samples }
}

const levelsText = (levels: JsonObject): string =>
  Object.entries(levels)
    .map(([factor, level]) => `${factor}=${String(level)}`)
    .join(',')
