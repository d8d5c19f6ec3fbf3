import { batchTemplate, dialectTemplates } from '../../../define/dialects/for-help.ts'
import { executorNames } from '../../../execute/executor.ts'
import { assignment, positiveNumber, seedList, shard, text, wholeNumber, word } from '../../parse-values.ts'
import { limitOptions } from './limit-options.ts'
import { choice, counter, flag, list, type OptionSpec, value } from './option.ts'

/** What is run and how, and where results go. */
export const runOptions = {
  config: value({
    group: 'Selection',
    short: 'c',
    value: 'file',
    env: 'ASSAY_CONFIG',
    description: 'the experiment file; -c can be left out',
    parse: text,
  }),
  dryRun: flag({
    group: 'Selection',
    short: 'n',
    description: 'show the plan and run nothing, like "assay plan"',
  }),
  set: list({
    group: 'Selection',
    value: 'key=value',
    description: 'change a setting or the levels of a factor, e.g. limits.jobs=4 or policy=fifo,full',
    parse: assignment,
  }),
  seeds: value({
    group: 'Selection',
    value: 'list',
    description: 'use these seeds instead of those of the experiment: 1..15 or 1,2,5',
    parse: seedList,
  }),
  filter: list({
    group: 'Selection',
    value: 'expression',
    description: "only matching runs, e.g. policy=full or 'workflows > 50'; several filters must all match",
    parse: text,
  }),
  first: value({
    group: 'Selection',
    value: 'n',
    aliases: ['limit'],
    description: 'only the first n runs of the plan',
    parse: positiveNumber,
  }),
  shard: value({
    group: 'Selection',
    value: 'i/n',
    description: 'only part i of n; a run always belongs to the same part',
    parse: shard,
  }),
  order: choice({
    group: 'Selection',
    value: 'order',
    choices: ['interleaved', 'listed', 'shuffled'],
    description: 'the order of runs: interleaved by block (drift affects all variants equally), as listed, or shuffled',
  }),
  attempt: value({
    group: 'Selection',
    value: 'n',
    description: 'an earlier attempt of the run (default: the last)',
    parse: wholeNumber,
  }),
  all: flag({ group: 'Display', description: 'show every run of the plan' }),
  show: value({ group: 'Display', value: 'n', description: 'show n runs of the plan', parse: wholeNumber }),

  resume: flag({
    group: 'Earlier results',
    description: "also read results that Cascade's sweep runner left in the directory; finished runs are always reused",
  }),
  retryFailed: flag({ group: 'Earlier results', description: 'also rerun what failed or timed out' }),
  rerun: list({
    group: 'Earlier results',
    value: 'run',
    description: 'also rerun this run, even if it completed; quarantined: every quarantined run',
    parse: text,
  }),
  fresh: flag({ group: 'Earlier results', description: 'rerun everything; earlier attempts are kept' }),
  again: flag({ group: 'Earlier results', description: 'start a new dated series of the same experiment' }),
  stale: choice({
    group: 'Earlier results',
    value: 'rerun|keep',
    choices: ['rerun', 'keep'],
    description: 'what to do with results of a different command or input',
  }),

  ...limitOptions,
  executor: choice({
    group: 'Machines',
    value: 'name',
    choices: executorNames,
    description:
      'where runs are executed: on this machine, by the workers of a queue, by a Slurm cluster, or by workers that are started over ssh or by a launcher of a cloud',
  }),
  count: value({
    group: 'Limits',
    value: 'n',
    description: 'stop after n runs; after n variants, where the search counts those',
    parse: positiveNumber,
  }),
  failFast: flag({ group: 'Failures', description: 'cancel everything at the first failure' }),
  keepGoing: flag({
    group: 'Failures',
    description: 'never stop because of failures, even if the first runs all fail; overrides halt rules',
  }),
  now: flag({ group: 'Failures', description: 'cancel running runs instead of waiting for them' }),

  outRoot: value({
    group: 'Output',
    value: 'folder',
    env: 'ASSAY_OUT_ROOT',
    description: 'the folder that holds the experiment directories',
    parse: text,
  }),
  expName: value({
    group: 'Output',
    value: 'name',
    aliases: ['name'],
    description: 'use another name for the experiment',
    parse: text,
  }),
  into: value({
    group: 'Output',
    value: 'folder',
    description: 'the experiment directory that gets the runs of all others',
    parse: text,
  }),
  expDir: value({
    group: 'Output',
    value: 'folder',
    description: 'the experiment directory; --exp-dir can be left out',
    parse: text,
  }),
  outCsv: value({
    group: 'Output',
    value: 'file',
    aliases: ['out'],
    description: 'the file to write (default: aggregate/runs.csv in the experiment directory; - is standard output)',
    parse: text,
  }),
  format: choice({
    group: 'Output',
    value: 'format',
    choices: ['csv', 'jsonl', 'html', 'md', 'comment', 'json', 'junit', 'svg', 'png', 'parquet', 'otlp'],
    description: 'the file format',
  }),
  tag: list({ group: 'Output', value: 'tag', description: 'a tag to find these runs by', parse: word }),
  note: value({
    group: 'Output',
    value: 'text',
    description: 'a sentence kept with the experiment or run',
    parse: text,
  }),
  remove: flag({ group: 'Output', description: 'remove the tags instead' }),
  template: choice({
    group: 'Output',
    value: 'name',
    choices: [
      'command',
      'function',
      'prompt',
      'task',
      'scenario',
      batchTemplate,
      ...dialectTemplates.map(({ name }) => name),
    ],
    description: 'the template to use, without asking',
  }),
  force: flag({ group: 'Output', description: 'overwrite files that exist' }),

  watch: flag({ group: 'Display', description: 'keep updating until everything is done' }),
  json: flag({ group: 'Display', description: 'print JSON, for programs' }),
  quiet: flag({ group: 'Display', short: 'q', description: 'only failures and the summary' }),
  verbose: counter({ group: 'Display', short: 'v', description: 'print more; -vv prints even more' }),
  yes: flag({ group: 'Display', short: 'y', env: 'ASSAY_YES', description: 'answer yes to every question' }),
} as const satisfies Record<string, OptionSpec>
