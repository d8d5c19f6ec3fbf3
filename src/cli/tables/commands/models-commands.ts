import type { CommandRow } from './command.ts'

export const modelsCommands = {
  models: {
    group: 'Agents',
    summary: 'list language models, where their calls go, and what they cost',
    description:
      'list shows presets, providers and whether their keys are set (never the keys). check sends each model a question of a few tokens and reports whether it answers. serve-sim serves simulated models on this machine, behind the API of OpenAI, until Ctrl-C. docs/models.md explains names, keys, prices and simulated models.',
    arguments: [
      { name: '<what>', description: 'list, check or serve-sim', choices: ['list', 'check', 'serve-sim'] },
      {
        name: '[names...]',
        description:
          'model names, or a configuration file for all its models (default: the experiment in this folder, if any)',
      },
    ],
    options: ['config', 'dryRun', 'port', 'seed'],
    examples: [
      ['models list', 'presets and providers'],
      ['models check experiment.yaml', 'the models of an experiment, each asked once'],
      ['models check gpt-4o-mini openai/gpt-4o -n', 'where they would go, without asking them'],
      ['models serve-sim --port 4010', "for programs that use OpenAI's API"],
    ],
  },
} as const satisfies Record<string, CommandRow>
