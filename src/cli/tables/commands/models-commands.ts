import type { CommandRow } from './command.ts'

export const modelsCommands = {
  models: {
    group: 'Agents',
    summary: 'which language models can be used, where their calls go, and what they cost',
    description:
      'list shows what is known: presets, providers and whether their keys are set (never the keys). check asks each model one question of a few tokens and says whether it answers. serve-sim serves simulated models on this machine, in the formats of OpenAI and Anthropic, until it is interrupted. docs/models.md explains names, keys, prices and simulated models.',
    arguments: [
      { name: '<what>', description: 'list, check or serve-sim', choices: ['list', 'check', 'serve-sim'] },
      {
        name: '[names...]',
        description:
          'names of models, or a configuration file: all models that it names (default: the one here, if any)',
      },
    ],
    options: ['config', 'dryRun', 'port', 'seed'],
    examples: [
      ['models list', 'presets and providers'],
      ['models check experiment.yaml', 'the models of an experiment, each asked once'],
      ['models check gpt-4o-mini openai/gpt-4o -n', 'where they would go, without asking them'],
      ['models serve-sim --port 4010', 'for programs that speak to OpenAI or Anthropic'],
    ],
  },
} as const satisfies Record<string, CommandRow>
