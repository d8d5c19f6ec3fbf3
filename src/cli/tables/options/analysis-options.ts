import { alsoTests, candidateCorrections, methods, missingRules } from '../../../analyze/choices.ts'
import { AssayError } from '../../../util/errors.ts'
import { commaList, decimal, levels, positiveNumber, probability, share, text } from '../../parse-values.ts'
import { choice, flag, list, type OptionSpec, oneOf, value, words } from './option.ts'

export const verdictsToRequire = ['better', 'not-worse', 'equivalent'] as const

const what = 'What is compared'
const how = 'How it is compared'

/** What the commands of analysis have in common. Names with a dot are those of the pipeline that compare takes over from. */
export const analysisOptions = {
  control: value({
    group: what,
    value: 'levels',
    description: 'the side to compare with, e.g. strategy=raw or policy=full,load=0.9',
    parse: levels,
  }),
  candidate: list({ group: what, value: 'levels', description: 'the side in question, likewise', parse: levels }),
  best: value({
    group: what,
    value: 'n',
    description: 'only the n candidates with the best means; p is corrected for all there are',
    parse: positiveNumber,
  }),
  controlRunIds: words({
    group: what,
    value: 'runs',
    description: 'the control as names, keys or folders of runs, looked for under --out-root',
    parse: text,
  }),
  candidateRunIds: words({ group: what, value: 'runs', description: 'the candidate likewise', parse: text }),
  pairs: words({
    group: what,
    value: 'json',
    description: 'pairs of runs: {"control": "…", "candidate": "…"} several times, or one list of them',
    parse: text,
  }),
  metric: value({
    group: what,
    value: 'name',
    aliases: ['metric-key'],
    description: 'which number (default: the primary metric)',
    parse: text,
  }),
  goal: choice({
    group: what,
    value: 'goal',
    choices: ['maximize', 'minimize'],
    description: 'which way is better, where the experiment does not say',
  }),
  statistic: value({
    group: what,
    value: 'what',
    description:
      'what is compared: mean (default), median, iqm, pass@3 or pass^3 (one, or all, of three attempts succeed)',
    parse: text,
  }),
  summary: value({
    group: what,
    value: 'how',
    aliases: ['summary.type'],
    description: 'how a series becomes one number: auc, last, mean, best, slope, time-to:0.9 or eval-last:5',
    parse: text,
  }),
  window: value({
    group: what,
    value: 'part',
    description: 'which part of a series: all, last:25%, first:10%, last:25%steps or steps:100..200',
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
    description: 'which end that share is taken from',
  }),
  summaryStepMin: value({
    group: what,
    value: 'step',
    aliases: ['summary.step-min', 'fetch.min-step'],
    description: 'the window from this step on',
    parse: decimal,
  }),
  summaryStepMax: value({
    group: what,
    value: 'step',
    aliases: ['summary.step-max', 'fetch.max-step'],
    description: 'the window up to this step',
    parse: decimal,
  }),
  summaryNormalizeSteps: value({
    group: what,
    value: 'yes',
    aliases: ['summary.normalize-steps'],
    description: 'false: auc is the whole area, not divided by the steps it covers',
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
    description: 'columns of a table that tell the arms apart',
    parse: commaList,
  }),
  pairBy: value({
    group: what,
    value: 'names',
    description: 'columns or blocks by which runs belong together, the outermost first',
    parse: commaList,
  }),
  run: value({
    group: what,
    value: 'column',
    description: 'the column of a table that names the run of a point',
    parse: text,
  }),
  step: value({
    group: what,
    value: 'column',
    description: 'the column of a table with the step of a point',
    parse: text,
  }),
  paths: words({
    group: what,
    value: 'paths',
    description: 'only changes of the code under these paths',
    parse: text,
  }),
  unpaired: flag({ group: how, description: 'compare the arms as independent groups, though they could be paired' }),
  alpha: value({
    group: how,
    value: 'share',
    aliases: ['bootstrap.alpha'],
    description: 'how often a difference may be claimed where there is none (0.05)',
    parse: probability,
  }),
  side: choice({
    group: how,
    value: 'side',
    aliases: ['bootstrap.side'],
    choices: ['two-sided', 'greater', 'less'],
    description: 'what is to be shown: a difference, or that the candidate is greater or less',
  }),
  method: choice({
    group: how,
    value: 'method',
    aliases: ['bootstrap.method'],
    choices: methods,
    description: 'how the interval is made (default: auto, by kind of data and design)',
  }),
  margin: value({
    group: how,
    value: 'margin',
    description: 'differences up to this do not matter: 0.02, 2pts or 5%; makes equivalence and not-worse answerable',
    parse: text,
  }),
  correction: choice({
    group: how,
    value: 'rule',
    choices: candidateCorrections,
    description:
      'against finding something by trying often, when there are several candidates (holm); max-t is for compare alone',
  }),
  require: value({
    group: how,
    value: 'verdict',
    description: 'exit with 1 unless that is the answer',
    parse: requirement,
  }),
  missing: choice({
    group: how,
    value: 'rule',
    choices: missingRules,
    description: 'runs without a value: leave out those that failed, omit all, count as zero, or refuse',
  }),
  also: value({
    group: how,
    value: 'tests',
    description: `more tests, as information: ${alsoTests.join(', ')}`,
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
    description: "assay's own random numbers, or those of NumPy's default generator",
  }),
  ttestEnabled: value({
    group: how,
    value: 'yes',
    aliases: ['ttest.enabled'],
    description: 'also show the t test and its assumptions',
    parse: text,
  }),
  ttestAssumptionAlpha: value({
    group: how,
    value: 'share',
    aliases: ['ttest.assumption-alpha'],
    description: 'below which p an assumption is called doubtful (0.05)',
    parse: probability,
  }),
  powerEnabled: value({
    group: how,
    value: 'yes',
    aliases: ['power.enabled'],
    description: 'also show what more runs like these would find: --effect, --power, --sizes and --trials say more',
    parse: text,
  }),
  powerNormalityAlpha: value({
    group: how,
    value: 'share',
    aliases: ['power.normality-alpha'],
    description: 'accepted and without effect: no method is chosen by a test for normality',
    parse: probability,
  }),
  powerUseBootstrap: value({
    group: how,
    value: 'yes',
    aliases: ['power.use-bootstrap'],
    description: 'accepted and without effect: power is that of the method that compares',
    parse: text,
  }),
  output: value({
    group: 'Where it goes',
    value: 'file',
    description: 'the file to write; a picture ends in .svg or .png',
    parse: text,
  }),
  csvPath: value({
    group: 'Where it goes',
    value: 'file',
    aliases: ['output.csv-path'],
    description: 'also write the values and the result as CSV',
    parse: text,
  }),
  outputPrintTable: value({
    group: 'What is shown',
    value: 'yes',
    aliases: ['output.print-table'],
    description: 'false: only the sentence',
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
