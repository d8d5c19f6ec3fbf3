import type { Evidence } from '../../define/observation.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { type Arm, armsFor } from '../arms.ts'
import { type Reading, readingOf } from '../reading.ts'
import { type ArmSamples, samplesOf } from '../samples.ts'
import { type PowerAsked, refuse } from './asked.ts'

/** Existing runs, as a comparison would see them. */
export interface Pilot {
  readonly evidence: Evidence
  readonly arms: { readonly control: Arm; readonly candidate: Arm }
  readonly reading: Reading
  readonly samples: ArmSamples
}

/** Refuses options whose values come from the pilot. */
export function refuseBesidePilot(options: PowerAsked): void {
  refuse(options, 'a pilot', ['sd', 'baseRate', 'discordant', 'taskSd', 'rolloutSd', 'ratio'])
}

export function pilotOf(evidence: Evidence, options: PowerAsked): Pilot {
  const reading = readingOf(evidence, options)
  const { control, candidates } = armsFor(evidence, { control: options.control, candidates: options.candidate })
  const [candidate, another] = candidates
  if (candidate === undefined || another !== undefined)
    throw new AssayError('usage', `which candidate? the pilot has ${candidates.map(({ label }) => label).join(', ')}`, {
      hint: `name one, e.g. --candidate ${levelsText(candidates[0]?.levels ?? {})}`,
    })
  if (options.missing === 'bounds')
    throw new AssayError('usage', '--missing bounds: a pilot needs the value of every run that it learns from', {
      hint: '--missing failed leaves runs without a value out, and counts them',
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
