import { dialectTemplates } from '../../../define/dialects/templates.ts'
import { executorNames } from '../../../execute/executor.ts'
import { assignment, positiveNumber, seedList, shard, text, wholeNumber, word } from '../../parse-values.ts'
import { limitOptions } from './limit-options.ts'
import { choice, counter, flag, list, type OptionSpec, value } from './option.ts'

/** What is run and how, and where it goes. */
export const runOptions = {
  config: value({
    group: 'What is run',
    short: 'c',
    value: 'file',
    env: 'ASSAY_CONFIG',
    description: 'the experiment; the same as naming it without -c',
    parse: text,
  }),
  dryRun: flag({
    group: 'What is run',
    short: 'n',
    description: 'show the plan and run nothing; the same as "assay plan"',
  }),
  set: list({
    group: 'What is run',
    value: 'key=value',
    description: 'change a setting or give a factor other levels, e.g. limits.jobs=4 or policy=fifo,full',
    parse: assignment,
  }),
  seeds: value({
    group: 'What is run',
    value: 'list',
    description: 'other seeds than those of the experiment: 1..15 or 1,2,5',
    parse: seedList,
  }),
  filter: list({
    group: 'What is run',
    value: 'expression',
    description: "only runs for which it is true, e.g. policy=full or 'workflows > 50'; all must be true",
    parse: text,
  }),
  first: value({
    group: 'What is run',
    value: 'n',
    aliases: ['limit'],
    description: 'only the first n runs of the plan',
    parse: positiveNumber,
  }),
  shard: value({
    group: 'What is run',
    value: 'i/n',
    description: 'only part i of n equal parts; a run never moves to another part',
    parse: shard,
  }),
  order: choice({
    group: 'What is run',
    value: 'order',
    choices: ['interleaved', 'listed', 'shuffled'],
    description: 'interleaved by block (drift hits all variants alike), as listed, or shuffled',
  }),
  all: flag({ group: 'What is shown', description: 'show every run of the plan' }),
  show: value({ group: 'What is shown', value: 'n', description: 'show n runs of the plan', parse: wholeNumber }),

  resume: flag({
    group: 'Earlier results',
    description: 'accepted, and what happens anyway: finished runs are reused',
  }),
  retryFailed: flag({ group: 'Earlier results', description: 'also run again what failed or timed out' }),
  rerun: list({
    group: 'Earlier results',
    value: 'run',
    description: 'also run this one again, whatever came of it; quarantined: all that are in quarantine',
    parse: text,
  }),
  fresh: flag({ group: 'Earlier results', description: 'run everything again; earlier attempts are kept' }),
  again: flag({ group: 'Earlier results', description: 'start a new dated series of the same experiment' }),
  stale: choice({
    group: 'Earlier results',
    value: 'rerun|keep',
    choices: ['rerun', 'keep'],
    description: 'what to do with results made by a different command or input',
  }),

  ...limitOptions,
  executor: choice({
    group: 'Where it goes',
    value: 'name',
    choices: executorNames,
    description: 'where runs are performed: on this machine',
  }),
  count: value({ group: 'Limits', value: 'n', description: 'end after n runs', parse: positiveNumber }),
  failFast: flag({ group: 'Failures', description: 'cancel everything at the first failure' }),
  keepGoing: flag({
    group: 'Failures',
    description: 'go on whatever fails, also if the first runs all fail; overrides a halt rule of the experiment',
  }),
  now: flag({ group: 'Failures', description: 'cancel the running runs instead of waiting for them' }),

  outRoot: value({
    group: 'Where it goes',
    value: 'folder',
    env: 'ASSAY_OUT_ROOT',
    description: 'the folder that holds the experiment directories',
    parse: text,
  }),
  expName: value({
    group: 'Where it goes',
    value: 'name',
    aliases: ['name'],
    description: 'another name for the experiment',
    parse: text,
  }),
  expDir: value({
    group: 'Where it goes',
    value: 'folder',
    description: 'the experiment directory; the same as naming it without --exp-dir',
    parse: text,
  }),
  outCsv: value({
    group: 'Where it goes',
    value: 'file',
    aliases: ['out'],
    description: 'the file to write (default: aggregate/runs.csv in the experiment directory; - is standard output)',
    parse: text,
  }),
  format: choice({
    group: 'Where it goes',
    value: 'format',
    choices: ['csv', 'jsonl', 'html', 'md', 'comment', 'json', 'junit', 'svg', 'png', 'parquet', 'otlp'],
    description: 'how it is written',
  }),
  tag: list({ group: 'Where it goes', value: 'tag', description: 'a word to find these runs by', parse: word }),
  note: value({
    group: 'Where it goes',
    value: 'text',
    description: 'a sentence kept with the experiment or run',
    parse: text,
  }),
  remove: flag({ group: 'Where it goes', description: 'take the tags away instead' }),
  template: choice({
    group: 'Where it goes',
    value: 'name',
    choices: ['command', 'function', 'prompt', ...dialectTemplates.map(({ name }) => name)],
    description: 'what to start from, without asking',
  }),
  force: flag({ group: 'Where it goes', description: 'overwrite files that exist' }),

  watch: flag({ group: 'What is shown', description: 'keep showing until everything is done' }),
  json: flag({ group: 'What is shown', description: 'print JSON, for programs' }),
  quiet: flag({ group: 'What is shown', short: 'q', description: 'only failures and the summary' }),
  verbose: counter({ group: 'What is shown', short: 'v', description: 'say more; -vv says still more' }),
  yes: flag({ group: 'What is shown', short: 'y', env: 'ASSAY_YES', description: 'answer every question with yes' }),
} as const satisfies Record<string, OptionSpec>
