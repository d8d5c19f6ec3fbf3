import { batchTemplate } from '../../../define/dialects/for-help.ts'
import { executorOptionNames } from '../../../execute/executor.ts'
import type { OptionName } from '../../options.ts'
import { strategyOptionNames } from '../options/agent-options.ts'
import { runLimitNames } from '../options/limit-options.ts'
import type { ArgumentSpec, CommandRow } from './command.ts'

const config: ArgumentSpec = {
  name: '[config]',
  description:
    'a configuration file or an experiment directory (default: experiment.yaml, .json or .toml here, then batch-config.yaml, then bench/experiments/default.json)',
}
const place = 'the experiment directory, its short id, or the file or folder that defines it'
const dir: ArgumentSpec = { name: '<dir>', description: place }
const dirOrHere: ArgumentSpec = { name: '[dir]', description: `${place} (default: the experiment in this folder)` }

/** The options that decide which runs there are, and how each is executed: `plan` and `run` must agree on them. */
const planning = [
  'config',
  'set',
  'seeds',
  'filter',
  'first',
  'shard',
  'order',
  'retryFailed',
  'rerun',
  'fresh',
  'again',
  'stale',
  'resume',
  'jobs',
  'rehearse',
  'outRoot',
  'expName',
  'branchFrom',
  'agent',
  'rollouts',
  'sandbox',
  'provided',
] as const satisfies readonly OptionName[]

/** Where runs are executed: `plan` shows what that means. */
const machines = ['executor', 'queue', 'skypilot', ...executorOptionNames] as const satisfies readonly OptionName[]

/** One variant of the built-in agent, without a configuration file. */
const variant = [
  'model',
  'strategy',
  'summarizerModel',
  'instances',
  'instancesSubset',
  'instancesSlice',
  'instancesFilter',
  'instancesShuffle',
  'instancesShuffleSeed',
  'callLimit',
  'costLimit',
  ...strategyOptionNames,
  'models',
  'tracker',
  'project',
  'entity',
  'runGroup',
  'tags',
  'weave',
  'weaveProject',
  'execution',
] as const satisfies readonly OptionName[]

const ofVariant = {
  model: { group: 'Agent', value: 'name', description: 'the model of the built-in agent, without a file' },
  // Short, so that the column of options stays narrow.
  hpSumMaxActionLength: { value: 'n' },
  hpSumMaxReasoningLength: { value: 'n' },
  hpSumStaticCheckpoint: { value: 'b' },
  hpSumExtractActions: { value: 'b' },
} as const

