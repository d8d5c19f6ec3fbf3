import type { CommandRow } from './command.ts'

export const moreCommands = {
  schema: {
    group: 'More',
    summary: 'print the JSON Schema of experiments, for editors',
    arguments: [],
    options: [],
    examples: [['schema > experiment.schema.json', 'to keep beside the experiment']],
  },
  doctor: {
    group: 'More',
    summary: 'check whether this installation and this folder are fine',
    arguments: [],
    options: [],
    examples: [],
  },
  completion: {
    group: 'More',
    summary: 'print the completion script of a shell',
    arguments: [{ name: '<shell>', description: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
    options: [],
    examples: [
      ['completion bash >> ~/.bashrc', 'for bash'],
      ['completion zsh > ~/.zfunc/_assay', 'for zsh, with ~/.zfunc in $fpath'],
      ['completion fish > ~/.config/fish/completions/assay.fish', 'for fish'],
    ],
  },
} as const satisfies Record<string, CommandRow>
