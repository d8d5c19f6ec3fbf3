import type { CommandRow } from './command.ts'

export const searchCommands = {
  sweep: {
    group: 'Search',
    summary: 'plan an experiment for workers; list them, find the best',
    description:
      '`assay sweep <file>` plans an experiment, runs nothing, and prints the id that `assay worker <id>` takes. Actions: create (a file), list, best, pause, resume, stop, cancel (an id). docs/sweeps.md has the questions and answers.',
    arguments: [
      {
        name: '[action]',
        description: 'create, list, best, pause, resume, stop or cancel; create may be left out',
        suggestions: ['create', 'list', 'best', 'pause', 'resume', 'stop', 'cancel'],
      },
      { name: '[experiment]', description: 'create: a configuration file. Others: an id or an experiment directory' },
    ],
    options: [
      'config',
      'set',
      'seeds',
      'order',
      'stale',
      'again',
      'jobs',
      'timeout',
      'budget',
      'runBudget',
      'retries',
      'halt',
      'keepGoing',
      'initialFailures',
      'project',
      'entity',
      'expName',
      'outRoot',
      'metric',
      'goal',
      'write',
      'force',
      'now',
      'pause',
      'resume',
      'stop',
      'cancel',
    ],
    examples: [
      ['sweep sweeps/tuning.yaml --project demo', 'prints an id; nothing is run yet'],
      ['sweep list', 'every experiment below this folder, and how it stands'],
      ['sweep best 3f9a1c2e', 'the best variant so far, and what it is worth'],
      ['sweep best 3f9a1c2e --write best.yaml', 'the same as an experiment, with fresh seeds'],
      ['sweep stop 3f9a1c2e', 'no new runs; running ones finish'],
    ],
  },
  worker: {
    aliases: ['agent'],
    group: 'Search',
    summary: 'take runs of an experiment and perform them',
    arguments: [
      {
        name: '<experiment>',
        description: 'its id (project/id and entity/project/id mean the same), or its directory',
      },
    ],
    options: ['jobs', 'count', 'retryFailed', 'keepGoing', 'initialFailures', 'project', 'entity', 'outRoot', 'quiet'],
    examples: [
      ['worker 3f9a1c2e', 'until the sweep is done; any number of them at once'],
      ['worker results/sweep -j 2 --count 10', 'two at a time, ten in all'],
    ],
  },
} as const satisfies Record<string, CommandRow>
