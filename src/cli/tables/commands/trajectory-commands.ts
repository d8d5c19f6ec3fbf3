import { strategyOptionNames } from '../options/agent-options.ts'
import type { CommandRow } from './command.ts'

const folder = 'a folder with trajectories, or an experiment directory'

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
  reprice: {
    group: 'Agents',
    summary: 'price recorded trajectories under other context strategies, models and prices',
    description:
      'Shows what recorded works of agents would have cost with other prompts: their size turn by turn, what a provider’s cache would have taken, where a prompt does not fit, and from which turn on a strategy pays. No model is called. See docs/reprice.md.',
    arguments: [{ name: '<dir>', description: folder }],
    options: [
      'strategy',
      'model',
      'summarizerModel',
      ...strategyOptionNames,
      'cacheRule',
      'summaryTokens',
      'contextTokens',
      'price',
      'output',
    ],
    own: {
      model: { group: 'Models', value: 'names', description: 'models (default: the one that made the recordings)' },
      output: { description: 'a picture of the cost up to each turn: costs.svg or costs.png' },
    },
    examples: [
      ['reprice trajectories --model gpt-4o-mini', 'all four strategies at this model’s price'],
      [
        'reprice trajectories --strategy raw,observation_masking --hp-obs-n 5,10,15 --model deepseek-chat',
        'three sizes of the window',
      ],
      ['reprice trajectories --model gpt-4o --price 1,0.4,5 --cache-rule none', 'other prices, and no cache'],
    ],
  },
} as const satisfies Record<string, CommandRow>
