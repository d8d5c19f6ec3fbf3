import {
  type CalibrationCell,
  type CalibrationOptions,
  chosenPopulations,
  coverageMark,
  type DesignError,
  type FamilyError,
  type GateError,
  type MarginError,
  type Mark,
  type ProportionCoverage,
  type Share,
  type StatedPower,
  typeIMark,
} from '../../analyze/calibrate/calibrate.ts'

export interface Calibration {
  readonly options: CalibrationOptions
  readonly cells: readonly CalibrationCell[]
  readonly proportions: readonly ProportionCoverage[]
  readonly margins: readonly MarginError[]
  readonly gates?: readonly GateError[]
  readonly families?: readonly FamilyError[]
  readonly designs: readonly DesignError[]
  readonly otherDesigns?: readonly DesignError[]
  readonly powers?: readonly StatedPower[]
}

/** The tables of `assay stats calibrate`, in Markdown. */
export function calibrationPage(found: Calibration): string {
  const { options, cells, proportions, margins, gates = [], families = [], powers = [] } = found
  const { designs, otherDesigns = [] } = found
  const sections = chosenPopulations(options.data).flatMap(({ name, meaning }) => {
    const own = cells.filter(({ data }) => data === name)
    return [`### ${titled(name)}`, '', meaning, '', ...tableOf(own, options), '']
  })
  return [
    ...sections,
    ...designSection(
      designs,
      'The same seeds in every task',
      'How often a difference is claimed where there is none, in percent, for so many seeds × tasks. In every run the arms differ by noise of sd 1, and by what the task and the seed add. The default does not know which design it is.',
    ),
    ...designSection(
      otherDesigns,
      'The same seeds in every task, otherwise compared',
      'The same where it is not the plain mean of paired tasks that is compared; last, how often the interval of a single arm misses its true mean. Tasks and seeds vary with sd 0.5 each, runs with sd 1.',
    ),
    ...marginSection(margins),
    ...gateSection(gates),
    ...familySection(families),
    ...powerSection(powers),
    ...proportionSection(proportions, options),
  ].join('\n')
}

/** The text above the tables: how to read them. */
export function calibrationLegend({ trials, resamples, alpha, seed }: CalibrationOptions): string {
  const errorAt = (share: number) => percent(Math.sqrt((share * (1 - share)) / trials))
  return [
    `${trials} simulated experiments for each kind of data and number of units n, with a difference and without; ${resamples} resamples inside each; seed ${seed}. A cell is`,
    '',
    '`coverage · type I · power · width`',
    '',
    `- **coverage**: how often the ${percent(1 - alpha)}% interval holds the true difference, in percent. It should be ${percent(1 - alpha)}.`,
    `- **type I**: how often a difference is claimed (p ≤ ${alpha}) where there is none, in percent. It should be at most ${percent(alpha)}.`,
    '- **power**: how often the difference is found, in percent; in parentheses where type I is too high for it to mean anything.',
    '- **width**: of the interval, the median, as a multiple of that of the default.',
    '- **none**: how often, in percent, the data allow no interval: too few units, no spread. Coverage is that of the others.',
    '',
    `**Bold** is too bold: coverage below ${percent(1 - 1.5 * alpha)} or type I above ${percent(1.5 * alpha)}, by more than two Monte Carlo standard errors. *Italics* are too cautious: coverage above ${percent(1 - alpha / 2)}. The standard error is ±${errorAt(alpha)} at ${percent(alpha)} and ${percent(1 - alpha)}, ±${errorAt(0.1)} at 10 and 90, ±${errorAt(0.5)} at 50; \`--json\` has that of every number.`,
  ].join('\n')
}

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function tableOf(cells: readonly CalibrationCell[], { sizes, alpha }: CalibrationOptions): readonly string[] {
  const procedures = [...new Set(cells.map(({ procedure }) => procedure))]
  const at = (procedure: string, n: number) => cells.find(cell => cell.procedure === procedure && cell.n === n)
  return [
    row(['', ...sizes.map(n => `n = ${n}`)]),
    row(['---', ...sizes.map(() => '---')]),
    row(['default is', ...sizes.map(n => at('default', n)?.chosen.join(' or ') ?? '–')]),
    ...procedures.map(procedure =>
      row([procedure, ...sizes.map(n => cellText(at(procedure, n), at('default', n), alpha))]),
    ),
  ]
}

