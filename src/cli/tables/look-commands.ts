import type { CommandRow } from './command.ts'

export const lookCommands = {
  collect: {
    group: 'Look',
    summary: 'write one row per run: parameters, metrics, outcome',
    arguments: [{ name: '[dir]', description: 'the experiment directory' }],
    options: ['expDir', 'outCsv', 'format'],
    examples: [
      ['collect results/sweep', 'writes results/sweep/aggregate/runs.csv'],
      ['collect results/sweep --format jsonl --out-csv -', 'to standard output'],
    ],
  },
} as const satisfies Record<string, CommandRow>
