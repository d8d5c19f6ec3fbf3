import { notNegative, numberOrPoints, positiveDecimal, powerShare, sizeList } from '../../parse-planning.ts'
import { positiveNumber, probability, text, usd } from '../../parse-values.ts'
import { list, type OptionSpec, value } from './option.ts'

const group = 'Planning'

/** Options for planning and for simulating statistics. Names with a dot are those of Metta's benchmark pipeline. */
export const powerOptions = {
  effect: value({
    group,
    value: 'difference',
    aliases: ['power.target-effect-size'],
    description: 'the difference to detect: 0.5, 2pts; in the unit of the metric with --sd or a pilot, otherwise in sd',
    parse: numberOrPoints,
  }),
  runs: value({
    group,
    value: 'n',
    aliases: ['n'],
    description: 'the number of pairs, of runs per arm, or of tasks',
    parse: positiveNumber,
  }),
  halfWidth: value({
    group,
    value: 'width',
    description: 'the wanted half-width of the interval',
    parse: positiveDecimal,
  }),
  power: value({
    group,
    value: 'share',
    aliases: ['power.target-power'],
    description: 'the probability of detecting the difference (0.8)',
    parse: powerShare,
  }),
  sd: value({
    group,
    value: 'sd',
    description: 'the standard deviation of paired differences, or within each arm',
    parse: positiveDecimal,
  }),
  ratio: value({
    group,
    value: 'ratio',
    description: 'with --unpaired: candidate runs per control run (1)',
    parse: positiveDecimal,
  }),
  baseRate: value({
    group,
    value: 'share',
    description: "for success rates in two groups: the control's rate; --effect is the difference in rates",
    parse: probability,
  }),
  discordant: value({
    group,
    value: 'share',
    description: 'for paired success: the share of tasks that only one arm solves',
    parse: probability,
  }),
  taskSd: value({
    group,
    value: 'sd',
    description: 'tasks × rollouts: sd, over tasks, of the true difference between the arms',
    parse: notNegative,
  }),
  rolloutSd: value({
    group,
    value: 'sd',
    description: 'tasks × rollouts: sd of one rollout around the mean of its task',
    parse: notNegative,
  }),
  rollouts: value({
    group: 'Tasks',
    short: 'k',
    value: 'n',
    description: 'how often each task is run, by each variant',
    parse: positiveNumber,
  }),
  taskCost: value({
    group,
    value: 'usd',
    description: 'the fixed cost of a task, however many rollouts it has',
    parse: usd,
  }),
  rolloutCost: value({
    group,
    value: 'usd',
    description: 'the cost of one rollout of one arm',
    parse: usd,
  }),
  sizes: value({
    group,
    value: 'list',
    aliases: ['power.sample-sizes'],
    description: 'the numbers of units to evaluate: 5,10,20 or 5..20',
    parse: sizeList,
  }),
  trials: value({
    group,
    value: 'n',
    aliases: ['power.n-sim'],
    description: 'simulated experiments per number of units',
    parse: positiveNumber,
  }),
  data: list({
    group,
    value: 'kind',
    description: "only kinds of data whose name contains this, e.g. 'normal, paired' or 'yes or no'",
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
