import { assignment, text } from '../../parse-values.ts'
import { flag, list, type OptionSpec, value } from './option.ts'

/** Options about several machines. */
export const queueOptions = {
  queue: value({
    group: 'Machines',
    value: 'address',
    env: 'ASSAY_QUEUE',
    description:
      'the server that hands runs to workers on other machines: postgres://… or redis://…; ASSAY_QUEUE keeps a password out of the command line',
    parse: text,
  }),
  label: list({
    group: 'Machines',
    value: 'name',
    description: 'a label of this machine, e.g. docker: experiments ask for it with `needs`',
    parse: text,
  }),
  artifacts: value({
    group: 'Machines',
    value: 's3://bucket/folder',
    description:
      "with workers on other machines: where they store files that are too large to come back; the keys are those of each worker's environment",
    parse: text,
  }),
  folder: value({
    group: 'Machines',
    value: 'folder',
    description: 'where the files of experiments are on this machine (default: this folder)',
    parse: text,
  }),
  scratch: value({
    group: 'Machines',
    value: 'folder',
    env: 'ASSAY_SCRATCH',
    description: 'where runs are executed if the experiment directory is on another machine',
    parse: text,
  }),
  hosts: value({
    group: 'Machines',
    value: 'a,b=8',
    description: 'ssh: the machines that get a worker, and how many runs each executes at once (default: its CPUs)',
    parse: text,
  }),
  launch: list({
    group: 'Machines',
    value: 'key=value',
    description: 'an option of the launcher skypilot, modal, aws-batch or kubernetes, e.g. workers=4 or image=me/assay',
    parse: assignment,
  }),
  skypilot: flag({ group: 'Machines', description: 'the same as --executor skypilot' }),
  remoteAssay: value({
    group: 'Machines',
    value: 'command',
    description: 'ssh and launchers: how assay is started there (default: assay)',
    parse: text,
  }),
  sshConfig: value({
    group: 'Machines',
    value: 'file',
    description: "ssh: a configuration file instead of the user's own",
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
