import type { CommandRow } from './command.ts'

export const keepCommands = {
  cache: {
    group: 'Keep',
    summary: 'list cached model answers, and delete old ones or boxes of tasks',
    description:
      'list (the default) shows where cached answers are, how many, how large, of which models and how old. prune deletes those that match all of --older-than, --max-size and --model, and asks first on a terminal; --dry-run only lists them. A run that needs a deleted answer asks the model again and pays for it; running runs are not affected. show prints a cached call with its whole prompt. prune --boxes deletes what the boxes of finished runs left for `assay eval`: files, and containers of docker and podman; docs/sandboxes.md says more. docs/models.md explains the cache key.',
    arguments: [
      { name: '[what]', description: 'list, prune or show', choices: ['list', 'prune', 'show'] },
      {
        name: '[place]',
        description:
          'an experiment, its results folder, or a folder of cached answers, such as a recording (default: this folder); for show: the file of a call',
      },
    ],
    options: ['boxes', 'olderThan', 'maxSize', 'model', 'dryRun', 'yes', 'config', 'outRoot'],
    own: {
      model: {
        group: 'Models',
        value: 'name',
        description: 'only answers of this model, by its name in the experiment or at its provider',
      },
      dryRun: { group: 'Display', description: 'list what would be deleted, and delete nothing' },
    },
    examples: [
      ['cache', 'the cached answers of the experiment in this folder'],
      ['cache prune --older-than 30d -n', 'what would be deleted'],
      ['cache prune results --max-size 1GB', 'the oldest, until 1 GB is left'],
      ['cache prune --model gpt-4o-mini -y', 'all of one model, without asking'],
      ['cache prune data/rollouts --boxes --older-than 7d', 'files and containers of boxes that ended a week ago'],
    ],
  },
  merge: {
    group: 'Keep',
    summary: 'merge several directories of one experiment, such as shards, into one',
    description:
      'copies runs, attempts, costs, files and provenance into one directory. Runs and attempts that are already there are skipped, so running the same command again changes nothing. If two directories have completed the same run, the first one counts, and the command lists the differences. Directories of different definitions are refused. The sources are not changed.',
    arguments: [{ name: '<experiments...>', description: 'their directories, or their short ids' }],
    options: ['into', 'outRoot'],
    examples: [['merge shards/1 shards/2 --into results/sweep', 'then `assay run` runs what is missing']],
  },
  repair: {
    group: 'Keep',
    summary: 'rebuild a lost or damaged journal',
    description:
      'saves every readable row of the journal, adds results from runs/ that the journal does not have, and keeps the damaged file as journal.damaged-1.db. Costs that no result states are never invented: with a budget, they are assumed at the cap of a run; otherwise they are listed as unknown. A second call changes nothing. For more, see docs/reliability.md.',
    arguments: [{ name: '[experiment]', description: 'its directory, or the file that defines it' }],
    options: ['config', 'outRoot', 'expName'],
    examples: [['repair results/sweep', 'save what can be saved']],
  },
} as const satisfies Record<string, CommandRow>