export const runCommands = {
  init: {
    group: 'Run',
    summary: 'write a small experiment to start from',
    arguments: [{ name: '[folder]', description: 'where to write it (default: here)' }],
    options: ['template', 'force', 'yes'],
    examples: [
      ['init', 'asks what the experiment runs'],
      ['init sweeps --template command', 'writes one that runs a program, without asking'],
      [`init --template ${batchTemplate}`, 'asks what a batch varies, and writes its configuration'],
    ],
  },
  plan: {
    group: 'Run',
    summary: 'show what would run, without running it',
    arguments: [config],
    options: [...planning, ...variant, ...machines, 'all', 'show'],
    own: ofVariant,
    examples: [
      ['plan', 'the experiment in this folder'],
      ["plan sweep.yaml --filter 'policy=full' --all", 'every run with policy full, and its command'],
      ['plan sweep.yaml --json', 'the whole plan, for programs'],
    ],
  },
  run: {
    group: 'Run',
    summary: 'run everything that is missing',
    description:
      'The same command again runs what is pending or was interrupted, and reuses finished runs. Failed runs stay failed until --retry-failed.',
    arguments: [config],
    options: [
      ...planning,
      ...variant,
      'dryRun',
      ...machines,
      ...runLimitNames,
      'record',
      'replay',
      'noCache',
      'noTrace',
      'noTraceContent',
      'otlp',
      'otlpIn',
      'failFast',
      'keepGoing',
      'require',
      'watch',
      'tag',
      'note',
      'quiet',
      'yes',
    ],
    own: {
      ...ofVariant,
      require: {
        value: 'pass=share',
        description: 'exit with 1 unless this share of the runs passes: pass=95%',
        group: 'Failures',
      },
      watch: { description: 'when a file of the experiment is saved, run what that changed and show what flipped' },
    },
    examples: [
      ['run', 'the experiment in this folder'],
      ['run sweep.yaml -j 8', 'eight runs at a time'],
      ['run sweep.yaml --retry-failed', 'failed runs too'],
      ['run sweep.yaml --seeds 1..15 --set policy=fifo,full', 'with other seeds and levels'],
      ['run sweep.yaml --shard 2/5', 'the second of five parts'],
      ['run prompts.yaml --require pass=95%', 'for CI: exit 1 unless 95% of the runs pass'],
      ['run prompts.yaml --watch', 'run what a saved prompt or case changes, and show what flipped'],
    ],
  },
  status: {
    group: 'Run',
    summary: 'show the progress of an experiment',
    arguments: [dirOrHere],
    options: ['watch'],
    examples: [['status results/sweep --watch', 'until everything is done']],
  },
  why: {
    group: 'Run',
    summary: 'explain why a run would be run, reused or skipped',
    arguments: [
      { name: '[dir]', description: `${place}, or the folder of a run (default: the experiment in this folder)` },
      { name: '[run]', description: "a run's name, or the beginning of it" },
    ],
    options: [],
    examples: [
      ['why results/sweep full__seed1', 'what changed since that run'],
      ['why results/sweep/runs/full__seed1', 'the same, by its folder'],
      ['why full__seed1', 'the same, for the experiment in this folder'],
    ],
  },
  logs: {
    group: 'Run',
    summary: 'show what a run printed',
    arguments: [
      { name: '[dir]', description: `${place}, or the folder of a run (default: the experiment in this folder)` },
      { name: '[run]', description: "a run's name, or the beginning of it" },
    ],
    options: ['attempt', 'all'],
    own: { all: { description: 'whole files (default: the last 100 lines of each)' } },
    examples: [
      ['logs results/sweep full__seed1', 'its output, and the files in its logs folder'],
      ['logs full__seed1 --attempt 1', 'of an earlier attempt, for the experiment in this folder'],
    ],
  },
  set: {
    group: 'Run',
    summary: 'change limits of an experiment, even while it runs',
    arguments: [dirOrHere, { name: '[limits...]', description: 'jobs=4, budget_usd=30, timeout=10m, …' }],
    options: [],
    examples: [
      ['set results/sweep jobs=4 budget_usd=30', 'takes effect at once'],
      ['set jobs=4', 'the same, for the experiment in this folder'],
    ],
  },
  pause: {
    group: 'Run',
    summary: 'pause an experiment: running runs finish, no new ones start',
    arguments: [dirOrHere],
    options: [],
    examples: [],
  },
  resume: { group: 'Run', summary: 'resume a paused experiment', arguments: [dirOrHere], options: [], examples: [] },
  stop: {
    group: 'Run',
    summary: 'stop a running experiment; it can be continued later',
    arguments: [dirOrHere],
    options: ['now'],
    examples: [['stop results/sweep --now', 'without waiting for running runs']],
  },
  tag: {
    group: 'Run',
    summary: 'tag an experiment or a run',
    arguments: [
      dir,
      { name: '[run]', description: 'a run (default: the whole experiment)' },
      { name: '[tags...]', description: 'the tags' },
    ],
    options: ['remove', 'note'],
    examples: [
      ['tag results/sweep paper', 'the whole experiment'],
      ['tag results/sweep full__seed1 outlier --note "noisy machine"', 'one run, and why'],
    ],
  },
} as const satisfies Record<string, CommandRow>
