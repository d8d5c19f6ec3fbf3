import { text } from '../../parse-values.ts'
import { choice, flag, type OptionSpec, value } from './option.ts'

const group = 'Simulation'
/** The simulator knows what the values mean and whether they are valid: the same for a file and a command line. */
const number = (description: string) => value({ group, value: 'n', description, parse: text })

/** The flags of the agent scheduling simulator. */
export const simOptions = {
  workflows: number('workflows (100)'),
  pdfs: number('documents per workflow (10)'),
  iters: number('most iterations per workflow (3)'),
  subqueries: number('searches per document (4)'),
  policy: value({
    group,
    value: 'name',
    description: 'fifo_cheapest, dag_cheapest, dag_escalation or full (full)',
    parse: text,
  }),
  seed: number('the random seed (1)'),
  timeScale: number('accepted for compatibility, no effect: time is virtual'),
  enableModelRouting: flag({ group, description: 'choose tiers by price, within the budget of each workflow' }),
  disableHedging: flag({ group, description: 'no second calls for stragglers' }),
  disableEscalation: flag({ group, description: 'no escalation to more expensive tiers' }),
  disableDagPriority: flag({ group, description: 'first come, first served under every policy' }),
  heavyTailProb: number('chance that a step takes heavy-tail-mult times as long (0.02)'),
  heavyTailMult: number('that factor (50)'),
  model: value({
    group,
    value: 'file',
    description: 'a file with workload, providers and distributions; defaults as in --print-model',
    parse: text,
  }),
  arrivals: value({
    group,
    value: 'how',
    description: 'all_at_once, poisson:<per second> or trace:<file.csv>',
    parse: text,
  }),
  spill: flag({ group, description: 'let every policy use a more expensive tier when cheaper ones are full' }),
  originalRules: flag({
    group,
    description: "use the rules of Cascade's simulator where they differ",
  }),
  outDir: value({
    group: 'Output',
    value: 'folder',
    description: 'the folder to write to',
    parse: text,
  }),
  trace: choice({
    group,
    value: 'detail',
    choices: ['all', 'attempts', 'none'],
    description: 'how much to write to trace.json (all)',
  }),
  printModel: flag({
    group,
    description: 'print the model as YAML, fitted distributions included, and simulate nothing',
  }),
} as const satisfies Record<string, OptionSpec>
