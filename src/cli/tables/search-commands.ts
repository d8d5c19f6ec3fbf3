import type { CommandRow } from './command.ts'

export const searchCommands = {
  worker: {
    aliases: ['agent'],
    group: 'Search',
    summary: 'help with an experiment: take runs and perform them',
    arguments: [{ name: '<dir>', description: 'the experiment directory' }],
    options: ['jobs', 'count', 'quiet'],
    examples: [['worker results/sweep -j 2 --count 10', 'two at a time, ten in all']],
  },
} as const satisfies Record<string, CommandRow>
