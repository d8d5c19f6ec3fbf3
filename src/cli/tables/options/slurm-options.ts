import { positiveNumber, text, word } from '../../parse-values.ts'
import { list, type OptionSpec, value } from './option.ts'

/** Options for a cluster. */
export const slurmOptions = {
  partition: value({ group: 'Machines', value: 'name', description: 'Slurm: the partition', parse: word }),
  time: value({
    group: 'Machines',
    value: 'duration',
    description: "Slurm: the time limit of an array task, e.g. 2h or Slurm's own 1-12:00:00",
    parse: word,
  }),
  mem: value({ group: 'Machines', value: 'size', description: 'Slurm: memory of an array task, e.g. 8G', parse: word }),
  gpus: value({
    group: 'Machines',
    value: 'n',
    description: 'GPUs of an array task of Slurm, or of a machine of SkyPilot',
    parse: positiveNumber,
  }),
  sbatch: list({
    group: 'Machines',
    value: 'option',
    description: "Slurm: another option of sbatch, e.g. --sbatch '--account=lab'",
    parse: text,
  }),
  before: list({
    group: 'Machines',
    value: 'command',
    description: "Slurm: a shell command on the node before assay starts, e.g. 'module load nodejs'",
    parse: word,
  }),
  chunk: value({
    group: 'Machines',
    value: 'n',
    description: 'Slurm: runs of one array task, one after the other (default: enough for about 20 seconds)',
    parse: positiveNumber,
  }),
  arrayLimit: value({
    group: 'Machines',
    value: 'n',
    description: 'Slurm: array tasks that may run at once (default: no limit)',
    parse: positiveNumber,
  }),
  perform: value({
    group: 'Machines',
    value: 'file',
    description: 'execute the runs in this file and exit; used by the scripts that assay submits to Slurm',
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
