import type { CommandRow } from './command.ts'

export const moreCommands = {
  sim: {
    group: 'More',
    summary: 'simulate agent workflows over rate-limited providers, in virtual time',
    description:
      'Runs one simulation of the built-in target sched-sim. The same seed gives the same files on every machine. docs/sched-sim.md explains the model, the policies and every column.',
    arguments: [],
    options: [
      'workflows',
      'pdfs',
      'iters',
      'subqueries',
      'policy',
      'seed',
      'timeScale',
      'outDir',
      'enableModelRouting',
      'disableHedging',
      'disableEscalation',
      'disableDagPriority',
      'heavyTailProb',
      'heavyTailMult',
      'model',
      'arrivals',
      'spill',
      'originalRules',
      'trace',
      'printModel',
      'quiet',
    ],
    examples: [
      ['sim --enable_model_routing --out_dir out', '100 workflows under the policy full'],
      ['sim --policy dag_cheapest --arrivals poisson:0.2', 'workflows that arrive one by one'],
      ['sim --print-model > model.yaml', 'to start a model of your own'],
    ],
  },
  schema: {
    group: 'More',
    summary: 'print the JSON Schema of experiments, for editors',
    arguments: [],
    options: [],
    examples: [['schema > experiment.schema.json', 'to keep next to the experiment']],
  },
  doctor: {
    group: 'More',
    summary: 'check this installation and this folder for problems',
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