function cellText(cell: CalibrationCell | undefined, byDefault: CalibrationCell | undefined, alpha: number): string {
  if (cell === undefined) return '–'
  const { coverage, typeI, power, width, unanswered } = cell
  const isBold = typeIMark(typeI, alpha) === 'too bold'
  const parts = [
    coverage === null ? '–' : marked(coverage, coverageMark(coverage, alpha)),
    marked(typeI, typeIMark(typeI, alpha)),
    isBold ? `(${whole(power)})` : whole(power),
    width === null || !byDefault?.width ? '–' : times(width / byDefault.width),
    ...(coverage !== null && unanswered >= 0.005 ? [`${Math.round(100 * unanswered)} none`] : []),
  ]
  return parts.join(' · ')
}

function marked({ share }: Share, mark: Mark): string {
  const text = percent(share)
  return mark === 'too bold' ? `**${text}**` : mark === 'too cautious' ? `*${text}*` : text
}

const whole = ({ share }: Share): string => String(Math.round(100 * share))

/** Above a hundred, it only says "no use". */
const times = (ratio: number): string => (ratio > 100 ? '>100×' : `${ratio.toFixed(2)}×`)

/** One decimal, unless it is 0. */
const percent = (share: number): string => String(Number((100 * share).toFixed(1)))

const row = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`

function designSection(errors: readonly DesignError[], title: string, text: string): readonly string[] {
  if (errors.length === 0) return []
  const unique = (values: readonly string[]): readonly string[] => [...new Set(values)]
  const sizeOf = ({ seeds, tasks }: DesignError): string => `${seeds} × ${tasks}`
  const sizes = unique(errors.map(sizeOf))
  return [
    `### ${title}`,
    '',
    text,
    '',
    row(['design', 'units', ...sizes]),
    row(['---', '---', ...sizes.map(() => '---')]),
    ...unique(errors.map(({ design }) => design)).flatMap(design =>
      unique(errors.map(({ units }) => units)).map(units => {
        const own = errors.filter(one => one.design === design && one.units === units)
        return row([
          design,
          units,
          ...own.map(({ typeI }) => (typeI > 0.075 ? `**${percent(typeI)}**` : percent(typeI))),
        ])
      }),
    ),
    '',
  ]
}

function marginSection(errors: readonly MarginError[]): readonly string[] {
  if (errors.length === 0) return []
  const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]
  const sizes = unique(errors.map(({ n }) => n))
  const worst = (data: string, margin: number, n: number): MarginError | undefined =>
    errors
      .filter(one => one.data === data && one.margin === margin && one.n === n)
      .reduce<MarginError | undefined>(
        (most, one) => (most === undefined || one.error > most.error ? one : most),
        undefined,
      )
  return [
    '### Yes or no, at a margin',
    '',
    'How often a candidate that is worse by just the margin passes as not worse (p ≤ 0.05), in percent: the most over shares of discordant pairs from the margin to 30%, or over success rates of the control from the margin to 100%. `equivalent` asks for more, and is claimed less often. Summed over all outcomes: exact, without chance.',
    '',
    row(['data', 'margin', ...sizes.map(n => `n = ${n}`)]),
    row(['---', '---', ...sizes.map(() => '---')]),
    ...unique(errors.map(({ data }) => data)).flatMap(data =>
      unique(errors.map(({ margin }) => margin)).map(margin =>
        row([
          data,
          `${percent(margin)} ${margin === 0.01 ? 'point' : 'points'}`,
          ...sizes.map(n => {
            const found = worst(data, margin, n)
            return found === undefined ? '–' : percent(found.error)
          }),
        ]),
      ),
    ),
    '',
    ...worstMargin(errors),
  ]
}

