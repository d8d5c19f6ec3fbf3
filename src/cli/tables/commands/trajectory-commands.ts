import type { CommandRow } from './command.ts'

export const trajectoryCommands = {
  parse: {
    group: 'Agents',
    summary: "read a folder of agents' trajectories: cost, turns, tokens, how they ended",
    description:
      "Reads every trajectory below a folder: SWE-agent (0.x, 1.x and the fork of the complexity trap), mini-swe-agent, ATIF v1.x and assay's own. Formats are recognised by content. Files that can't be read are named with the reason and left out. Exit code 1 if there is no trajectory. See docs/trajectories.md.",
    arguments: [{ name: '<dir>', description: 'a folder with trajectories in it, at any depth' }],
    options: ['output'],
    own: {
      output: { description: 'the file to write: .csv has a row for each instance, .json everything' },
    },
    examples: [
      ['parse trajectories/me/2025-12-10_run', 'totals, exit categories and a row for each instance'],
      ['parse trajectories --json', 'the same as JSON'],
      ['parse trajectories --output instances.csv', 'the table of instances'],
    ],
  },
} as const satisfies Record<string, CommandRow>
