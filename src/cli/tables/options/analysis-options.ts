import { alsoTests, candidateCorrections, methods, missingRules } from '../../../analyze/choices.ts'
import type { StrataSpec, WeightsSpec } from '../../../define/experiment.ts'
import { AssayError } from '../../../util/errors.ts'
import { commaList, decimal, levels, positiveNumber, probability, share, text } from '../../parse-values.ts'
import { choice, flag, list, type OptionSpec, oneOf, value, words } from './option.ts'

export const verdictsToRequire = ['better', 'not-worse', 'equivalent'] as const

const what = 'Comparison'
const how = 'Statistics'

/** Options shared by the analysis commands. Names with a dot are those of Metta's benchmark pipeline. */
export const analysisOptions = {
  control: value({
    group: what,
    value: 'levels',
    description: 'the control, e.g. strategy=raw or policy=full,load=0.9',
    parse: levels,
  }),
  candidate: list({ group: what, value: 'levels', description: 'the candidate, in the same form', parse: levels }),
  best: value({
    group: what,
    value: 'n',
    description: 'only the n candidates with the best means; p is corrected for all candidates',
    parse: positiveNumber,
  }),
  controlRunIds: words({
    group: what,
    value: 'runs',
    description: 'the control as names, keys or folders of runs, searched under --out-root',
    parse: text,
  }),
  candidateRunIds: words({ group: what, value: 'runs', description: 'the candidate, in the same form', parse: text }),
  pairs: words({
    group: what,
    value: 'json',
    description: 'pairs of runs: {"control": "…", "candidate": "…"}, repeated, or a list of them',
    parse: text,
  }),
  metric: value({
    group: what,
    value: 'name',
    aliases: ['metric-key'],
    description: 'the metric (default: the primary one)',
    parse: text,
  }),
  goal: choice({
    group: what,
    value: 'goal',
    choices: ['maximize', 'minimize'],
    description: 'which direction is better, if the experiment does not say',
  }),
  statistic: value({
    group: what,
    value: 'what',
    description:
      'the statistic: mean (default), median, iqm, wins (how often a run is better), pass@3 or pass^3 (one, or all, of three attempts succeed)',
    parse: text,
  }),
  summary: value({
    group: what,
    value: 'how',
    aliases: ['summary.type'],
    description: 'how to reduce a series to a number: auc, last, mean, best, slope, time-to:0.9 or eval-last:5',
    parse: text,
  }),
  window: value({
    group: what,
    value: 'part',
    description: 'the part of a series to use: all, last:25%, first:10%, last:25%steps or steps:100..200',
    parse: text,
  }),
  summaryPercent: value({
    group: what,
    value: 'share',
    aliases: ['summary.percent'],
    description: 'the window as a share of the points, e.g. 0.25',
    parse: probability,
  }),
  summaryPercentWindow: choice({
    group: what,
    value: 'end',
    aliases: ['summary.percent-window'],
    choices: ['last', 'first'],
    description: 'the end that share is taken from',
  }),
  summaryStepMin: value({
    group: what,
    value: 'step',
    aliases: ['summary.step-min', 'fetch.min-step'],
    description: 'the first step of the window',
    parse: decimal,
  }),
  summaryStepMax: value({
    group: what,
    value: 'step',
    aliases: ['summary.step-max', 'fetch.max-step'],
    description: 'the last step of the window',
    parse: decimal,
  }),
  summaryNormalizeSteps: value({
    group: what,
    value: 'yes',
    aliases: ['summary.normalize-steps'],
    description: 'false: auc is the total area, not divided by the number of steps',
    parse: text,
  }),
  summaryN: value({
    group: what,
    value: 'n',
    aliases: ['summary.n'],
    description: 'points of eval_last_n',
    parse: positiveNumber,
  }),
  group: value({
    group: what,
    value: 'columns',
    description: 'the columns of a table that identify the arms',
    parse: commaList,
  }),
  pairBy: value({
    group: what,
    value: 'names',
    description: 'the columns or blocks to pair runs by, outermost first; none: every run counts by itself',
    parse: commaList,
  }),
  run: value({
    group: what,
    value: 'column',
    description: "the column of a table with the run's name",
    parse: text,
  }),
  step: value({
    group: what,
    value: 'column',
    description: 'the column of a table with the step',
    parse: text,
  }),
  paths: words({
    group: what,
    value: 'paths',
    description: 'only code changes under these paths',
    parse: text,
  }),
  unpaired: flag({ group: how, description: 'compare the arms as independent groups, even if they could be paired' }),
  alpha: value({
    group: how,
    value: 'share',
    aliases: ['bootstrap.alpha'],
    description: 'the false-positive rate to allow (0.05)',
    parse: probability,
  }),
  side: choice({
    group: how,
    value: 'side',
    aliases: ['bootstrap.side'],
    choices: ['two-sided', 'greater', 'less'],
    description: 'the alternative: any difference, or that the candidate is greater or less',
  }),
  method: choice({
    group: how,
    value: 'method',
    aliases: ['bootstrap.method'],
    choices: methods,
    description: 'the interval method (default: auto, by data type and design)',
  }),
  margin: value({
    group: how,
    value: 'margin',
    description: 'the largest difference that does not matter: 0.02, 2pts or 5%; needed for equivalent and not-worse',
    parse: text,
  }),
  correction: choice({
    group: how,
    value: 'rule',
    choices: candidateCorrections,
    description: 'the correction for several candidates (holm); only compare has max-t',
  }),
  require: value({
    group: how,
    value: 'verdict',
    description: 'exit with 1 unless this is the verdict',
    parse: requirement,
  }),
  missing: choice({
    group: how,
    value: 'rule',
    choices: missingRules,
    description:
      'runs without a value: leave out failed ones, omit all, count them as zero or as the worst rank, allow for all they could be (bounds), or refuse',
  }),
  range: value({
    group: how,
    value: 'low..high',
    description: 'where values can lie, for --missing bounds: 0..100, or 0.. with an open end',
    parse: text,
  }),
  weights: value({
    group: how,
    value: 'weights',
    description: 'how much each task counts: the column, parameter or metric that holds it, or t1=2,t2=1',
    parse: weights,
  }),
  family: value({
    group: how,
    value: 'metrics',
    description: 'metrics that decide together: p is corrected for all of them and all candidates',
    parse: commaList,
  }),
  strata: value({
    group: how,
    value: 'name',
    description:
      'kinds of tasks, compared apart and averaged: a column or parameter, or category:easy=0.7,hard=0.3 with shares',
    parse: strata,
  }),
  also: value({
    group: how,
    value: 'tests',
    description: `more tests, for information: ${alsoTests.join(', ')}`,
    parse: otherTests,
  }),
  rliable: flag({
    group: how,
    description:
      'also show iqm, median, optimality gap and the probability of improvement over tasks with several runs',
  }),
  resamples: value({
    group: how,
    value: 'n',
    aliases: ['bootstrap.n-resamples'],
    description: 'resamples of a bootstrap or permutation test (10000)',
    parse: positiveNumber,
  }),
  rng: choice({
    group: how,
    value: 'generator',
    choices: ['assay', 'numpy'],
    description: "the random number generator: assay's own or NumPy's default",
  }),
  ttestEnabled: value({
    group: how,
    value: 'yes',
    aliases: ['ttest.enabled'],
    description: 'also show the t-test and its assumptions',
    parse: text,
  }),
  ttestAssumptionAlpha: value({
    group: how,
    value: 'share',
    aliases: ['ttest.assumption-alpha'],
    description: 'the p below which an assumption counts as doubtful (0.05)',
    parse: probability,
  }),
  powerEnabled: value({
    group: how,
    value: 'yes',
    aliases: ['power.enabled'],
    description: 'also show what more runs like these would detect; see --effect, --power, --sizes and --trials',
    parse: text,
  }),
  powerNormalityAlpha: value({
    group: how,
    value: 'share',
    aliases: ['power.normality-alpha'],
    description: 'accepted for compatibility, no effect: assay chooses no method by a normality test',
    parse: probability,
  }),
  powerUseBootstrap: value({
    group: how,
    value: 'yes',
    aliases: ['power.use-bootstrap'],
    description: 'accepted for compatibility, no effect: power is computed for the method that compares',
    parse: text,
  }),
  output: value({
    group: 'Output',
    value: 'file',
    description: 'the file to write; .svg or .png for an image',
    parse: text,
  }),
  csvPath: value({
    group: 'Output',
    value: 'file',
    aliases: ['output.csv-path'],
    description: 'also write the values and the result as CSV',
    parse: text,
  }),
  outputPrintTable: value({
    group: 'Display',
    value: 'yes',
    aliases: ['output.print-table'],
    description: 'false: print only the sentence',
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>

export type Requirement = { readonly verdict: (typeof verdictsToRequire)[number] } | { readonly pass: number }

function requirement(given: string): Requirement {
  const [, written] = /^pass\s*=\s*(.*)$/.exec(given) ?? []
  if (written === undefined) return { verdict: oneOf(verdictsToRequire, given) }
  const pass = share(written)
  if (pass <= 1) return { pass }
  throw new AssayError('usage', `expected a share of at most 100% such as pass=95%, got "${given}"`)
}

function otherTests(given: string): readonly (typeof alsoTests)[number][] {
  return commaList(given).map(name => {
    const known = alsoTests.find(test => test === name)
    if (known === undefined) throw new AssayError('usage', `expected ${alsoTests.join(', ')}, got "${name}"`)
    return known
  })
}

function weights(given: string): WeightsSpec {
  return given.includes('=') ? numbers(given) : given.trim()
}

/** `category`, or `category:easy=0.7,hard=0.3`. */
function strata(given: string): StrataSpec {
  const [, by = '', shares = ''] = /^([^:=]+)(?::(.+))?$/.exec(given) ?? []
  if (by.trim() === '')
    throw new AssayError('usage', `expected a name such as category, or category:easy=0.7,hard=0.3, got "${given}"`)
  return { by: by.trim(), ...(shares !== '' && { shares: numbers(shares) }) }
}

const numbers = (given: string): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(levels(given)).map(([name, number]) => [name, aboveZero(number)]))

function aboveZero(given: string): number {
  const number = decimal(given)
  if (number <= 0) throw new AssayError('usage', `expected a number above 0, got "${given}"`)
  return number
}