function worstMargin(errors: readonly MarginError[]): readonly string[] {
  const [worst] = errors.toSorted((a, b) => b.error - a.error)
  if (worst === undefined) return []
  const { data, n, margin, share, error } = worst
  const of = data === 'paired' ? 'discordant pairs' : 'successes of the control'
  return [
    `The largest of ${errors.length}: ${(100 * error).toFixed(2)}% (${data}, n = ${n}, a margin of ${percent(margin)} points, ${percent(share)}% ${of}).`,
    '',
  ]
}

function gateSection(errors: readonly GateError[]): readonly string[] {
  if (errors.length === 0) return []
  const sizes = [...new Set(errors.map(({ n }) => n))]
  const cell = (data: string, n: number, gate: GateError['gate'], least: number): string => {
    const worst = Math.max(
      ...errors.filter(one => one.data === data && one.n === n && one.gate === gate).map(one => one.passed),
    )
    return worst > 1.5 * least ? `**${percent(worst)}**` : percent(worst)
  }
  return [
    '### Gates on numbers',
    '',
    'How often a gate passes a candidate that it should not, in percent: `--require better` without a difference (should be at most 2.5: half of a two-sided 5%), then `--require not-worse` where the candidate is worse by just the margin (at most 5; a one-sided `--side` is the same test). Of both directions, higher is better and lower is better, the larger number. **Bold**: more than one and a half times as many.',
    '',
    row(['data', ...sizes.map(n => `n = ${n}`)]),
    row(['---', ...sizes.map(() => '---')]),
    ...[...new Set(errors.map(({ data }) => data))].map(data =>
      row([data, ...sizes.map(n => `${cell(data, n, 'better', 0.025)} · ${cell(data, n, 'not-worse', 0.05)}`)]),
    ),
    '',
  ]
}

function familySection(errors: readonly FamilyError[]): readonly string[] {
  if (errors.length === 0) return []
  return [
    '### Three metrics of three candidates',
    '',
    'How many experiments, in percent, have any false claim among nine tests against one control: a score, a duration and a success rate of three candidates on the same n tasks. With Holm\u2019s correction over all nine (should be at most 5), and without. With a gain, the score of one candidate is really better by so many sd, and `found` is how often that is said.',
    '',
    row(['gain', 'n', 'corrected', 'uncorrected', 'found']),
    row(['---', '---', '---', '---', '---']),
    ...errors.map(({ gain, n, wrong, uncorrected, found }) =>
      row([
        gain === 0 ? 'none' : String(gain),
        String(n),
        percent(wrong),
        percent(uncorrected),
        found === null ? '–' : percent(found),
      ]),
    ),
    '',
  ]
}

function powerSection(powers: readonly StatedPower[]): readonly string[] {
  if (powers.length === 0) return []
  return [
    '### Power as stated',
    '',
    'The power that `assay power` states for an effect (in sd, or as a difference of rates), and how often `assay compare` finds it in simulated experiments, in percent, with the standard error of the simulation.',
    '',
    row(['data', 'n', 'effect', 'side', 'stated', 'found']),
    row(['---', '---', '---', '---', '---', '---']),
    ...powers.map(({ data, n, effect, side, stated, found, error }) =>
      row([
        data,
        String(n),
        String(Number(effect.toPrecision(2))),
        side,
        percent(stated),
        `${percent(found)} ± ${percent(error)}`,
      ]),
    ),
    '',
  ]
}

function proportionSection(
  proportions: readonly ProportionCoverage[],
  { sizes }: CalibrationOptions,
): readonly string[] {
  if (proportions.length === 0) return []
  const methods = [...new Set(proportions.map(({ method }) => method))]
  const rates = [...new Set(proportions.map(({ rate }) => rate))]
  const at = (method: string, rate: number, n: number) =>
    proportions.find(one => one.method === method && one.rate === rate && one.n === n)?.coverage ?? 0
  return [
    '### Yes or no, one arm',
    '',
    'The success rate of a single arm. Coverage is summed over all outcomes: exact, without chance.',
    '',
    row(['success rate', 'method', ...sizes.map(n => `n = ${n}`)]),
    row(['---', '---', ...sizes.map(() => '---')]),
    ...rates.flatMap(rate =>
      methods.map(method => row([String(rate), method, ...sizes.map(n => percent(at(method, rate, n)))])),
    ),
    '',
  ]
}
