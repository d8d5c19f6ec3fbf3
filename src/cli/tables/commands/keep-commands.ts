import type { CommandRow } from './command.ts'

export const keepCommands = {
  cache: {
    group: 'Keep',
    summary: 'show which answers of models are kept, and delete old ones',
    description:
      'list (the default) says where kept answers are, how many, how large, of which models and how old. prune deletes those that all of --older-than, --max-size and --model name, and asks first on a terminal; --dry-run only says which. A deleted answer is asked again, and paid again, when a run needs it; runs that are going on are not disturbed. show prints a kept call with its whole prompt. docs/models.md explains what an answer is kept by.',
    arguments: [
      { name: '[what]', description: 'list, prune or show', choices: ['list', 'prune', 'show'] },
      {
        name: '[place]',
        description:
          'an experiment, the folder with its results, or a folder of kept answers, such as a recording (default: what is here); for show: the file of a call',
      },
    ],
    options: ['olderThan', 'maxSize', 'model', 'dryRun', 'yes', 'config', 'outRoot'],
    own: {
      model: {
        group: 'Models',
        value: 'name',
        description: 'only answers of this model, named as in the experiment or as its provider does',
      },
      dryRun: { group: 'What is shown', description: 'say what would be deleted, and delete nothing' },
    },
    examples: [
      ['cache', 'the kept answers of the experiment here'],
      ['cache prune --older-than 30d -n', 'what would be deleted'],
      ['cache prune results --max-size 1GB', 'the oldest, until a gigabyte is left'],
      ['cache prune --model gpt-4o-mini -y', 'all of one model, without asking'],
    ],
  },
} as const satisfies Record<string, CommandRow>
