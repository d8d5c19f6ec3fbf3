import { text } from '../../parse-values.ts'
import { choice, flag, type OptionSpec, value } from './option.ts'

const group = 'Simulation'
/** What the values mean, and whether they are right, is known to the simulator: the same for a file and a command line. */
const number = (description: string) => value({ group, value: 'n', description, parse: text })

/** The flags of the agent scheduling simulator. */
export const simOptions = {
  workflows: number('workflows (100)'),
  pdfs: number('documents of each (10)'),
  iters: number('iterations of each at most (3)'),
  subqueries: number('searches per document (4)'),
  policy: value({
    group,
    value: 'name',
    description: 'fifo_cheapest, dag_cheapest, dag_escalation or full (full)',
    parse: text,
  }),
  seed: number('fixes everything that is random (1)'),
  timeScale: number('accepted and without effect: time is virtual'),
  enableModelRouting: flag({ group, description: 'choose tiers by price, within the budget of a workflow' }),
  disableHedging: flag({ group, description: 'no second calls for stragglers' }),
  disableEscalation: flag({ group, description: 'no dearer tiers' }),
  disableDagPriority: flag({ group, description: 'first come, first served, whatever the policy' }),
  heavyTailProb: number('chance that a step takes heavy-tail-mult times as long (0.02)'),
  heavyTailMult: number('how many times (50)'),
  model: value({
    group,
    value: 'file',
    description: 'workload, providers and distributions; what it leaves out is as in --print-model',
    parse: text,
  }),
  arrivals: value({
    group,
    value: 'how',
    description: 'all_at_once, poisson:<per second> or trace:<file.csv>',
    parse: text,
  }),
  spill: flag({ group, description: 'every policy may use a dearer tier when the cheaper ones are full' }),
  originalRules: flag({
    group,
    description: "the original simulator's rules where they differ, for comparing with it",
  }),
  outDir: value({
    group: 'Where it goes',
    value: 'folder',
    description: 'the folder that the files go to',
    parse: text,
  }),
  trace: choice({
    group,
    value: 'detail',
    choices: ['all', 'attempts', 'none'],
    description: 'how much goes into trace.json (all)',
  }),
  printModel: flag({
    group,
    description: 'print the model as YAML, fitted distributions included, and simulate nothing',
  }),
} as const satisfies Record<string, OptionSpec>
