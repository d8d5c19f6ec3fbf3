import type { OptionName } from '../options.ts'
import type { CommandRow } from './command.ts'

const sources = [
  {
    name: '[sources...]',
    description:
      'experiment directories, configuration files, or tables (.csv, .jsonl); several make `experiment` a factor',
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
    summary: 'is the candidate better than the control, by how much, and how sure are we?',
    description:
      'Pairs runs by their blocks, averages repetitions first, and says in one sentence what may be believed; docs/compare.md explains every number. Exit code 0 whatever the answer is, unless --require asks for one.',
    arguments: sources,
    options: [
      'control',
      'candidate',
      'controlRunIds',
      'candidateRunIds',
      'pairs',
      ...choosing,
      'unpaired',
      ...resampling,
      'side',
      'margin',
      'correction',
      'require',
      'ttestEnabled',
      'ttestAssumptionAlpha',
      'csvPath',
      'output',
      'outputPrintTable',
    ],
    examples: [
      ['compare results/strategies --control strategy=raw --candidate strategy=masking', 'on the primary metric'],
      ['compare results/a results/b --metric cost_usd', 'two experiments, paired by their blocks'],
      ['compare scores.csv --group model --pair-by task --metric solved', 'any table'],
      ['compare results/x --margin 2pts --require not-worse', 'for a check in CI: exit 1 unless it holds'],
    ],
  },
} as const satisfies Record<string, CommandRow>
