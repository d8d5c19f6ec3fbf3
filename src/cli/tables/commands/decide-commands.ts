import type { OptionName } from '../../options.ts'
import { verdictsToRequire } from '../options/analysis-options.ts'
import type { CommandRow } from './command.ts'

const sources = [
  {
    name: '[sources...]',
    description:
      'experiment directories, configuration files, or tables (.csv, .jsonl). With several experiments, `experiment` is a factor; shards and copies of one experiment count as one',
  },
]

const choosing: readonly OptionName[] = [
  'metric',
  'goal',
  'summary',
  'window',
  'summaryPercent',
  'summaryPercentWindow',
  'summaryStepMin',
  'summaryStepMax',
  'summaryNormalizeSteps',
  'summaryN',
  'filter',
  'group',
  'pairBy',
  'run',
  'step',
  'missing',
  'outRoot',
]
const resampling: readonly OptionName[] = ['alpha', 'method', 'resamples', 'seed', 'rng']

export const decideCommands = {
  compare: {
    group: 'Decide',
    summary: 'test whether a candidate is better than a control, by how much, and how sure that is',
    description:
      'Pairs runs by their blocks, averages repetitions first, and states the result in one sentence. docs/compare.md explains every number. The exit code is 0 for any result unless --require is given.',
    arguments: sources,
    options: [
      'control',
      'candidate',
      'best',
      'controlRunIds',
      'candidateRunIds',
      'pairs',
      ...choosing,
      'range',
      'weights',
      'strata',
      'family',
      'statistic',
      'unpaired',
      ...resampling,
      'side',
      'margin',
      'correction',
      'require',
      'also',
      'rliable',
      'ttestEnabled',
      'ttestAssumptionAlpha',
      'powerEnabled',
      'powerNormalityAlpha',
      'powerUseBootstrap',
      'effect',
      'power',
      'sizes',
      'trials',
      'csvPath',
      'output',
      'outputPrintTable',
    ],
    own: { require: { choices: verdictsToRequire } },
    examples: [
      ['compare results/strategies --control strategy=raw --candidate strategy=masking', 'on the primary metric'],
      ['compare results/grid --control size=1 --best 20', 'the best 20 of thousands of levels'],
      ['compare results/a results/b --metric cost_usd', 'two experiments, paired by their blocks'],
      ['compare scores.csv --group model --pair-by task --metric solved', 'any table'],
      ['compare results/x --margin 2pts --require not-worse', 'for CI: exit 1 unless it holds'],
    ],
  },
  effects: {
    group: 'Decide',
    summary: 'estimate the effect of each factor and ablation, alone and combined',
    description:
      'Compares each level with its baseline on paired blocks, averaged over all other factors; tests interactions of two factors; shows which share of the variance each factor explains; compares every variant with its own baseline. All tests are corrected as one family.',
    arguments: sources,
    options: ['control', ...choosing, 'unpaired', ...resampling, 'correction'],
    examples: [
      ['effects results/sweep --metric makespan_p95_ms', 'of every factor and ablation'],
      ['effects results/sweep --control policy=fifo --filter load=0.9', 'against another baseline, at one load'],
    ],
  },
  diff: {
    group: 'Decide',
    summary: 'show how two experiments or variants differ in definition, code and results',
    description:
      'Compares definitions, environments and code (between the recorded commits), and lists the blocks whose results differ, largest difference first.',
    arguments: [{ name: '[experiments...]', description: 'two experiments; or one, with --control and --candidate' }],
    options: ['control', 'candidate', 'metric', 'goal', 'summary', 'window', 'paths', 'outRoot'],
    examples: [
      ['diff results/monday results/friday --paths src/agent', 'and what changed in src/agent between them'],
      ['diff results/sweep --control policy=fifo --candidate policy=full', 'two variants of one experiment'],
    ],
  },
  variance: {
    group: 'Decide',
    summary: 'measure how much runs vary, and whether there are enough of them',
    description:
      'Takes single runs (found under --out-root), or all runs of experiments and tables, one variant at a time. Shows the coefficient of variation with its interval by number of runs, and how well the mean is known. docs/variance.md explains every number. Draws variance_analysis.png; --output names another file, or none.',
    arguments: [
      {
        name: '[runs...]',
        description: 'names, keys or folders of runs, in the order they are added; or experiment directories or tables',
      },
    ],
    options: [
      'metric',
      'summary',
      'window',
      'summaryPercent',
      'summaryPercentWindow',
      'summaryStepMin',
      'summaryStepMax',
      'summaryN',
      'slopeWindow',
      'threshold',
      'filter',
      'group',
      'pairBy',
      'run',
      'step',
      'outRoot',
      'alpha',
      'seed',
      'output',
    ],
    examples: [
      ['variance results/pilot', 'one variant at a time'],
      ['variance run1 run2 run3 --metric overview/reward --threshold 0.05 --output variance_plot.png', 'these runs'],
      ['variance curves.csv --run run --step step --metric reward', 'a table with a row for each point'],
    ],
  },
  analyze: {
    group: 'Decide',
    summary: 'summarize what succeeded, what failed and why, and what it cost',
    description:
      'Judges every run, describes every variant, and shows which factor levels correlate with success, how runs fail, what a success costs and which variants may be the best. docs/analyze.md explains every number. Writes metrics-analysis.json, variation-statistics.json and patterns.json.',
    arguments: sources,
    options: [
      'success',
      'report',
      ...choosing.filter(name => name !== 'missing'),
      'alpha',
      'correction',
      'resamples',
      'seed',
      'to',
    ],
    examples: [
      ['analyze results/negotiation --report', 'also write and print analysis-report.md'],
      ["analyze results/negotiation --success 'agreement == 1 and trust >= 6'", 'what a success is'],
      ['analyze results/monday results/friday', 'two experiments; `experiment` becomes a factor'],
    ],
  },
} as const satisfies Record<string, CommandRow>
