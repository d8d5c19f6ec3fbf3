import type { CommandRow } from './command.ts'

export const scenarioCommands = {
  scenario: {
    group: 'Agents',
    summary: 'play a scenario, check its files, or estimate what it costs',
    description:
      'A scenario is a folder with scenario.yaml and actors/. `run` plays it once, or with every value of --with and every seed. `validate` reads its files and says what is wrong, with line and column; exit code 2 if anything is. `estimate` plays it with actors that say nothing in particular, and counts calls, cost and time. For batches with a budget, write a batch-config.yaml (docs/scenario-batches.md) and use `assay run`.',
    arguments: [
      { name: '<what>', description: 'run, validate or estimate', choices: ['run', 'validate', 'estimate'] },
      { name: '[folder]', description: 'the folder of the scenario (default: this folder)' },
    ],
    options: [
      'with',
      'branchFrom',
      'models',
      'seeds',
      'jobs',
      'timeout',
      'budget',
      'runBudget',
      'rehearse',
      'record',
      'replay',
      'resume',
      'again',
      'outRoot',
      'expName',
      'quiet',
      'verbose',
    ],
    examples: [
      ['scenario validate scenarios/harbour-dues', 'what is wrong with its files, and what it consists of'],
      ['scenario estimate scenarios/harbour-dues', 'calls, cost and time of a run'],
      ['scenario run scenarios/harbour-dues --run-budget 0.50', 'play it once, for at most 50 cents'],
      [
        'scenario run scenarios/harbour-dues --branch-from results/harbour-dues/runs/a:2 --with actors.residents.model=gpt-4o',
        'the same up to turn 2, then another model plays the residents',
      ],
    ],
  },
} as const satisfies Record<string, CommandRow>
